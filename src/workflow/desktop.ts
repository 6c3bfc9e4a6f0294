import { BackstepError } from "../base/error.ts";
import { type DesktopSettings, DesktopSettingsSchema, screenOf } from "../session/settings/settings.ts";
import { readValue, writtenAs } from "./inputs.ts";
import type { Entry, Node } from "./node.ts";
import type { Reading } from "./reading.ts";
import { readMap } from "./shape.ts";

/** `desktop: { size, monitors, scale, dpi, locale, theme, services }`: of use where a private desktop is made. */
export function readDesktop(
  node: Node,
  session: Entry | undefined,
  reading: Reading,
): DesktopSettings | undefined {
  const { faults } = reading;
  if (!readMap(node, "desktop", faults, "Write { size: 1920x1080, locale: de_DE.UTF-8 }.")) return undefined;
  const kind = session?.value.kind === "scalar" ? session.value.value : undefined;
  if (kind === "attach" || kind === "simulated") {
    faults.add(
      node.place,
      `desktop is for a private desktop, and the session is ${kind}`,
      "Leave one of them out.",
    );
  }
  const settings = readValue(writtenAs(node, node.place), DesktopSettingsSchema, "desktop", reading);
  try {
    screenOf(settings ?? {});
  } catch (thrown) {
    if (!(thrown instanceof BackstepError)) throw thrown;
    faults.add(node.place, thrown.message, thrown.hint);
  }
  return settings;
}
