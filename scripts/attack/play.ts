import { mkdtempSync, rmSync } from "node:fs";
import { pause } from "../../src/base/call.ts";
import { catalogue } from "../../src/catalogue.ts";
import type { RunEvent, RunResult } from "../../src/contract/events.ts";
import { readSelector, strategies } from "../../src/desktop/selector/mod.ts";
import { readJournal, runFolder } from "../../src/engine/journal/journal.ts";
import { runWorkflow } from "../../src/engine/run/run.ts";
import type { Session } from "../../src/session/session.ts";
import { parseWorkflow } from "../../src/workflow/parse.ts";
import type { Account } from "./account.ts";
import type { Application } from "./application.ts";
import { fileOf, type Plan } from "./plan.ts";
import { toolkitOf } from "./toolkits.ts";
import { type Call, observed } from "./observer.ts";

/** An event of a run, and when it was told. */
export interface Reported {
  readonly event: RunEvent;
  readonly at: number;
}

/** Everything that is known of one play. */
export interface Played {
  readonly plan: Plan;
  readonly result: RunResult | undefined;
  /** What the run threw, which it must not. */
  readonly thrown: unknown;
  readonly reported: readonly Reported[];
  readonly calls: readonly Call[];
  readonly account: Account;
  /** The kind of the journal's last line. */
  readonly lastLine: string;
  readonly milliseconds: number;
  /** Milliseconds by which the accessibility tree may lag behind. */
  readonly lag: number;
}

/** What each part of a play may take, in milliseconds. */
const BUDGETS = {
  resolve: 1_200,
  act: 2_500,
  settle: 800,
  check: 800,
  flow: 20_000,
  rollback: 12_000,
  after: 2_000,
};
/** After the parts of a run there is little left to do. */
export const DEADLINE = BUDGETS.flow + BUDGETS.rollback + BUDGETS.after + 5_000;

/** What comes of a change is there within this, in milliseconds: no trait takes longer. */
const COMES = 950;

/** Plays a plan: the application misbehaves by it while the engine runs its workflow. */
export async function play(
  plan: Plan,
  { session, application, folder }: {
    readonly session: Session;
    readonly application: Application;
    readonly folder: string;
  },
): Promise<Played> {
  const state = mkdtempSync(`${folder}/play-`);
  const reported: Reported[] = [];
  const calls: Call[] = [];
  const deny = plan.traits.find((one) => one.trait === "deny");
  const desktop = observed(session.desktop, calls, deny?.at);
  const { kind, label, launcher, home } = session;
  try {
    await application.begin(plan.traits);
    const began = performance.now();
    let result: RunResult | undefined;
    let thrown: unknown;
    try {
      const workflow = parseWorkflow(fileOf(plan), {
        file: "attack.yaml",
        operations: catalogue,
        checkSelector: (text, strategy) => {
          readSelector(text, strategies.find((one) => one === strategy));
        },
      });
      result = await runWorkflow(workflow, {
        operations: catalogue,
        session: { kind, label, desktop, launcher, home, id: undefined, close: () => Promise.resolve() },
        vars: {},
        surroundings: { env: () => undefined, secret: () => undefined },
        folder: state,
        state,
        budgets: BUDGETS,
        run: "run",
        listener: (event) => reported.push({ event, at: performance.now() }),
      });
    } catch (error) {
      thrown = error;
    }
    const finished = performance.now();
    // What our last call set off may be on its way.
    const last = Math.max(
      began,
      ...calls.filter(({ call }) => call !== "read" && call !== "snapshot").map(({ to }) => to),
    );
    if (plan.traits.some((one) => "ms" in one)) await pause(Math.max(0, last + COMES - finished));
    const account = await application.end();
    return {
      plan,
      result,
      thrown,
      reported,
      calls,
      account,
      lastLine: readJournal(runFolder(state, "run")).at(-1)?.kind ?? "",
      milliseconds: finished - began,
      lag: toolkitOf(plan.toolkit).lag,
    };
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}
