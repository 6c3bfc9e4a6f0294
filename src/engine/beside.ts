import { toBackstepError } from "../base/error.ts";
import type { RollbackResult } from "../contract/events.ts";
import type { Difference } from "../contract/participant.ts";
import { changesBetween, type Picture, plain, takePicture } from "./picture.ts";
import type { RunContext } from "./run-context.ts";

/** Differences named at most. */
const LISTED = 50;
/** Milliseconds for the look, and for telling what changes by itself. */
const LOOK = 5_000;

/**
 * What else is not as it was at the savepoint, element by element: nobody had enrolled it. What is enrolled is in the drift
 * already, and what changes by itself is left out.
 */
export async function whatElse(
  before: Picture,
  { enrolled }: RollbackResult,
  run: RunContext,
): Promise<Difference[]> {
  const { desktop } = run.session;
  const deadline = run.deadline.within(LOOK);
  try {
    const now = await takePicture(desktop, before.snapshot.origin.application, deadline);
    const found = changesBetween(before, now)
      .filter(({ participant }) => !enrolled.some(({ label }) => label.endsWith(participant)));
    return (await run.unstable.explain(found, now, desktop, deadline)).slice(0, LISTED).map(plain);
  } catch (thrown) {
    const message = `What else differs is not known: ${toBackstepError(thrown).message}`;
    run.emit({ event: "note", level: "warning", message });
    return [];
  }
}
