import type { Deadline } from "../../base/call.ts";
import { BackstepError, type Json } from "../../base/error.ts";
import { find, readSelector } from "../../desktop/selector/mod.ts";
import { fill } from "../model/fill.ts";
import {
  type Change,
  changesBetween,
  isWithin,
  plain,
  takeTreeSnapshot,
  type TreeSnapshot,
} from "../model/tree-snapshot.ts";
import type { DesktopAccess } from "../model/desktop-access.ts";
import type { Unstable } from "../model/unstable.ts";
import type { Scope } from "../model/scope.ts";
import { settled } from "../model/settle.ts";
import type { Changes, Template } from "../model/step.ts";

/** How long an application gets to show what an action changed, in milliseconds. */
const QUIET = 100;
/** Differences listed in an error. */
const LISTED = 10;

/** Compares what an action was seen to change with what it may, and must. Throws `assertion` with each difference. */
export async function checkChanges(
  declared: Changes,
  before: TreeSnapshot,
  scope: Scope,
  run: DesktopAccess & { readonly unstable: Unstable },
  deadline: Deadline,
): Promise<void> {
  const { desktop } = run.session;
  await settled(desktop, QUIET, deadline);
  const after = await takeTreeSnapshot(desktop, before.snapshot.origin.application, deadline, before);
  const seen = changesBetween(before, after);
  const keysOf = (template: Template) => matched(fill(template, scope), [before, after]);
  const { only, include } = declared;
  const allowed = only?.flatMap(keysOf);
  const unexpected = allowed === undefined ? [] : await run.unstable.explain(
    seen.filter(({ key }) => !isWithin(key, allowed)),
    after,
    desktop,
    deadline,
  );
  const missing = (include ?? []).filter((one) => {
    const keys = keysOf(one);
    return !seen.some(({ key }) => isWithin(key, keys));
  }).map((one) => String(fill(one, scope)));
  if (unexpected.length > 0 || missing.length > 0) throw notAsDeclared(declared, unexpected, missing);
}

/** Where the elements stand that a selector matches, before the action or after it: what it closed is gone. */
function matched(selector: Json, trees: readonly TreeSnapshot[]): string[] {
  const read = readSelector(String(selector));
  return trees.flatMap((tree) => {
    const rows = new Set(find(read, tree.snapshot).rows);
    return [...tree.elements].flatMap(([key, { row }]) => rows.has(row) ? [key] : []);
  });
}

function notAsDeclared(
  { place }: Changes,
  unexpected: readonly Change[],
  missing: readonly string[],
): BackstepError {
  const reported = [
    ...unexpected.slice(0, LISTED).map((c) =>
      `${c.property} of ${c.participant} was ${JSON.stringify(c.expected)} and is ${JSON.stringify(c.actual)}`
    ),
    ...(unexpected.length > LISTED ? [`and ${unexpected.length - LISTED} more`] : []),
    ...missing.slice(0, LISTED).map((selector) => `${selector} did not change`),
  ];
  return new BackstepError(
    "assertion",
    `Cannot confirm what the step changed: ${reported.join("; ")}`.slice(0, 1_500),
    {
      place,
      hint: "List in `changes:` what the step may change, or find out what else it does.",
      details: {
        unexpected: unexpected.slice(0, LISTED).map((c) => ({ ...plain(c) })),
        missing: missing.slice(0, LISTED),
      },
    },
  );
}
