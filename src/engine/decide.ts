import type { RunContext } from "./run-context.ts";

/** Which way a condition goes: written down, so that a run that is resumed goes the same way again. */
export async function decide(
  path: string,
  what: "if" | "branch" | "until",
  run: RunContext,
  holds: () => Promise<boolean>,
): Promise<boolean> {
  const known = run.memory?.choice(path, what);
  if (known !== undefined) return known;
  const value = await holds();
  run.journal.write({ kind: "chose", path, what, value });
  return value;
}
