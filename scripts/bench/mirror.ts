import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Deadline, pause } from "../../src/base/call.ts";
import type { Application, Desktop } from "../../src/desktop/desktop.ts";
import { Locator } from "../../src/desktop/locator/mod.ts";
import { connectNative } from "../../src/desktop/native/connect.ts";
import type { Snapshot } from "../../src/desktop/snapshot.ts";
import { startPrivateDesktop } from "../../src/session/private-desktop.ts";
import { type Program, startConnected } from "./place.ts";
import { median, round, type Row, row } from "./row.ts";
import { Scripted } from "./scripted.ts";

const FINDS = 400;
const CHANGES = 9;
const ELEMENTS = 10_000;

/** The value below which such a share of the numbers lies. */
function percentile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

/** A row of the table with the percentiles that a median does not show. */
export interface MirrorRow extends Row {
  readonly p95_ms: number;
}

function mirrorRow(app: string, times: readonly number[], snapshot: Snapshot, strategy: string): MirrorRow {
  const ms = median(times), { calls } = snapshot.origin;
  const measured = { app, nodes: snapshot.size, ms, calls, strategy, samples: times.length };
  return { ...row(measured), ms: Math.round(ms * 1000) / 1000, p95_ms: round(percentile(times, 0.95)) };
}

/** `find` by selector, the mirror warm, the element read afresh each time. */
async function finds(desktop: Desktop, application: Application, app: string, selector: string) {
  const locator = new Locator(desktop, { application, selector });
  const times: number[] = [];
  let warm = await locator.resolve();
  for (let left = FINDS + 20; left > 0; left--) {
    const began = performance.now();
    warm = await locator.resolve();
    if (left <= FINDS) times.push(performance.now() - began);
  }
  const strategy = warm.snapshot.origin.source === "mirror" ? "mirror, verified" : "application";
  return mirrorRow(`${app}:find`, times, warm.snapshot, strategy);
}

/** The whole tree after one change that an event told of. */
async function changes(
  desktop: Desktop,
  application: Application,
  app: string,
  change: (k: number) => Promise<unknown>,
) {
  const times: number[] = [];
  const take = () => desktop.snapshot(application, { source: "held", fields: ["id"], timeout: 60_000 });
  let last = await take();
  for (let k = 0; k < CHANGES; k++) {
    const before = last.origin.mirror?.generation;
    const watch = desktop.watch(application);
    try {
      await change(k);
      await watch.next({ timeout: 2_000 });
    } finally {
      watch.close();
    }
    const began = performance.now();
    last = await take();
    const took = performance.now() - began;
    // What does not show in the tree was no change.
    if (last.origin.mirror === undefined || last.origin.mirror.generation !== before) times.push(took);
  }
  return mirrorRow(`${app}:one-change`, times, last, last.origin.source);
}

/** On a scripted application of 10,000 elements, reached over the bus and, as GTK 3 and Chromium are, directly. */
export async function mirrorOfScripted(): Promise<MirrorRow[]> {
  const place = await startPrivateDesktop();
  const sockets = mkdtempSync(join(tmpdir(), "backstep-bench-"));
  try {
    const { accessibilityBus, sessionBus } = place;
    const desktop = await connectNative({
      kind: "isolated",
      label: "scripted",
      a11yBus: accessibilityBus,
      sessionBus,
    });
    try {
      const app = `scripted-${ELEMENTS}`;
      const selector = 'panel[name="Group 400"] button[name="Button 7"]';
      const rows: MirrorRow[] = [];
      {
        await using peer = await Scripted.join(accessibilityBus, "scripted", ELEMENTS);
        const application = await appear(desktop, peer.pid);
        rows.push(await finds(desktop, application, `${app}:over-the-bus`, selector));
        rows.push(
          await changes(desktop, application, app, async (k) => {
            await peer.say(`node n3x5 - name="Changed ${k}"`);
            await peer.say("emit Object PropertyChange accessible-name 0 0 n3x5 x");
          }),
        );
      }
      await using peer = await Scripted.join(accessibilityBus, "direct", ELEMENTS, join(sockets, "straight"));
      rows.unshift(await finds(desktop, await appear(desktop, peer.pid), app, selector));
      return rows;
    } finally {
      await desktop.close();
    }
  } finally {
    rmSync(sockets, { recursive: true });
    await place.stop();
  }
}

/** On a page in Chromium. */
export async function mirrorOfPage(what: Program): Promise<MirrorRow[]> {
  await using place = await startConnected(what);
  const { desk, application } = place;
  const last = 17 * Math.floor(((what.page ?? 0) - 1) / 17);
  const box = new Locator(desk, { application, selector: `checkbox[name="Check ${last}"]` });
  return [
    await finds(desk, application, what.app, `button[name="Button ${last}"]`),
    await changes(desk, application, what.app, async () => {
      const { element } = await box.resolve();
      const { actions } = await desk.read(element);
      await desk.act(element, { do: "action", name: actions[0] ?? "" });
    }),
  ];
}

async function appear(desktop: Desktop, pid: number): Promise<Application> {
  const deadline = Deadline.after(5_000);
  for (;;) {
    const application = (await desktop.applications()).find((a) => a.pid === pid);
    if (application) return application;
    if (deadline.passed) throw new Error(`process ${pid} did not come to the accessibility bus`);
    await pause(50);
  }
}
