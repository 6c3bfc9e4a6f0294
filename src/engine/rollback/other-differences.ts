import { toBackstepError } from "../../base/error.ts";
import type { Difference, Participant } from "../../contract/participant.ts";
import {
  type Change,
  changesBetween,
  plain,
  takeTreeSnapshot,
  type TreeSnapshot,
} from "../model/tree-snapshot.ts";
import type { DesktopAccess } from "../model/desktop-access.ts";
import type { Reporting } from "../model/reporting.ts";
import type { Unstable } from "../model/unstable.ts";

/** Differences named at most. */
const LISTED = 50;
/** Milliseconds for the look, and for telling what changes by itself. */
const LOOK = 5_000;

/**
 * What else is not as it was at the savepoint, element by element: nobody had enrolled it, or only a step that found it otherwise
 * already. What differs and is enrolled (`named`) is in the drift already, and what changes by itself is left out.
 */
export async function whatElse(
  before: TreeSnapshot,
  named: readonly Participant[],
  run: DesktopAccess & Reporting & { readonly unstable: Unstable },
): Promise<Difference[]> {
  const { desktop } = run.session;
  const deadline = run.deadline.within(LOOK);
  try {
    const now = await takeTreeSnapshot(desktop, before.snapshot.origin.application, deadline, before);
    const isNamed = namedIn([before, now], named);
    const found = changesBetween(before, now).filter((one) => !isNamed(one));
    return (await run.unstable.explain(found, now, desktop, deadline)).slice(0, LISTED).map(plain);
  } catch (thrown) {
    const message = `What else differs is not known: ${toBackstepError(thrown).message}`;
    run.emit({ event: "note", level: "warning", message });
    return [];
  }
}

/** Is a change one of an element that these name? Two may be called the same: they are told by where they stand. */
function namedIn(
  looks: readonly TreeSnapshot[],
  named: readonly Participant[],
): (change: Change) => boolean {
  const keys = new Set(
    looks.flatMap(({ snapshot, keys }) =>
      named.flatMap((one) => one.rowsIn?.(snapshot) ?? []).flatMap((row) => keys[row] ?? [])
    ),
  );
  const labels = named.filter((one) => one.rowsIn === undefined).map(({ label }) => label);
  return ({ key, participant, property }) =>
    // Whether it can be used, nothing protects.
    property !== "enabled" && (keys.has(key) || labels.some((label) => label.endsWith(participant)));
}
