import { defined } from "../base/defined.ts";
import { toBackstepError } from "../base/error.ts";
import type { ReferencedElement } from "../contract/elements.ts";
import type { Context } from "../contract/operation.ts";
import { isAsKept } from "../desktop/as-kept.ts";
import type { Application, SnapshotSource } from "../desktop/desktop.ts";
import { isSame } from "../desktop/identity.ts";
import { Role } from "../desktop/roles.ts";
import {
  asksManaged,
  asksVisible,
  fieldsOfRead,
  find,
  firstStage,
  type ReadSelector,
  readSelector,
  rolesAsked,
  type StageName,
} from "../desktop/selector/mod.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { rowHas } from "../desktop/state-words.ts";
import { showsByPlace } from "../desktop/toolkits.ts";
import { applicationFor } from "./application.ts";
import { kindOf } from "./kind.ts";
import { referredTo } from "./reference.ts";
import { FULL, type Target } from "./target.ts";

/** The first match as what is kept of an application tells it, and the same element read afresh. */
export interface Kept {
  readonly application: Application;
  readonly strategy: StageName | "reference";
  /** How many match. */
  readonly count: number;
  /** What is kept, and where the first match stands in it. */
  readonly held: Snapshot;
  readonly row: number;
  /** The element alone, as row 0. */
  readonly fresh: Snapshot;
}

/** What was looked at, as it is known now: the whole application where it had to be read, else what is kept of it. */
export interface NotKept {
  readonly seen: Snapshot;
}

/**
 * The first match without reading the tree: from what the desktop keeps of the application and events keep current, with
 * the one element read afresh. `NotKept`: that does not tell the first match. Undefined: nothing is kept of the application, or
 * the element is another by now.
 */
export async function firstKept(context: Context, target: Target): Promise<Kept | NotKept | undefined> {
  const { desktop, deadline } = context;
  const { selector, app, strategy, nth, within } = typeof target === "string"
    ? { selector: target, app: undefined, strategy: undefined, nth: undefined, within: undefined }
    : target;
  if (nth !== undefined || within !== undefined) return undefined;
  const existing = referredTo(context, selector);
  const read = existing ? undefined : readSelector(selector, strategy);
  if (read && fieldsOfRead(read).some((field) => field !== "id")) return undefined;
  const application = existing && app === undefined
    ? (await desktop.applications(deadline.call())).find(({ bus }) => bus === existing.element.bus)
    : await applicationFor(context, app);
  if (application === undefined || (existing && application.bus !== existing.element.bus)) return undefined;
  const roles = read ? rolesAsked(read) : existing && [existing.element.fingerprint.role];
  const look = (source: SnapshotSource) =>
    desktop.snapshot(application, { ...deadline.call(), source, fields: ["id"], ...defined({ roles }) });
  const remembered = await look("remembered");
  const strict = remembered.origin.source === "mirror" && read !== undefined && asksManaged(read, remembered);
  // Most likely what is kept is so: the match is read beside what lists are asked.
  const likely = strict && roles ? firstOf(read, remembered) : undefined;
  // Where one shows, the first that does is in no list that does not; how many match there is told as it is kept.
  const showing = likely !== undefined && rowHas(remembered, likely.row, "visible");
  const [verified, beside] = await Promise.all([
    strict && roles ? desktop.verifyManaged?.(remembered, roles, { ...deadline.call(), showing }) : undefined,
    likely && tellsAlone(remembered, likely.row) ? readAlone(context, remembered, likely.row) : undefined,
  ]);
  const held = verified ?? (strict ? await look("held") : remembered);
  if (held.origin.source === "application") return { seen: held };
  if (held.origin.source !== "mirror" || held.origin.cut.length > 0) return undefined;
  const found = read ? firstOf(read, held) : existing && referred(existing, held);
  if (found === undefined || !tellsAlone(held, found.row)) return { seen: held };
  // It was in a list, and shows no longer: any may have the first.
  if (showing && held === verified && !rowHas(held, found.row, "visible")) return undefined;
  const fresh = beside && held === verified && isSameRow(held, found.row, beside)
    ? beside
    : await readAlone(context, held, found.row);
  return fresh && { application, held, fresh, ...found };
}

/** A row of what is kept, read afresh without what is inside of it; undefined: it is gone, or another by now. */
export async function readAlone(
  { desktop, deadline }: Context,
  held: Snapshot,
  row: number,
): Promise<Snapshot | undefined> {
  try {
    const fresh = await desktop.snapshot(held.origin.application, {
      ...deadline.call(),
      root: held.element(row),
      maxDepth: 0,
      fields: FULL,
    });
    return isSameRow(held, row, fresh) ? fresh : undefined;
  } catch (thrown) {
    if (toBackstepError(thrown).code !== "stale") throw thrown;
    return undefined;
  }
}

type First = Pick<Kept, "strategy" | "count" | "row">;

/** The first match; undefined: what is kept does not tell it. */
function firstOf(read: ReadSelector, held: Snapshot): First | undefined {
  // Where only a place tells what shows, what is kept does not tell it, nor which of several does.
  const byPlace = showsByPlace(held.origin.application);
  if (byPlace && asksVisible(read)) return undefined;
  const { rows, strategy, narrowed } = find(read, held);
  const row = firstShown(held, rows);
  if (row === undefined || strategy !== firstStage(read)) return undefined;
  if (byPlace && (rows.length > 1 || narrowed.includes("visible"))) return undefined;
  return { strategy, count: rows.length, row };
}

/** What a reference stands for, where it is kept as it was seen. */
function referred({ element }: ReferencedElement, held: Snapshot): First | undefined {
  // Lists show other items in the same rows, and what is kept may be behind.
  const row = element.fingerprint.item === undefined ? held.rowOf(element) : -1;
  if (row < 0 || !isSame(element.fingerprint, held.element(row).fingerprint)) return undefined;
  return { strategy: "reference", count: 1, row };
}

/** The first of these rows that shows, else the first of all; undefined: there is none. */
export function firstShown(snapshot: Snapshot, rows: readonly number[]): number | undefined {
  return rows.find((row) => rowHas(snapshot, row, "visible")) ?? rows[0];
}

/** Does an element say what it holds without those inside of it? */
export function tellsAlone(held: Snapshot, row: number): boolean {
  return held.role(row) !== Role.application && kindOf(held, row) !== "container";
}

/** Is the first row of what was read afresh what is kept in a row? */
export function isSameRow(held: Snapshot, row: number, fresh: Snapshot): boolean {
  return fresh.size > 0 && isAsKept(held, row, fresh) && held.path(row) === fresh.path(0);
}
