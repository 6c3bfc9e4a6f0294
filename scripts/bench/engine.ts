import { closeSync, fsyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "../../src/base/error.ts";
import { catalogue } from "../../src/catalogue.ts";
import { type Act, Gate } from "../../src/contract/gate.ts";
import { simulate } from "../../src/desktop/simulated/simulate.ts";
import { runFolder } from "../../src/engine/journal/journal.ts";
import { runWith } from "../../src/engine/run/run.ts";
import { DISK, type Sink } from "../../src/engine/journal/sink.ts";
import type { Step, Workflow } from "../../src/engine/model/step.ts";
import { parseTemplate } from "../../src/engine/model/template.ts";
import { openSession } from "../../src/session/open-session.ts";
import type { Session } from "../../src/session/session.ts";
import { round } from "./row.ts";

/** Tries of each row, each in so many parts; the fastest part counts. */
const SAMPLES = 15;
const PARTS = 5;
/** Microseconds beyond the bare writes that a step may cost. */
export const PROMISED = 60;
const PLACE = { file: "bench.yaml", line: 1, column: 1 };

/** What one step costs, in microseconds. */
export interface EngineRow {
  readonly step: string;
  /** In a run: everything. */
  readonly engine_us: number;
  /** The same operation through the bare gate, with what it protects read before and after. */
  readonly operation_us: number;
  /** The same lines written, and synced where the engine syncs, and nothing else. */
  readonly journal_us: number;
  /** What the engine adds: the run without its own writes and fsyncs, timed in it, and without the operation. */
  readonly overhead_us: number;
  readonly steps: number;
  readonly samples: number;
}

interface Subject {
  readonly step: string;
  readonly operation: string;
  readonly input: (n: number) => Json;
  readonly steps: number;
  readonly irreversible?: true;
  readonly inTransaction?: true;
}

const SUBJECTS: readonly Subject[] = [
  { step: "read (clipboard)", operation: "clipboard", input: () => ({ action: "read" }), steps: 500 },
  {
    step: "restorable (clipboard)",
    operation: "clipboard",
    input: (n) => ({ action: "write", text: `text ${n}` }),
    steps: 500,
  },
  {
    step: "the same in a transaction",
    operation: "clipboard",
    input: (n) => ({ action: "write", text: `text ${n}` }),
    steps: 500,
    inTransaction: true,
  },
  {
    step: "irreversible (press), synced",
    operation: "press",
    input: () => ({ keys: "F5" }),
    steps: 200,
    irreversible: true,
  },
];

/** Every kind of step, measured beside what it does without the engine. */
export async function engine(): Promise<EngineRow[]> {
  const rows: EngineRow[] = [];
  for (const subject of SUBJECTS) rows.push(await measured(subject));
  return rows;
}

async function measured(subject: Subject): Promise<EngineRow> {
  const all: { engine: number; own: number; bare: number; journal: number }[] = [];
  // The first is not counted: what is compiled while it runs is compiled then.
  for (let i = 0; i <= SAMPLES; i++) {
    const { us, own, lines } = await throughEngine(subject);
    const { bare, journal } = await withoutEngine(subject, lines);
    // An fsync varies by more than the engine costs: what this very run waited for is taken from it.
    if (i > 0) all.push({ engine: us, own, bare, journal });
  }
  // Other work on the machine only ever adds: the fastest of each is nearest to what it costs.
  const fastest = (key: "engine" | "own" | "bare" | "journal") => Math.min(...all.map((one) => one[key]));
  const [own, bare] = [fastest("own"), fastest("bare")];
  return {
    step: subject.step,
    engine_us: round(fastest("engine")),
    operation_us: round(bare),
    journal_us: round(fastest("journal")),
    overhead_us: round(own - bare),
    steps: subject.steps,
    samples: SAMPLES,
  };
}

async function onDesktop<R>(action: (session: Session) => Promise<R>): Promise<R> {
  const desktop = simulate({ applications: ["sim.settings"], clock: "virtual" });
  const session = await openSession({ kind: "simulated", simulate: () => desktop });
  try {
    return await action(session);
  } finally {
    await session.close();
  }
}

interface Line {
  readonly bytes: Uint8Array;
  readonly synced: boolean;
}

/** Microseconds a step in a run, the same without its writing and syncing, and the lines that it wrote. */
async function throughEngine(subject: Subject): Promise<{ us: number; own: number; lines: Line[] }> {
  let writing = 0;
  const timed = <T>(action: () => T): T => {
    const began = performance.now();
    const reported = action();
    writing += performance.now() - began;
    return reported;
  };
  const sink: Sink = {
    write: (descriptor, bytes, from) => timed(() => DISK.write(descriptor, bytes, from)),
    sync: (descriptor) => timed(() => DISK.sync(descriptor)),
  };
  const state = mkdtempSync(join(tmpdir(), "backstep-bench-"));
  try {
    const steps = Array.from({ length: subject.steps }, (_, n): Step => ({
      kind: "operation",
      place: PLACE,
      operation: subject.operation,
      input: parseTemplate(subject.input(n), () => PLACE),
      ...(subject.irreversible ? { irreversible: true } : {}),
    }));
    const workflow: Workflow = {
      file: "bench.yaml",
      name: "bench",
      tags: [],
      app: "sim.settings",
      vars: {},
      secrets: [],
      files: [],
      onFailure: "rollback",
      before: [],
      after: [],
      steps: subject.inTransaction ? [{ kind: "transaction", place: PLACE, steps }] : steps,
    };
    return await onDesktop(async (session) => {
      const part = subject.steps / PARTS;
      const marks: { at: number; writing: number }[] = [];
      let finished = 0;
      const mark = () => marks.push({ at: performance.now(), writing });
      const result = await runWith(workflow, {
        sink,
        operations: catalogue,
        session,
        vars: {},
        surroundings: { env: () => undefined, secret: () => undefined },
        folder: ".",
        state,
        listener({ event }) {
          if (event === "step-started" && marks.length === 0) mark();
          if (event === "step-finished" && ++finished % part === 0) mark();
        },
      });
      if (result.status !== "passed") throw new Error(`${subject.step}: ${result.error?.message}`);
      const text = readFileSync(join(runFolder(state, result.run), "journal.jsonl"), "utf8");
      const lines = text.split("\n").slice(0, -1).filter((line) =>
        /"kind":"(intent|outcome|step)"/.test(line)
      )
        .map((line) => ({
          bytes: new TextEncoder().encode(`${line}\n`),
          synced: line.includes('"effect":"irreversible"') && line.includes('"kind":"intent"'),
        }));
      const aStep = (milliseconds: number) => milliseconds * 1_000 / part;
      const parts = marks.slice(1).map((now, i) => {
        const before = marks[i] ?? now;
        const us = aStep(now.at - before.at);
        return { us, own: us - aStep(now.writing - before.writing) };
      });
      return {
        us: Math.min(...parts.map(({ us }) => us)),
        own: Math.min(...parts.map(({ own }) => own)),
        lines,
      };
    });
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

/**
 * Microseconds a step of the same operation through the bare gate, with what it protects read before and after, and the very lines
 * of the engine's journal written at the same moments; and of those writes alone.
 */
async function withoutEngine(
  subject: Subject,
  lines: readonly Line[],
): Promise<{ bare: number; journal: number }> {
  const folder = mkdtempSync(join(tmpdir(), "backstep-bench-"));
  const descriptor = openSync(join(folder, "journal.jsonl"), "ax", 0o600);
  let [next, writing] = [0, 0];
  const write = () => {
    const line = lines[next++];
    if (!line) throw new Error(`${subject.step}: the journal has fewer lines than steps`);
    const began = performance.now();
    writeSync(descriptor, line.bytes);
    if (line.synced) fsyncSync(descriptor);
    writing += performance.now() - began;
  };
  try {
    return await onDesktop(async (session) => {
      const reported = async ({ resolved }: Act) => {
        if (resolved.effect === "read") return;
        for (const one of resolved.participants) await one.capture(session.desktop, { timeout: 2_000 });
        write();
      };
      const gate = new Gate({
        operations: catalogue,
        session,
        folder: ".",
        ports: { policy: [], journal: { intent: reported, outcome: reported }, audit: { record: () => {} } },
      });
      const part = subject.steps / PARTS;
      let [bare, journal] = [Infinity, Infinity];
      for (let n = 0; n < subject.steps;) {
        const began = performance.now();
        writing = 0;
        const end = n + part;
        for (; n < end; n++) {
          const call = { operation: subject.operation, input: subject.input(n) };
          await gate.dispatch(call, { app: "sim.settings", timeout: 60_000 });
          write();
        }
        const took = performance.now() - began;
        bare = Math.min(bare, (took - writing) * 1_000 / part);
        journal = Math.min(journal, writing * 1_000 / part);
      }
      if (next !== lines.length) throw new Error(`${subject.step}: the journal has more lines than steps`);
      return { bare, journal };
    });
  } finally {
    closeSync(descriptor);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The rows for people. */
export function engineTable(rows: readonly EngineRow[]): string {
  const head = ["engine", "operation", "journal", "overhead"];
  return [
    `${"step".padEnd(32)}${head.map((h) => h.padStart(11)).join("")}   us a step`,
    ...rows.map((r) =>
      `${r.step.padEnd(32)}${
        [r.engine_us, r.operation_us, r.journal_us, r.overhead_us].map((n) => n.toFixed(1).padStart(11)).join(
          "",
        )
      }${r.overhead_us <= PROMISED ? "" : `   over ${PROMISED}`}`
    ),
  ].join("\n");
}
