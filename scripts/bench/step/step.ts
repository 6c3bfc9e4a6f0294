import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Deadline, pause } from "../../../src/base/call.ts";
import { isMap } from "../../../src/base/json.ts";
import { catalogue } from "../../../src/catalogue.ts";
import type { RunEvent, StepResult } from "../../../src/contract/events.ts";
import type { Step, Workflow } from "../../../src/engine/model/step.ts";
import { runWorkflow } from "../../../src/engine/run/run.ts";
import { type NativeSession, openNative } from "../../../src/session/open-native.ts";
import { loadWorkflow } from "../../../src/workflow/load.ts";
import { parseWorkflow } from "../../../src/workflow/parse.ts";
import { resolveVariables } from "../../../src/workflow/values.ts";
import { median, round } from "../row.ts";
import { type Cost, Counter } from "./count.ts";
import { type Missing, type Peer, type PeerRound, playwright, pyatspi } from "./peer.ts";
import type { StepProgram } from "./programs.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Times that each act is measured. */
export const ROUNDS = 5;
/** Milliseconds for Chromium to say at which port it listens. */
const LISTENS = 10_000;
/** A peer whose round takes longer than this, in milliseconds, is not asked for another one. */
const SLOW = 15_000;
/** Milliseconds between two rounds. */
const REST = 300;

/** An act, or something else that takes part in a transaction. */
export interface StepRow {
  readonly app: string;
  /** "act"; "look": a step that only reads; "engine": what a transaction adds; "all": the median of an application's acts. */
  readonly kind: "act" | "look" | "engine" | "all";
  readonly what: string;
  /** How it was done, as its result says. */
  readonly method: string | null;
  /** Medians of the rounds. */
  readonly ms: number;
  readonly calls: number;
  readonly trees: number;
  readonly nodes: number;
  readonly waits: number;
  readonly waited_ms: number;
  readonly own_ms: number;
  /** Calls by operation, of the last round. */
  readonly ops: Readonly<Record<string, number>>;
  readonly peer: string | null;
  readonly peer_ms: number | null;
  /** Our time by the peer's. */
  readonly ratio: number | null;
  /** The peer's time where it searches no further than the element and reads back what it holds. */
  readonly lean_ms: number | null;
  /** Why the peer has none. */
  readonly peer_cannot?: string;
  /** Rounds; of a median over acts: the acts. */
  readonly samples: number;
  readonly peer_samples: number;
}

/** A stretch of one round. */
interface Stretch {
  readonly kind: "act" | "look" | "engine";
  readonly what: string;
  readonly method: string | null;
  readonly cost: Cost;
}

/** What was measured, and what could not be. */
export interface StepResults {
  readonly rows: readonly StepRow[];
  readonly notes: readonly string[];
}

/**
 * The acts of a workflow on one application, in a transaction that is rolled back, by turns with a peer that does the same:
 * each once without being measured, then `rounds` times.
 */
export async function stepsOf(
  program: StepProgram,
  rounds = ROUNDS,
  { trace = false }: { readonly trace?: boolean } = {},
): Promise<StepResults> {
  const state = mkdtempSync(join(tmpdir(), "bs-bench-step-"));
  const session = await openNative({ kind: "isolated", state });
  const notes: string[] = [];
  let peer: Peer | undefined;
  try {
    const workflow = load(program);
    const launched = await session.launcher.launch(program.launch, {
      args: program.args?.map(inProject) ?? [],
    });
    const stage = new Stage(session, state);
    await stage.prepare(workflow, workflow.before.slice(1));
    const found = await peerOf(program, session, launched.processId);
    if ("missing" in found) {
      notes.push(`${program.app}: skipped ${found.name}, which is not here: ${found.missing}`);
    } else peer = found;
    using counter = await Counter.start({ trace });
    const ours: Stretch[][] = [], theirs: PeerRound[] = [], lean: PeerRound[] = [];
    const reset = () => program.reset === undefined ? undefined : stage.reset(workflow, program.reset);
    for (let round = 0; round <= rounds; round++) {
      await stage.rest();
      const stretches = await stage.measure(workflow, counter);
      await reset();
      const other = isSlow(theirs) ? undefined : await peer?.round();
      if (other) await reset();
      const leanest = await peer?.lean?.();
      if (leanest) await reset();
      if (other && (round > 0 || isSlow([other]))) theirs.push(other);
      // The first round fills what either side keeps.
      if (round === 0) continue;
      ours.push(stretches);
      if (leanest) lean.push(leanest);
    }
    if (trace) notes.push(...(ours.at(-1) ?? []).flatMap(traceOf));
    return { rows: rowsOf(program.app, ours, { name: peer?.name ?? null, rounds: theirs, lean }), notes };
  } finally {
    await peer?.close();
    await session.close();
    rmSync(state, { recursive: true, force: true });
  }
}

function traceOf({ what, cost }: Stretch): string[] {
  return [`  ${what}: ${cost.ms.toFixed(1)} ms, ${cost.calls} calls`, ...cost.trace];
}

function isSlow(rounds: readonly PeerRound[]): boolean {
  const last = rounds.at(-1)?.acts ?? [];
  return last.reduce((sum, one) => sum + ("ms" in one ? one.ms : 0), 0) > SLOW;
}

/** Paths in arguments begin in the project's folder. */
function inProject(argument: string): string {
  return existsSync(join(ROOT, argument)) ? join(ROOT, argument) : argument;
}

function load({ workflow, steps }: StepProgram): Workflow {
  const whole = loadWorkflow(join(ROOT, workflow), { operations: catalogue });
  return { ...whole, steps: whole.steps.slice(0, steps) };
}

async function peerOf(
  { peer, app }: StepProgram,
  session: NativeSession,
  pid: number,
): Promise<Peer | Missing> {
  if (peer !== "playwright") return await pyatspi(pid, peer, session.environment);
  const file = join(session.home ?? "", ".config/chromium/DevToolsActivePort");
  const deadline = Deadline.after(LISTENS);
  while (!existsSync(file)) {
    if (deadline.passed) throw new Error(`${app} does not say where it listens`);
    await pause(50);
  }
  return await playwright(Number(readFileSync(file, "utf8").split("\n")[0]), session.environment);
}

/** An application on a desktop, on which workflows run. */
class Stage {
  readonly #session: NativeSession;
  readonly #state: string;

  constructor(session: NativeSession, state: string) {
    this.#session = session;
    this.#state = state;
  }

  /** Runs steps of the file once. */
  async prepare(workflow: Workflow, steps: readonly Step[]): Promise<void> {
    const { expect: _, ...rest } = workflow;
    const result = await this.#run({ ...rest, before: [], steps, after: [] });
    if (result.status !== "passed") throw new Error(`${workflow.file}: ${result.error?.message}`);
  }

  /** Lets the application come to rest, which no event tells of one that is animated, and the mirror become current. */
  async rest(): Promise<void> {
    await pause(REST);
    const { desktop } = this.#session;
    for (const application of await desktop.applications()) {
      await desktop.snapshot(application, { source: "held" });
    }
  }

  /** Runs the text of steps. */
  reset(workflow: Workflow, text: string): Promise<void> {
    const { steps } = parseWorkflow(`name: between\napp: ${workflow.app}\nsteps:\n  ${text}\n`, {
      file: "between.yaml",
      operations: catalogue,
    });
    return this.prepare(workflow, steps);
  }

  /** One round: what each step cost, and what the transaction around them did. */
  async measure(workflow: Workflow, counter: Counter): Promise<Stretch[]> {
    const stretches: Stretch[] = [];
    const open = new Map<string, () => Cost>();
    const end = (key: string, of: Omit<Stretch, "cost">) => {
      const cost = open.get(key)?.();
      open.delete(key);
      if (cost) stretches.push({ ...of, cost });
    };
    const engine = (key: string, what: string) => end(key, { kind: "engine", what, method: null });
    const result = await this.#run({ ...workflow, before: [], after: [] }, (event) => {
      if (event.event === "transaction-started") open.set("savepoint", counter.begin());
      if (event.event === "step-started" && event.operation !== "transaction") {
        engine("savepoint", "savepoint");
        open.set(event.path, counter.begin());
      }
      if (event.event === "step-finished") end(event.step.path, stretchOf(event.step));
      if (event.event === "rollback-started") open.set("rollback", counter.begin());
      if (event.event === "rollback-finished") engine("rollback", "rollback");
    });
    if (result.expected === false || (workflow.expect === undefined && result.status !== "passed")) {
      const not = [
        ...result.rollback.steps.filter(({ verdict }) => verdict !== "restored" && verdict !== "already"),
        ...result.rollback.drift,
      ];
      throw new Error(
        `${workflow.file} did not end as it says: ${result.error?.message}, ${result.rollback.verdict}: ${
          JSON.stringify(not)
        }`,
      );
    }
    return stretches;
  }

  #run(workflow: Workflow, listener: (event: RunEvent) => void = () => {}) {
    return runWorkflow(workflow, {
      operations: catalogue,
      session: this.#session,
      vars: resolveVariables(workflow),
      surroundings: { env: () => undefined, secret: () => undefined },
      folder: ROOT,
      state: this.#state,
      listener,
    });
  }
}

function stretchOf({ effect, name, output }: StepResult): Omit<Stretch, "cost"> {
  const method = isMap(output) ? output["method"] : undefined;
  return {
    kind: effect === "read" ? "look" : "act",
    what: name,
    method: typeof method === "string" ? method : null,
  };
}

/** All rounds of a peer. */
interface Theirs {
  readonly name: string | null;
  readonly rounds: readonly PeerRound[];
  readonly lean: readonly PeerRound[];
}

function rowsOf(
  app: string,
  ours: readonly (readonly Stretch[])[],
  peer: Theirs,
): StepRow[] {
  const rows: StepRow[] = [];
  let act = 0;
  for (const [k, first] of (ours[0] ?? []).entries()) {
    const costs = ours.flatMap((round) => round[k]?.cost ?? []);
    const of = (one: (cost: Cost) => number) => round(median(costs.map(one)));
    const [theirs, lean] = first.kind === "act"
      ? [peerAct(peer.rounds, act), peerAct(peer.lean, act)]
      : [{}, {}];
    if (first.kind === "act") act++;
    const ms = of((cost) => cost.ms);
    rows.push({
      app,
      kind: first.kind,
      what: first.what,
      method: first.method,
      ms,
      calls: of((cost) => cost.calls),
      trees: of((cost) => cost.trees),
      nodes: of((cost) => cost.nodes),
      waits: of((cost) => cost.waits),
      waited_ms: of((cost) => cost.waited_ms),
      own_ms: of((cost) => cost.own_ms),
      ops: costs.at(-1)?.ops ?? {},
      peer: peer.name,
      peer_ms: theirs.ms === undefined ? null : round(theirs.ms),
      ratio: theirs.ms === undefined ? null : round(ms / theirs.ms),
      lean_ms: lean.ms === undefined ? null : round(lean.ms),
      peer_samples: peer.rounds.length,
      ...(theirs.cannot === undefined ? {} : { peer_cannot: theirs.cannot }),
      samples: costs.length,
    });
  }
  return [...rows, allOf(app, peer.name, rows.filter(({ kind }) => kind === "act"))];
}

function peerAct(
  rounds: readonly PeerRound[],
  k: number,
): { readonly ms?: number; readonly cannot?: string } {
  const times = rounds.flatMap(({ acts }) => acts[k] ?? []);
  const [first] = times;
  if (first === undefined) return {};
  if ("cannot" in first) return { cannot: first.cannot };
  return { ms: median(times.flatMap((one) => "ms" in one ? [one.ms] : [])) };
}

/** The medians of an application's acts. The ratio is of the medians of those acts that both did. */
function allOf(app: string, peer: string | null, acts: readonly StepRow[]): StepRow {
  const of = (one: (row: StepRow) => number) => round(median(acts.map(one)));
  const both = acts.flatMap(({ ms, peer_ms }) => peer_ms === null ? [] : [{ ms, peer_ms }]);
  const peer_ms = both.length === 0 ? null : round(median(both.map((one) => one.peer_ms)));
  const lean = acts.flatMap(({ lean_ms }) => lean_ms ?? []);
  return {
    app,
    kind: "all",
    what: "median act",
    method: null,
    ms: of(({ ms }) => ms),
    calls: of(({ calls }) => calls),
    trees: of(({ trees }) => trees),
    nodes: of(({ nodes }) => nodes),
    waits: of(({ waits }) => waits),
    waited_ms: of(({ waited_ms }) => waited_ms),
    own_ms: of(({ own_ms }) => own_ms),
    ops: {},
    peer,
    peer_ms,
    ratio: peer_ms === null ? null : round(median(both.map(({ ms }) => ms)) / peer_ms),
    lean_ms: lean.length === 0 ? null : round(median(lean)),
    peer_samples: both.length,
    samples: acts.length,
  };
}

/** The rows for people. */
export function stepTable(rows: readonly StepRow[]): string {
  const cell = (value: number | null, digits: number) => value === null ? "" : value.toFixed(digits);
  const lines = [
    [
      "app",
      "what",
      "method",
      "ms",
      "calls",
      "trees",
      "nodes",
      "waits",
      "waited",
      "own",
      "peer",
      "peer ms",
      "ratio",
      "lean ms",
    ],
    ...rows.map((r) => [
      r.app,
      r.kind === "act" ? r.what.slice(0, 44) : `(${r.what.slice(0, 42)})`,
      r.method ?? "",
      cell(r.ms, 1),
      cell(r.calls, 0),
      cell(r.trees, 0),
      cell(r.nodes, 0),
      cell(r.waits, 0),
      cell(r.waited_ms, 0),
      cell(r.own_ms, 1),
      r.peer_cannot === undefined ? r.peer ?? "" : `${r.peer} cannot`,
      cell(r.peer_ms, 1),
      r.ratio === null ? "" : `${r.ratio.toFixed(2)}x`,
      cell(r.lean_ms, 1),
    ]),
  ];
  const widths = (lines[0] ?? []).map((_, k) => Math.max(...lines.map((line) => line[k]?.length ?? 0)));
  const cannot = rows.flatMap(({ app, peer, peer_cannot }) =>
    peer_cannot === undefined ? [] : [`${app}: ${peer} cannot: ${peer_cannot}`]
  );
  return [
    ...lines.map((line) => line.map((one, k) => one.padEnd(widths[k] ?? 0)).join("  ").trimEnd()),
    ...new Set(cannot),
  ].join("\n");
}
