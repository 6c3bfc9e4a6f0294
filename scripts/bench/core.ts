import { matchesTree } from "../../src/checks/tree/match.ts";
import { treeOf } from "../../src/checks/tree/node.ts";
import { parseTree } from "../../src/checks/tree/parse.ts";
import { printTree } from "../../src/checks/tree/print.ts";
import { buildSnapshot, type NodeDescription } from "../../src/desktop/build.ts";
import type { Desktop, SnapshotField } from "../../src/desktop/desktop.ts";
import type { Snapshot } from "../../src/desktop/snapshot.ts";
import { match, parseSelector } from "../../src/desktop/selector/mod.ts";
import { Role } from "../../src/desktop/roles.ts";
import { Core } from "../../src/ffi/core.ts";
import { Op } from "../../src/ffi/op.ts";
import { Reply } from "../../src/ffi/reply.ts";
import { Request } from "../../src/ffi/request.ts";
import { type Program, start, startConnected } from "./place.ts";
import { runPeer } from "./peers.ts";
import { median, type Row, row } from "./row.ts";

const SAMPLES = 7;
const PLAIN: readonly SnapshotField[] = ["extents"];
const MORE: readonly SnapshotField[] = ["extents", "value", "actions"];

/** What a run may still spend; rows that are not promised are left out beyond. */
export interface Budget {
  left(): boolean;
}

async function timed<T>(what: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const began = performance.now();
  const result = await what();
  return { ms: performance.now() - began, result };
}

async function sampled(desk: Desktop, take: () => Promise<Snapshot>, app: string) {
  const times: number[] = [];
  let last: Snapshot | undefined;
  for (let i = 0; i < SAMPLES; i++) {
    const { ms, result } = await timed(take);
    times.push(ms);
    last = result;
  }
  if (!last) throw new Error(`nothing was measured on ${desk.label}`);
  const { calls, strategy } = last.origin;
  return { app, nodes: last.size, ms: median(times), calls, strategy, samples: SAMPLES };
}

/** The snapshots of one application beside its peers: the second and later ones, the first, and one with more fields. */
export async function snapshots(what: Program, budget: Budget): Promise<Row[]> {
  await using place = await startConnected(what);
  const { desk, application } = place;
  const take = (fields: readonly SnapshotField[]) => desk.snapshot(application, { fields, timeout: 60_000 });
  const first = await timed(() => take(PLAIN));
  const plain = await sampled(desk, () => take(PLAIN), what.app);
  const more = await sampled(desk, () => take(MORE), `${what.app}:value-and-actions`);
  await using alone = what.bridge ? await start(what) : undefined;
  const { pid, environment } = alone ?? place;
  const pyatspi = await runPeer("pyatspi", pid, environment);
  const libatspi = await runPeer("libatspi", pid, environment);
  const { calls, strategy } = first.result.origin;
  const cold = {
    app: `${what.app}:first`,
    nodes: first.result.size,
    ms: first.ms,
    calls,
    strategy,
    samples: 1,
  };
  const rows = [row(plain, { pyatspi, libatspi }), row(cold, { pyatspi, libatspi })];
  const peers = budget.left() ? { pyatspi: await runPeer("pyatspi", pid, environment, ["actions"]) } : {};
  rows.push(row(more, peers));
  return rows;
}

/** Sessions that each look for the first push button. */
const COLD = 5;

/** The first push button, looked for by sessions that know nothing of the application: asked, answered. */
export async function findRole(what: Program): Promise<Row> {
  await using place = await startConnected(what);
  const times: number[] = [];
  let calls = 0;
  for (let k = 0; k < COLD; k++) {
    const session = (await Core.open()).session();
    try {
      const { a11yBus, sessionBus } = place.addresses;
      await session.submit(Op.connect, new Request().str(a11yBus).str(sessionBus).str("").bytes());
      const request = new Request().str(place.application.bus).str("").u32(1).u32(Role.pushButton).bytes();
      const { ms, result } = await timed(() => session.submit(Op.findRole, request));
      times.push(ms);
      const reply = new Reply(result);
      reply.str();
      const path = reply.str();
      calls = reply.u32();
      if (path === "") throw new Error(`${what.app} has no push button`);
    } finally {
      await session.close();
    }
  }
  const ms = median(times);
  return row({ app: `${what.app}:first-push-button`, nodes: 1, ms, calls, strategy: "find", samples: COLD });
}

/** A window of 10,000 nodes. */
function madeTree(): Snapshot {
  const children: NodeDescription[] = [];
  for (let i = 0; i < 999; i++) {
    const items = Array.from(
      { length: 9 },
      (_, k): NodeDescription => ({ role: "pushButton", name: `Button ${i} ${k}` }),
    );
    children.push({ role: "panel", name: `Panel ${i}`, children: items });
  }
  const application = { bus: ":1.1", name: "made", pid: 1, toolkit: "", toolkitVersion: "" };
  return buildSnapshot({ role: "frame", name: "Window", children }, application);
}

/** The notation of trees on 10,000 nodes: ten lines, and all of them; the tree that it is about is made each time. */
export function treeMatch(): Row[] {
  const snapshot = madeTree();
  const whole = printTree(treeOf(snapshot)).split("\n");
  const few = [whole[0] ?? "", ...whole.filter((line) => / (Panel|Button) 99[0-4]( 3)?"/.test(line))].join(
    "\n",
  );
  return ([["10 lines", few], ["4,000 lines", whole.slice(0, 4_000).join("\n")]] as const).map(
    ([lines, text]) => {
      const times: number[] = [];
      for (let i = 0; i < 15; i++) {
        const began = performance.now();
        if (!matchesTree(parseTree(text), treeOf(snapshot))) throw new Error("the tree matched otherwise");
        times.push(performance.now() - began);
      }
      const strategy = `${lines} of notation`;
      return row({
        app: "tree-10000",
        nodes: snapshot.size,
        ms: median(times),
        calls: 0,
        strategy,
        samples: 15,
      });
    },
  );
}

/** One selector on the columns of 10,000 nodes: compiled, matched, 50 times. */
export function selectorMatch(): Row {
  const tree = madeTree();
  const selector = parseSelector('button[name="Button 998 3"]');
  const times: number[] = [];
  for (let i = 0; i < 50; i++) {
    const began = performance.now();
    if (match(selector, tree).length !== 1) throw new Error("the selector matched otherwise");
    times.push(performance.now() - began);
  }
  return row({
    app: "selector-10000",
    nodes: tree.size,
    ms: median(times),
    calls: 0,
    strategy: "match",
    samples: 50,
  });
}
