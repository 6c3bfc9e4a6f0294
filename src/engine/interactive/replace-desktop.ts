import { Deadline } from "../../base/call.ts";
import { BackstepError, toBackstepError } from "../../base/error.ts";
import { writeDown } from "../journal/write-late.ts";
import type { RunContext } from "../run/run-context.ts";
import type { DesktopState, Rebuild } from "./go-back.ts";

/** Milliseconds for a new desktop. */
const ANEW = 30_000;

/** Puts a new private desktop in the place of the old one: what was done there is gone with it. */
export async function replaceDesktop(
  { path, why }: Rebuild,
  was: DesktopState,
  { late, always, declare, doubts }: RunContext,
  run: RunContext,
): Promise<void> {
  const { session } = run;
  run.emit({ event: "rebuilding", path, why });
  const from = was.entries[0]?.intent ?? 0;
  run.journal.write({ kind: "rollback", path, from, toBarrier: false, savepoint: `before step ${path}` });
  run.journal.write({ kind: "rebuild", path, steps: was.history.length });
  try {
    await session.rebuild?.(Deadline.after(ANEW, run.deadline.signal).call());
  } catch (thrown) {
    const error = toBackstepError(thrown);
    throw new BackstepError("drift", `Cannot go back to before step ${path}: ${why}; no new desktop came`, {
      cause: error,
      hint: `${error.message}. The old desktop may still stand.`,
    });
  }
  late.clear();
  doubts.clear();
  always.splice(0, always.length, ...await declare());
  run.journal.write({ kind: "rebuilt", desktop: { kind: session.kind, id: session.id ?? null } });
  writeDown({ kind: "rolled-back", path, verdict: "rebuilt" }, run);
}
