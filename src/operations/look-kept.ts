import { defined } from "../base/defined.ts";
import type { Context } from "../contract/operation.ts";
import type { Application, SnapshotSource } from "../desktop/desktop.ts";
import {
  asksManaged,
  asksVisible,
  candidates,
  fieldsOfRead,
  find,
  firstStage,
  type ReadSelector,
  readSelector,
  rolesAsked,
  type StageName,
  tellsMiss,
  withoutContents,
} from "../desktop/selector/mod.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { rowHas } from "../desktop/state-words.ts";
import { isGtk, isGtk4, showsByPlace } from "../desktop/toolkits.ts";
import { applicationFor } from "./application.ts";
import { firstShown, readAlone, tellsAlone } from "./first-kept.ts";
import { referredTo } from "./reference.ts";
import type { Look, Target } from "./target.ts";
import { withContents } from "./with-contents.ts";

/** A look, and what the first that it met says of itself alone, where that was asked beside it. */
export interface KeptLook extends Look {
  readonly first?: { readonly row: number; readonly fresh: Snapshot };
}

/** For whom `lookKept` looks. */
export interface LookKeptOptions {
  /** The application as it was read, or what is kept of it as it is known now, a moment ago and for the same look. */
  readonly before?: Snapshot | undefined;
  /** Only the first that shows is told, and how many match: the others are counted as they are kept. Default false. */
  readonly first?: boolean;
  /** What is kept is compared first where the application does not announce all that comes (GTK 4). Default false. */
  readonly compared?: boolean;
}

/** So many that match are asked afresh; of more, the tree is read. */
const MOST = 32;

/**
 * One look without reading the tree: what matches in what the desktop keeps of the application, each asked afresh; that
 * nothing does is told after what is kept was compared with what the application says of itself. Only what matches has its
 * states and places then, and nothing a text or value. Undefined: the tree is to be read to tell.
 */
export async function lookKept(
  context: Context,
  target: Target,
  { before, first = false, compared = false }: LookKeptOptions = {},
): Promise<KeptLook | undefined> {
  const { desktop, deadline } = context;
  const { selector, app, strategy, nth, within } = typeof target === "string"
    ? { selector: target, app: undefined, strategy: undefined, nth: undefined, within: undefined }
    : target;
  if (desktop.refresh === undefined || within !== undefined || referredTo(context, selector) !== undefined) {
    return undefined;
  }
  const asked = readSelector(selector, strategy);
  const fields = fieldsOfRead(asked).filter((field) => field !== "id");
  // A value or a text is asked of those that could match, and not of the tree.
  const holding = fields.length > 0 && fields.every((field) => field === "value" || field === "text")
    ? withoutContents(asked)
    : undefined;
  if (fields.length > 0 && holding === undefined) return undefined;
  const read = holding?.bare ?? asked;
  const application = await applicationFor(context, app);
  if (holding && before !== undefined) return undefined;
  // Who reads what they hold reads what they are.
  const unread = holding !== undefined;
  const how = { unread, first: first && !unread && nth === undefined };
  const look = async (source: SnapshotSource): Promise<KeptLook | undefined> => {
    const seen = await lookBare(source);
    return seen && holding ? await withContents(context, seen, holding.selector, source === "proven") : seen;
  };
  const lookBare = async (source: SnapshotSource): Promise<KeptLook | undefined> => {
    const roles = rolesAsked(read);
    const kept = await desktop.snapshot(application, {
      ...deadline.call(),
      source,
      fields: ["id"],
      ...defined({ roles }),
    });
    const proven = source === "proven";
    if (kept.origin.source !== "mirror" || !asksManaged(read, kept)) {
      return await lookIn(context, application, read, kept, { ...how, proven });
    }
    // What lists show that manage their descendants is not kept, nor compared: they are asked for it.
    const verified = roles && await desktop.verifyManaged?.(kept, roles, deadline.call());
    return verified && await lookIn(context, application, read, verified, { ...how, proven });
  };
  // A browser does not count what a page that loads has brought: what is not kept of it may be there.
  const compares = isGtk(application) && before?.origin.source !== "application";
  const found =
    await (before === undefined
      ? look(compared && isGtk4(application) ? "proven" : "remembered")
      : lookIn(context, application, read, before, { ...how, proven: false })) ??
      (compares ? await look("proven") : undefined);
  if (found === undefined || nth === undefined) return found;
  const one = found.rows.at(nth > 0 ? nth - 1 : nth);
  return { ...found, rows: one === undefined ? [] : [one] };
}

async function lookIn(
  context: Context,
  application: Application,
  read: ReadSelector,
  kept: Snapshot,
  { proven, unread, first }: {
    readonly proven: boolean;
    readonly unread: boolean;
    readonly first: boolean;
  },
): Promise<KeptLook | undefined> {
  const { desktop, deadline } = context;
  const fresh = kept.origin.source === "application";
  const decided = proven || fresh || tellsMiss(read, application);
  const meant = candidates(read, kept);
  if (meant === undefined) return undefined;
  const { rows, strategy, asked } = meant;
  if (rows.length === 0) {
    const { rows: like, strategy } = find(read, kept);
    // What only resembles the words is told of the tree alone.
    return like.length === 0 && decided && kept.origin.cut.length === 0
      ? { application, snapshot: kept, rows: [], strategy }
      : undefined;
  }
  // Of one that was read just now its states say all that is asked, but where only a place tells what shows.
  if (fresh && rows.length === 1 && !showsByPlace(application)) {
    return { application, snapshot: kept, rows, strategy };
  }
  // That an earlier way to read the query finds nothing is told only of what was compared.
  if (asked.length > MOST || (!decided && strategy !== firstStage(read))) return undefined;
  // Most likely it is the one that is told of: asked beside the others, it costs no time.
  const row = firstShown(kept, rows);
  const reads = row !== undefined && !unread && tellsAlone(kept, row);
  const ask = async (those: readonly number[], placesOnly: boolean) => {
    const how = { ...deadline.call(), shows: true, unread: placesOnly };
    const now = await desktop.refresh?.(kept, those, how);
    if (now === undefined) return undefined;
    const again = find(read, now.snapshot);
    const same = again.strategy === strategy && again.rows.every((one) => rows.includes(one));
    return same ? { snapshot: now.snapshot, rows: again.rows } : undefined;
  };
  const alone = first && row !== undefined && row === rows[0] && countsKept(read, strategy);
  const [early, itself] = await Promise.all([
    alone ? ask([row], reads) : ask(asked, unread),
    reads ? readAlone(context, kept, row) : undefined,
  ]);
  const enough = !alone || (early?.rows[0] === row && rowHas(early.snapshot, row, "visible"));
  const now = enough ? early : await ask(asked, unread);
  if (now === undefined) return undefined;
  return {
    application,
    strategy,
    ...now,
    ...(row === undefined || itself === undefined ? {} : { first: { row, fresh: itself } }),
  };
}

/** Is how many match told without knowing which of them show? */
function countsKept(read: ReadSelector, strategy: StageName): boolean {
  const narrow = read.stages.some((stage) => stage.name === strategy && "narrow" in stage && stage.narrow);
  return !narrow && !asksVisible(read);
}
