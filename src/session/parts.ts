import { existsSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Deadline } from "../base/call.ts";
import { BusConnection } from "./bus-connection.ts";
import type { DesktopFolders } from "./environment.ts";
import { Part } from "./part.ts";
import { busConfig, OPENBOX_CONFIG } from "./part-config.ts";
import { type PartName, programOf } from "./programs.ts";
import { setRootProperty } from "./root-property.ts";
import { serviceFolder } from "./settings/apply.ts";
import { type Monitor, setMonitors } from "./settings/monitors.ts";

/** Paths to use instead of the programs found on PATH. */
export type Programs = Partial<Readonly<Record<PartName, string>>>;

/** The screen of a display. */
export interface Screen {
  /** In pixels. */
  readonly width: number;
  /** In pixels. */
  readonly height: number;
  /** Bits a pixel. */
  readonly depth: number;
  /** Dots an inch; undefined: as Xvfb has it, 96. */
  readonly dpi: number | undefined;
  /** What it is divided into; none: it is one monitor. */
  readonly monitors: readonly Monitor[];
}

/** What the parts are made from. */
export interface PartsPlan {
  readonly folders: DesktopFolders;
  readonly environment: Readonly<Record<string, string>>;
  readonly screen: Screen;
  readonly gl: boolean;
  readonly windowManager: boolean;
  /** Whether the session bus starts what lies in the folder of services. */
  readonly services: boolean;
  readonly programs: Programs;
  /** Told of each part as soon as it runs, so that it can be ended whatever happens next. */
  started(part: Part): void;
}

/** Where the parts can be reached. */
export interface RunningParts {
  readonly display: string;
  readonly sessionBus: string;
  readonly accessibilityBus: string;
  /** Settles when the window manager is in charge. */
  readonly managed: Promise<void>;
}

/**
 * Starts all parts at once, each as soon as what it needs is there: the display and the session bus need nothing, the
 * window manager needs the display, accessibility needs the bus. Rejects with `missing` or `no_desktop`.
 */
export async function startParts(plan: PartsPlan, deadline: Deadline): Promise<RunningParts> {
  const path = plan.environment["PATH"] ?? "";
  const names: PartName[] = [
    "xvfb",
    "bus",
    "accessibility",
    ...(plan.windowManager ? ["openbox" as const] : []),
  ];
  const programs = new Map(names.map((name) => [name, plan.programs[name] ?? programOf(name, path)]));
  const start = async (name: PartName, args: string[], more: Record<string, string> = {}, speaks = false) => {
    const part = await Part.start({
      name,
      program: programs.get(name) ?? name,
      args,
      environment: { ...plan.environment, ...more },
      logs: plan.folders.logs,
      speaks,
    });
    plan.started(part);
    return part;
  };

  const windowManager = Promise.withResolvers<Part | undefined>();
  const managed = windowManager.promise.then((part) => part && whenManaged(plan, part, deadline));
  managed.catch(() => {}); // whoever waits for it hears of it; nobody has to
  const displayThere = startDisplay(plan, start, deadline).then(async (display) => {
    await arrange(plan, display, deadline);
    windowManager.resolve(plan.windowManager ? await startWindowManager(plan, start, display) : undefined);
    return display;
  });
  // A service may show something, and takes its environment from the bus that starts it.
  const bus = plan.services
    ? displayThere.then((display) => startBus(plan, start, deadline, { DISPLAY: display }))
    : startBus(plan, start, deadline);
  const accessible = bus.then((address) => startAccessibility(address, start, deadline));
  // Every part settles before a failure is reported: nothing may start behind the back of the teardown.
  const outcomes = await Promise.allSettled([displayThere, accessible]);
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  const display = await displayThere;
  const buses = await accessible;
  // Qt registers before it has asked the session bus where to, and then not at all, unless it finds this property.
  await setRootProperty(display, plan.folders.authority, "AT_SPI_BUS", buses.accessibilityBus, deadline);
  return { display, ...buses, managed };
}

type Start = (
  name: PartName,
  args: string[],
  more?: Record<string, string>,
  speaks?: boolean,
) => Promise<Part>;

/** Dots an inch where nothing else is asked for. */
const USUAL_DOTS = 96;

/** Xvfb picks a free number itself and writes it when it is ready. */
async function startDisplay(plan: PartsPlan, start: Start, deadline: Deadline): Promise<string> {
  const { width, height, depth, dpi } = plan.screen;
  const screen = `${width}x${height}x${depth}`;
  const args = ["-screen", "0", screen, "-nolisten", "tcp", "-noreset", "-displayfd", "1"];
  // Only who can read this file gets in: neither another user nor another program of ours by accident.
  args.push("-auth", plan.folders.authority);
  // Xvfb's own 100 would make KDE's applications scale themselves by 100/96.
  args.push("-dpi", String(dpi ?? USUAL_DOTS));
  if (!plan.gl) args.push("-extension", "GLX");
  const part = await start("xvfb", args, {}, true);
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

/** The session bus writes its address when it listens. */
async function startBus(
  plan: PartsPlan,
  start: Start,
  deadline: Deadline,
  more: Record<string, string> = {},
): Promise<string> {
  const config = join(plan.folders.root, "bus.conf");
  const services = plan.services ? serviceFolder(plan.folders) : undefined;
  writeFileSync(config, busConfig(join(plan.folders.runtime, "bus"), services), { mode: 0o600 });
  const part = await start(
    "bus",
    [`--config-file=${config}`, "--nofork", "--nopidfile", "--print-address=1"],
    more,
    true,
  );
  await part.firstLine(deadline);
  return plan.environment["DBUS_SESSION_BUS_ADDRESS"] ?? "";
}

/** The launcher takes org.a11y.Bus on the session bus and runs the accessibility bus as its own child. */
async function startAccessibility(sessionBus: string, start: Start, deadline: Deadline) {
  // Chromium and others look once, when they start, whether accessibility is wanted.
  const part = await start("accessibility", ["--launch-immediately", "--a11y=1"]);
  const accessibilityBus = await part.whileAlive(
    askForBus(sessionBus, deadline),
    deadline,
    "it was not ready in time",
  );
  return { sessionBus, accessibilityBus };
}

async function askForBus(sessionBus: string, deadline: Deadline): Promise<string> {
  const session = await BusConnection.open(sessionBus, deadline);
  try {
    await session.whenOwned("org.a11y.Bus", deadline);
    const address = await session.accessibilityBus(deadline);
    // The registry is started now, so that the first application need not wait for it.
    const accessibility = await BusConnection.open(address, deadline);
    try {
      await accessibility.startService("org.a11y.atspi.Registry", deadline);
    } finally {
      accessibility.close();
    }
    return address;
  } finally {
    session.close();
  }
}

/** Openbox runs a command once it manages the display: the file that this makes is the sign. */
function startWindowManager(plan: PartsPlan, start: Start, display: string): Promise<Part> {
  const config = join(plan.folders.root, "openbox.xml");
  writeFileSync(config, OPENBOX_CONFIG, { mode: 0o600 });
  const args = ["--sm-disable", "--config-file", config, "--startup", `touch ${signOf(plan)}`];
  return start("openbox", args, { DISPLAY: display });
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
