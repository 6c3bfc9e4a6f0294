import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Application, Desktop } from "../../src/desktop/desktop.ts";
import { connectNative } from "../../src/desktop/native/connect.ts";
import { Role } from "../../src/desktop/roles.ts";
import { Core } from "../../src/ffi/core.ts";
import { Op } from "../../src/ffi/op.ts";
import { Request } from "../../src/ffi/request.ts";
import { startPrivateDesktop } from "../../src/session/private-desktop.ts";
import { Deadline, pause } from "../../src/base/call.ts";
import { type Connected, type Program, startConnected } from "./place.ts";
import { median, type Row, row } from "./row.ts";
import { Scripted } from "./scripted.ts";

const EVENTS = 200;
const PICTURES = 25;
const SETS = 40;
const MIRRORED = 5;
const ELEMENTS = 2_000;

async function timed(what: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await what();
  return performance.now() - began;
}

async function medianOf(samples: number, what: (k: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let k = 0; k < samples; k++) times.push(await timed(() => what(k)));
  return median(times);
}

/** A picture of the whole screen, and a value that is set and read back, on one application. */
export async function moments(what: Program): Promise<Row[]> {
  await using place = await startConnected(what);
  const { desk } = place;
  await desk.screenshot({ what: "screen" });
  const picture = await medianOf(PICTURES, () => desk.screenshot({ what: "screen" }));
  const { width, height } = await desk.screenshot({ what: "screen" });
  return [
    row({
      app: `screenshot-${width}x${height}`,
      nodes: 1,
      ms: picture,
      calls: 1,
      strategy: "picture",
      samples: PICTURES,
    }),
    await setValue(what, place),
  ];
}

/**
 * `Desktop.act` with `setValue`: is it still the element, then the action and what the value is after it. Its unit is one
 * question about the same element, asked through the same door.
 */
async function setValue(what: Program, { desk, application, addresses }: Connected): Promise<Row> {
  const tree = await desk.snapshot(application, { fields: ["value", "id"] });
  const slider = Array.from({ length: tree.size }, (_, k) => k).find((k) =>
    tree.role(k) === Role.slider && tree.value(k) !== undefined && tree.has(k, "enabled") &&
    tree.has(k, "showing")
  );
  const range = slider === undefined ? undefined : tree.value(slider);
  if (slider === undefined || !range) throw new Error(`${what.app} has no slider`);
  const element = tree.element(slider);
  const session = (await Core.open()).session();
  try {
    const { a11yBus, sessionBus } = addresses;
    await session.submit(Op.connect, new Request().str(a11yBus).str(sessionBus).str("").bytes());
    const question = new Request().str(element.bus).str(element.path).u32(0).u32(1).u32(1).bytes();
    const value = (k: number) =>
      range.minimum + (range.maximum - range.minimum) * (k % 2 === 0 ? 0.25 : 0.75);
    const units: number[] = [], times: number[] = [];
    for (let k = 0; k < SETS; k++) {
      units.push(await timed(() => session.submit(Op.read, question)));
      times.push(
        await timed(async () => {
          const reported = await desk.act(element, { do: "setValue", value: value(k) });
          if (typeof reported !== "number" || Math.abs(reported - value(k)) > 1) {
            throw new Error(`set ${value(k)}, read back ${reported}`);
          }
        }),
      );
    }
    const ms = median(times), unit = median(units);
    const strategy = `${(ms / unit).toFixed(1)} round trips of ${unit.toFixed(2)} ms`;
    return row({ app: `${what.app}:set-value`, nodes: 1, ms, calls: 5, strategy, samples: SETS });
  } finally {
    await session.close();
  }
}

async function applications(desk: Desktop, count: number): Promise<Application[]> {
  const deadline = Deadline.after(10_000);
  for (;;) {
    const all = (await desk.applications()).filter((a) => a.toolkit === "bench");
    if (all.length >= count) return all;
    if (deadline.passed) throw new Error(`${all.length} of ${count} scripted applications came`);
    await pause(20);
  }
}

/** From telling an application to emit an event to the waiter that wakes: its own time and that of the bus included. */
export async function eventToWaiter(): Promise<Row> {
  const desktop = await startPrivateDesktop({ windowManager: false });
  try {
    await using peer = await Scripted.join(desktop.accessibilityBus, "emitter", 20);
    const desk = await connectNative({
      kind: "isolated",
      label: "events",
      a11yBus: desktop.accessibilityBus,
      sessionBus: desktop.sessionBus,
    });
    try {
      const [application] = await applications(desk, 1);
      const watch = desk.watch(application);
      const ms = await medianOf(EVENTS, async () => {
        peer.tell("emit Object StateChanged focused 1 0 n0x3");
        const came = await watch.next({ timeout: 2_000 });
        if (came !== "event" || watch.take().length === 0) throw new Error(`waited, and it was ${came}`);
        await peer.heard();
      });
      watch.close();
      return row({ app: "event-to-waiter", nodes: 1, ms, calls: 0, strategy: "event", samples: EVENTS });
    } finally {
      await desk.close();
    }
  } finally {
    await desktop.stop();
  }
}

/**
 * What a held session costs while nobody waits: five applications of 2,000 elements each, mirrored, measured in a process
 * of its own. `ms` is processor time a second; memory and the share of a core stand in `strategy`.
 */
export async function idle(): Promise<Row> {
  const desktop = await startPrivateDesktop({ windowManager: false });
  const peers: Scripted[] = [];
  try {
    for (let k = 0; k < MIRRORED; k++) {
      peers.push(await Scripted.join(desktop.accessibilityBus, `app${k}`, ELEMENTS));
    }
    const holder = fileURLToPath(new URL("hold.ts", import.meta.url));
    const config = fileURLToPath(new URL("../../deno.json", import.meta.url));
    const args = ["run", "-A", "--config", config, holder, desktop.accessibilityBus, desktop.sessionBus];
    const child = spawn(process.execPath, [...args, String(MIRRORED)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let out = "";
    child.stdout.on("data", (chunk) => out += chunk);
    const [code] = await once(child, "close");
    if (code !== 0) throw new Error(`the process that holds a session ended with ${code}`);
    const { nodes, share, megabytes, source } = JSON.parse(out);
    const strategy = `${source}: ${Number(megabytes).toFixed(1)} MB, ${
      Number(share * 100).toFixed(2)
    } % of a core`;
    return row({ app: "held-session", nodes, ms: share * 1000, calls: 0, strategy, samples: 1 });
  } finally {
    for (const peer of peers) await peer[Symbol.asyncDispose]();
    await desktop.stop();
  }
}
