import { toBackstepError } from "../../base/error.ts";
import { platformOf } from "../../base/platform.ts";
import { axIsAccessible } from "../../tools/connect/is-accessible.ts";
import { forModels } from "../server/errors.ts";
import { served } from "./serve.ts";

/** Milliseconds in which a desktop's accessibility answers where it works at all. */
const ANSWER = 5_000;

/** What to do where the reason says nothing better. */
const INSTALL = platformOf() === "macos"
  ? "Open System Settings > Privacy & Security > Accessibility, allow the program that started this server, and start it " +
    "again. `backstep check` tells more."
  : "Install and start at-spi2-core, and turn accessibility on: gsettings set " +
    "org.gnome.desktop.interface toolkit-accessibility true. `backstep check` tells more.";

/** Whether the desktop's accessibility can be used at all. */
export const isAccessible = served(axIsAccessible, async (_, { session, signal }) => {
  const { desktop } = session.host.desktop;
  // On macOS the list of applications says which grant is missing.
  let why = desktop.capabilities.accessibility || desktop.capabilities.display === "macos"
    ? undefined
    : `The desktop has no accessibility ${platformOf() === "macos" ? "grant" : "bus"}. ${INSTALL}`;
  try {
    await desktop.applications({ timeout: ANSWER, signal });
  } catch (thrown) {
    const { code, message, hint } = toBackstepError(thrown);
    if (code === "cancelled") throw thrown;
    why = `${message}. ${hint === undefined || code !== "no_desktop" ? INSTALL : forModels(hint) ?? INSTALL}`;
  }
  const name = { process_name: "backstep" };
  if (why === undefined) return { structured: { enabled: true, ...name } };
  return { structured: { enabled: false, ...name, suggestion: why } };
});
