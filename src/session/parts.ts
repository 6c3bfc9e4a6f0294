import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Deadline } from "../base/call.ts";
import { BusConnection } from "./bus-connection.ts";
import { Part } from "./part.ts";
import type { PartsPlan, StartPart } from "./parts-plan.ts";
import { busConfig } from "./part-config.ts";
import { type PartName, programOf } from "./programs.ts";
import { serviceFolder } from "./settings/apply.ts";
import { startCompositor } from "./wayland/compositor.ts";
import { startX11 } from "./x11-display.ts";

/** Where the parts can be reached. */
export interface RunningParts {
  readonly display: string;
  readonly sessionBus: string;
  readonly accessibilityBus: string;
  /** What they add to the environment of what runs on the desktop. */
  readonly variables: Readonly<Record<string, string>>;
  /** Settles when the window manager is in charge. */
  readonly managed: Promise<void>;
}

/**
 * Starts all parts at once, each as soon as what it needs is there: the display and the session bus need nothing,
 * accessibility needs the bus. Rejects with `missing` or `no_desktop`.
 */
export async function startParts(plan: PartsPlan, deadline: Deadline): Promise<RunningParts> {
  const path = plan.environment["PATH"] ?? "";
  const x11: PartName[] = plan.windowManager ? ["xvfb", "openbox"] : ["xvfb"];
  const displayed: PartName[] = plan.kind === "wayland" ? ["sway"] : x11;
  const names: PartName[] = [...displayed, "bus", "accessibility"];
  const programs = new Map(names.map((name) => [name, plan.programs[name] ?? programOf(name, path)]));
  const start: StartPart = async (name, { variables, environment = plan.environment, ...how }) => {
    const part = await Part.start({
      ...how,
      name,
      program: programs.get(name) ?? name,
      environment: { ...environment, ...variables },
      logs: plan.folders.logs,
    });
    plan.started(part);
    return part;
  };

  const display = (plan.kind === "wayland" ? startCompositor : startX11)(plan, start, deadline);
  // A service may show something, and takes its environment from the bus that starts it.
  const bus = plan.services
    ? display.then(({ variables }) => startBus(plan, start, deadline, variables))
    : startBus(plan, start, deadline, {});
  const accessible = bus.then((address) => startAccessibility(address, start, deadline));
  // Every part settles before a failure is reported: nothing may start behind the back of the teardown.
  const outcomes = await Promise.allSettled([display, accessible]);
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  const { display: name, variables, managed, accessible: tell } = await display;
  const buses = await accessible;
  const more = await tell(buses.accessibilityBus, deadline);
  return { display: name, variables: { ...variables, ...more }, ...buses, managed };
}

/** The session bus writes its address when it listens. */
async function startBus(
  plan: PartsPlan,
  start: StartPart,
  deadline: Deadline,
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  const config = join(plan.folders.root, "bus.conf");
  const services = plan.services ? serviceFolder(plan.folders) : undefined;
  writeFileSync(config, busConfig(join(plan.folders.runtime, "bus"), services), { mode: 0o600 });
  const args = [`--config-file=${config}`, "--nofork", "--nopidfile", "--print-address=1"];
  const part = await start("bus", { args, variables, speaks: true });
  await part.firstLine(deadline);
  return plan.environment["DBUS_SESSION_BUS_ADDRESS"] ?? "";
}

/** The launcher takes org.a11y.Bus on the session bus and runs the accessibility bus as its own child. */
async function startAccessibility(sessionBus: string, start: StartPart, deadline: Deadline) {
  // Chromium and others look once, when they start, whether accessibility is wanted.
  const part = await start("accessibility", { args: ["--launch-immediately", "--a11y=1"] });
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
