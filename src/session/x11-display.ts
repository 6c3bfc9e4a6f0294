import { existsSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Deadline } from "../base/call.ts";
import type { Part } from "./part.ts";
import { OPENBOX_CONFIG } from "./part-config.ts";
import type { PartsPlan, RunningDisplay, StartPart } from "./parts-plan.ts";
import { setRootProperty } from "./root-property.ts";
import { setMonitors } from "./settings/monitors.ts";
import { displayVariables } from "./wayland/variables.ts";

/**
 * Starts Xvfb and, where one is wanted, openbox, which needs the display. Rejects with `no_desktop`.
 */
export async function startX11(
  plan: PartsPlan,
  start: StartPart,
  deadline: Deadline,
): Promise<RunningDisplay> {
  const display = await startDisplay(plan, start, deadline);
  await arrange(plan, display, deadline);
  const part = plan.windowManager ? await startWindowManager(plan, start, display) : undefined;
  const managed = part === undefined ? Promise.resolve() : whenManaged(plan, part, deadline);
  managed.catch(() => {}); // whoever waits for it hears of it; nobody has to
  return {
    display,
    variables: displayVariables(display, plan.folders),
    managed,
    async accessible(bus, deadline) {
      // Qt registers before it has asked the session bus where to, and then not at all, unless it finds this property.
      await setRootProperty(display, plan.folders.authority, "AT_SPI_BUS", bus, deadline);
      return {};
    },
  };
}

/** Dots an inch where nothing else is asked for. */
const USUAL_DOTS = 96;

/** Xvfb picks a free number itself and writes it when it is ready. */
async function startDisplay(plan: PartsPlan, start: StartPart, deadline: Deadline): Promise<string> {
  const { width, height, depth, dpi } = plan.screen;
  const screen = `${width}x${height}x${depth}`;
  const args = ["-screen", "0", screen, "-nolisten", "tcp", "-noreset", "-displayfd", "1"];
  // Only who can read this file gets in: neither another user nor another program of ours by accident.
  args.push("-auth", plan.folders.authority);
  // Xvfb's own 100 would make KDE's applications scale themselves by 100/96.
  args.push("-dpi", String(dpi ?? USUAL_DOTS));
  if (!plan.gl) args.push("-extension", "GLX");
  const part = await start("xvfb", { args, speaks: true });
  const number = await part.firstLine(deadline);
  if (!/^\d+$/.test(number)) throw part.failure(`it wrote "${number}" for its display number`);
  return `:${number}`;
}

/** Before the window manager and the first application look: what fonts are sized by, and what the screen is divided into. */
async function arrange({ screen, folders }: PartsPlan, display: string, deadline: Deadline): Promise<void> {
  const { dpi, monitors } = screen;
  const { authority } = folders;
  if (dpi !== undefined) {
    await setRootProperty(display, authority, "RESOURCE_MANAGER", `Xft.dpi:\t${dpi}\n`, deadline);
  }
  if (monitors.length > 0) await setMonitors(display, authority, monitors, dpi ?? USUAL_DOTS, deadline);
}

/** Openbox runs a command once it manages the display: the file that this makes is the sign. */
function startWindowManager(plan: PartsPlan, start: StartPart, display: string): Promise<Part> {
  const config = join(plan.folders.root, "openbox.xml");
  writeFileSync(config, OPENBOX_CONFIG, { mode: 0o600 });
  const args = ["--sm-disable", "--config-file", config, "--startup", `touch ${signOf(plan)}`];
  return start("openbox", { args, variables: { DISPLAY: display } });
}

async function whenManaged(plan: PartsPlan, part: Part, deadline: Deadline): Promise<void> {
  const sign = signOf(plan);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const look = () => {
    if (existsSync(sign)) resolve();
  };
  const watcher = watch(plan.folders.runtime, look);
  watcher.on("error", reject);
  look();
  try {
    await part.whileAlive(promise, deadline, "it did not take charge of the display in time");
  } finally {
    watcher.close();
  }
}

function signOf(plan: PartsPlan): string {
  return join(plan.folders.runtime, "managed");
}
