import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { catalogue } from "../../src/catalogue.ts";
import type { RunEvent, RunResult } from "../../src/contract/events.ts";
import type { Change, LogEntry } from "../../src/desktop/simulated/log.ts";
import { runWorkflow } from "../../src/engine/run/run.ts";
import { readJournal, runFolder } from "../../src/engine/journal/journal.ts";
import type { JournalRecord } from "../../src/engine/journal/records/mod.ts";
import { SimulatedLauncher } from "../../src/session/simulated-launcher.ts";
import { parseWorkflow } from "../../src/workflow/parse.ts";
import { fileOf, type Story } from "./story.ts";
import { inVirtualTime } from "./virtual-time.ts";
import { ACTIONS, overheard, TrueDesktop, type Truth } from "./watched.ts";

/** A moment of a history: so much of the world's log had been written, and this was true. */
export interface Moment {
  readonly at: number;
  readonly truth: Truth;
}

/** An event with the moment at which it was told. */
export interface Reported extends Moment {
  readonly event: RunEvent;
  readonly carets: Truth;
  /** The keys of which the last read did not tell the truth, or the next would not. */
  readonly lies: ReadonlySet<string>;
  /** How long the log was when each thing was looked at last. */
  readonly looked: ReadonlyMap<string, number>;
}

/** A call that may have changed the world. */
export interface Call {
  readonly call: string;
  /** How long the log was before it. */
  readonly at: number;
  /** Bytes of the journal that stood before it. */
  readonly journal: number;
  /** Path of the step that made it; undefined: the rollback itself. */
  readonly path: string | undefined;
}

/** A line of the journal with where it begins. */
export interface Line {
  readonly from: number;
  readonly entry: JournalRecord;
}

/** Everything that is known of one history. */
export interface History {
  readonly story: Story;
  readonly result: RunResult | undefined;
  /** What the run threw, which it must not. */
  readonly thrown: unknown;
  readonly reported: readonly Reported[];
  readonly calls: readonly Call[];
  readonly log: readonly (LogEntry & { readonly changes: readonly Change[] })[];
  readonly journal: readonly Line[];
  /** The interrupts that came. */
  readonly interrupted: boolean;
  readonly stoppedHard: boolean;
  /** What an application did may be written down after the step that had it do it: a real one acts when it comes to it. */
  readonly late?: true;
}

/** A folder in memory for journals, and what removes it. */
export function memoryFolder(): { readonly path: string; remove(): void } {
  const root = statSync("/dev/shm", { throwIfNoEntry: false })?.isDirectory() ? "/dev/shm" : "/tmp";
  const path = mkdtempSync(join(root, "backstep-histories-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Waiting costs looks, and looks are all that a history costs: what is refused after a second is refused after ten. */
const BUDGETS = { resolve: 600, act: 3_000, settle: 500, check: 600, flow: 60_000, rollback: 10_000 };

/** Lets a story happen on a simulated desktop. */
export async function live(story: Story, folder: string): Promise<History> {
  const desktop = new TrueDesktop(story.faults);
  const state = mkdtempSync(join(folder, "h"));
  const journalFile = join(runFolder(state, "run"), "journal.jsonl");
  const soft = new AbortController();
  const hard = new AbortController();
  const reported: Reported[] = [];
  const calls: Call[] = [];
  const looked = new Map<string, number>();
  /** Of which the last read did not tell the truth. */
  const misread = new Set<string>();
  let path: string | undefined;
  let count = 0;
  const { interrupt } = story;
  const session = overheard(desktop, {
    before(call, args) {
      count++;
      if (count === interrupt?.at) soft.abort();
      if (interrupt?.hardAfter !== undefined && count === interrupt.at + interrupt.hardAfter) hard.abort();
      if (ACTIONS.has(call)) {
        calls.push({ call, at: desktop.log.entries.length, journal: statSync(journalFile).size, path });
      } else if (call === "read") {
        const [element] = args;
        const key = isElement(element) ? desktop.keyOf(element) : undefined;
        if (key === undefined) return;
        looked.set(key, desktop.log.entries.length);
        if (desktop.lies(key)) misread.add(key);
        else misread.delete(key);
      } else looked.set(call, desktop.log.entries.length);
    },
  });
  const listener = (event: RunEvent) => {
    if (event.event === "step-started") path = event.path;
    if (event.event === "step-finished" || event.event === "rollback-started") path = undefined;
    const { truth, lies } = seen(desktop, misread);
    reported.push({
      event,
      at: desktop.log.entries.length,
      truth,
      carets: MARKS.has(event.event) ? desktop.carets() : new Map(),
      lies,
      looked: MARKS.has(event.event) ? new Map(looked) : new Map(),
    });
  };
  let result: RunResult | undefined;
  let thrown: unknown;
  try {
    await inVirtualTime(desktop, async () => {
      const workflow = parseWorkflow(fileOf(story), { file: "history.yaml", operations: catalogue });
      result = await runWorkflow(workflow, {
        operations: catalogue,
        session: {
          kind: "simulated",
          label: "simulated",
          desktop: session,
          launcher: new SimulatedLauncher(desktop),
          home: undefined,
          id: undefined,
          close: () => Promise.resolve(),
        },
        vars: {},
        surroundings: { env: () => undefined, secret: () => undefined },
        folder,
        state,
        budgets: BUDGETS,
        run: "run",
        signal: soft.signal,
        hardStop: hard.signal,
        listener,
      });
    });
  } catch (error) {
    thrown = error;
  }
  const journal = linesOf(runFolder(state, "run"), journalFile);
  rmSync(state, { recursive: true, force: true });
  await desktop.close();
  return {
    story,
    result,
    thrown,
    reported,
    calls,
    log: desktop.log.entries,
    journal,
    interrupted: soft.signal.aborted,
    stoppedHard: hard.signal.aborted,
  };
}

/** Events at which it matters where carets are and what was looked at. */
const MARKS: ReadonlySet<string> = new Set([
  "run-started",
  "transaction-started",
  "savepoint",
  "rollback-started",
  "rollback-step",
  "rollback-finished",
]);

function seen(
  desktop: TrueDesktop,
  misread: ReadonlySet<string>,
): { readonly truth: Truth; readonly lies: ReadonlySet<string> } {
  const truth = desktop.truth();
  return { truth, lies: new Set([...truth.keys()].filter((key) => desktop.lies(key) || misread.has(key))) };
}

function isElement(value: unknown): value is Parameters<TrueDesktop["keyOf"]>[0] {
  return typeof value === "object" && value !== null && "path" in value && "bus" in value;
}

/** The lines of a journal. */
export function linesOf(folder: string, file: string): Line[] {
  if (!existsSync(file)) return [];
  const entries = readJournal(folder);
  let from = 0;
  return readFileSync(file, "utf8").split("\n").slice(0, -1).map((text, index) => {
    const begins = from;
    from += new TextEncoder().encode(text).length + 1;
    const entry = entries[index];
    if (!entry) throw new Error(`line ${index + 1} of the journal is not read back`);
    return { from: begins, entry };
  });
}
