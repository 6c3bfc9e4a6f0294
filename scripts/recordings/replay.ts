import { Deadline, pause } from "../../src/base/call.ts";
import { catalogue } from "../../src/catalogue.ts";
import type { RunResult } from "../../src/contract/events.ts";
import { runWorkflow } from "../../src/engine/run/run.ts";
import { parseWorkflow } from "../../src/workflow/parse.ts";
import { resolveVariables } from "../../src/workflow/values.ts";
import type { ToolkitName } from "../action-names/stage.ts";
import { PASSWORD } from "./acts.ts";
import { type Line, RecordStage } from "./stage.ts";

/** A recorded file that ran on a fresh fixture. */
export interface Replayed {
  readonly result: RunResult;
  /** What the application wrote, and what it wrote while it was recorded: see `outcomeOf`. */
  readonly outcome: readonly string[];
  readonly wanted: readonly string[];
  readonly same: boolean;
}

/** Milliseconds that the application gets to do and write the last of it, and between two looks. */
const WRITES = 3_000;
const LOOK = 20;

/** Runs a recorded file on a fresh fixture of its toolkit, as `backstep run` does. */
export async function replay(
  toolkit: ToolkitName,
  yaml: string,
  recorded: readonly Line[],
  /** Where the windows lay at the end; default: not compared. */
  places: readonly string[] = [],
): Promise<Replayed> {
  await using stage = await RecordStage.open(toolkit);
  const workflow = parseWorkflow(yaml, { file: "recorded.yaml", operations: catalogue });
  const result = await runWorkflow({ ...workflow, onFailure: "stop" }, {
    operations: catalogue,
    session: stage.session,
    vars: resolveVariables(workflow),
    surroundings: {
      env: () => undefined,
      secret: (name) => name === "PASSWORD" ? PASSWORD : undefined,
    },
    folder: stage.folder,
    state: stage.folder,
  });
  const compared = places.length > 0;
  const wanted = [...outcomeOf(recorded), ...places];
  const deadline = Deadline.after(result.status === "passed" ? WRITES : 0);
  const look = async () => [...outcomeOf(stage.account()), ...(compared ? await stage.windows() : [])];
  let outcome = await look();
  while (!sameOutcome(outcome, wanted) && !deadline.passed) {
    await pause(LOOK);
    outcome = await look();
  }
  return { result, outcome, wanted, same: sameOutcome(outcome, wanted) };
}

function sameOutcome(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, n) => line === b[n]);
}

/** What is to be the same after a replay: what happened, in its order, and the last content of each field and number. */
export function outcomeOf(account: readonly Line[]): string[] {
  const happened = account.filter(({ what }) => !CONTENT.has(what));
  const last = new Map(
    account.filter(({ what }) => CONTENT.has(what)).map((line) => [line.of ?? "", line.value]),
  );
  return [
    ...happened.map(({ what, of, value }) => [what, of, value].join(" ").trim()),
    ...[...last].sort(([a], [b]) => a < b ? -1 : 1).map(([of, value]) => `${of} is ${value}`),
  ];
}

/** Changes with each key, where a step sets it once. */
const CONTENT: ReadonlySet<string> = new Set(["text", "value", "secret", "date"]);
