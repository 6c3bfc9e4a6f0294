import type { Journaling } from "../journal/journaling.ts";
import type { StepResults, Watchers } from "./run-context.ts";

/** Which way a condition goes: written down, so that a run that is resumed goes the same way again. */
export async function decide(
  path: string,
  what: "if" | "branch" | "until",
  run: Journaling & Pick<StepResults, "memory"> & Pick<Watchers, "guide">,
  holds: () => Promise<boolean>,
): Promise<boolean> {
  const existing = run.memory?.choice(path, what);
  if (existing !== undefined) return existing;
  const value = await holds();
  run.journal.write({ kind: "chose", path, what, value });
  run.guide?.chose(path, what, value);
  return value;
}
