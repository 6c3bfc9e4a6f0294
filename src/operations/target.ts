import { z } from "zod";
import { BackstepError } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import type { Context } from "../contract/operation.ts";
import type { Application, SnapshotField } from "../desktop/desktop.ts";
import type { Place } from "../desktop/actions/place.ts";
import { untilDeadline } from "../desktop/actions/read-back.ts";
import { shownPart } from "../desktop/actions/quick-view.ts";
import { readiness } from "../desktop/locator/actionable.ts";
import {
  isScrolledAway,
  listed,
  Locator,
  type Match as Located,
  meant,
  type ResolveState,
} from "../desktop/locator/mod.ts";
import { fieldsOfRead, find, readSelector, type StageName, strategies } from "../desktop/selector/mod.ts";
import { rowHas } from "../desktop/state-words.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { applicationFor } from "./application.ts";
import { infoOf, infoText } from "./element-info.ts";
import { findReferred, referredIn, referredTo } from "./reference.ts";

const Selector = z.string().min(1).max(4_000)
  .describe(
    'A selector such as button[name="Save"], or any form of query: bare text, role:AXButton title:Save.',
  );

/** How an input names an element. */
export const Target = z.union([
  Selector,
  z.strictObject({
    selector: Selector,
    app: z.string().min(1).optional().describe("Name, id or process id of its application."),
    strategy: z.enum(strategies).optional().describe("How the selector is to be understood; default auto."),
    nth: z.int().refine((nth) => nth !== 0, { message: "It counts from 1, or from -1 at the end" }).optional()
      .describe("Which of several matches, from 1, or from -1 to count from the end."),
    within: Selector.optional().describe("Look only inside of what this selector finds."),
  }),
]).describe("The element: a selector, or a map with one.");
export type Target = z.infer<typeof Target>;

/** One look: everything that a target matches right now. */
export interface Look {
  readonly application: Application;
  readonly snapshot: Snapshot;
  readonly rows: readonly number[];
  /** How the query was understood; "reference": it is one. */
  readonly strategy: StageName | "reference";
  /** What a reference stood for is gone, or became another: then nothing matches. */
  readonly lost?: BackstepError;
}

/** The columns that values and answers are made of; judging needs none of them, and each costs a call an element. */
export const FULL: readonly SnapshotField[] = ["extents", "text", "value", "id", "selection"];
/** Candidates listed in an error. */
const LISTED = 5;
/** Milliseconds for looking, beside what an assertion waits: a hung application must not cost all of its time. */
export const LOOK = 10_000;
/** Milliseconds kept of a deadline for saying what was not met. */
const RESERVE = 100;

/** An element with the snapshot it was found in. */
export type Match = Place & Pick<Located, "element" | "reading" | "beneath">;

/** As `parts` of a target, whichever way it was written. */
function partsOf(target: Target): Exclude<Target, string> {
  return typeof target === "string" ? { selector: target } : target;
}

/** A target for messages. */
export function targetText(target: Target): string {
  const { selector, within, nth } = partsOf(target);
  return `${selector}${nth === undefined ? "" : ` (number ${nth})`}${
    within === undefined ? "" : ` within ${within}`
  }`;
}

/** Looks once, without waiting; `fields` beside those that the selector asks. Errors: `selector`, `app_not_running`, `ambiguous` (application or `within`). */
export async function look(
  context: Context,
  target: Target,
  more: readonly SnapshotField[] = ["extents", "id"],
): Promise<Look> {
  const { selector, app, strategy, nth, within } = partsOf(target);
  const existing = referredTo(context, selector);
  if (existing !== undefined) {
    const { row, lost, ...seen } = await findReferred(context, existing, { selector, app, fields: more });
    const rows = row === undefined || (nth !== undefined && nth !== 1 && nth !== -1) ? [] : [row];
    return { ...seen, rows, strategy: "reference", ...(lost ? { lost } : {}) };
  }
  const read = readSelector(selector, strategy);
  const inside = within === undefined ? undefined : referredTo(context, within);
  const around = within === undefined || inside !== undefined ? undefined : readSelector(within);
  const application = await applicationFor(context, inside?.application.bus ?? app);
  const fields = new Set([
    ...more,
    ...fieldsOfRead(read),
    ...(around === undefined ? [] : fieldsOfRead(around)),
  ]);
  const snapshot = await context.desktop.snapshot(application, {
    ...context.deadline.call(),
    fields: [...fields],
  });
  let scope: number | undefined;
  if (inside !== undefined) {
    const { row, lost } = referredIn(snapshot, inside, within ?? "");
    if (row === undefined) {
      return { application, snapshot, rows: [], strategy: "reference", ...(lost ? { lost } : {}) };
    }
    scope = row;
  }
  if (around !== undefined) {
    const rows = meant(snapshot, find(around, snapshot).rows);
    if (rows.length > 1) {
      throw ambiguous(`look within ${within}`, { application, snapshot, rows, strategy: "selector" });
    }
    scope = rows[0];
    if (scope === undefined) return { application, snapshot, rows: [], strategy: "selector" };
  }
  const found = find(read, snapshot, scope === undefined ? {} : { scope });
  const one = nth === undefined ? undefined : found.rows.at(nth > 0 ? nth - 1 : nth);
  const rows = nth === undefined ? found.rows : one === undefined ? [] : [one];
  return { application, snapshot, rows, strategy: found.strategy };
}

/**
 * Waits for exactly one element that is attached, or that can be used: visible, enabled and, where it is
 * in view, reached by a pointer; what is out of view is scrolled to by the action that uses it, and that it stands still is made
 * sure of by the one that points at it. `patience` is how many
 * milliseconds it may take to come, where that is less than what the step has. Errors: `not_found`, `ambiguous` (at once:
 * waiting does not make two into one), `not_actionable` with what is in the way.
 */
export async function locate(
  context: Context,
  target: Target,
  state: "attached" | "actionable" = "actionable",
  fields: readonly SnapshotField[] = [],
  patience?: number,
  how: {
    /** In what is kept of it only it and what is around it have places, and that will do. */
    readonly kept?: "attached";
  } = {},
): Promise<Match> {
  if (state === "attached") return await resolve(context, target, "attached", fields, { patience, ...how });
  const kept = "reachable";
  const attached = await resolve(context, target, "attached", ["extents", ...fields], { patience, kept });
  if (attached.ready === kept || needsScroll(attached)) return attached;
  const ready = await readiness(context.desktop, attached, "reachable", context.deadline);
  if ("match" in ready) return ready.match;
  const enabled = await resolve(context, target, "enabled", ["extents"], { kept });
  if (enabled.ready === kept || await shownPart(context.desktop, enabled, context.deadline) === undefined) {
    return enabled;
  }
  // It is scrolled out from under what covers it by the action that uses it.
  return await resolve(context, target, "reachable", ["extents"], { beneath: true });
}

/** Could it be used if it were scrolled to? */
function needsScroll({ snapshot, row }: Match): boolean {
  return rowHas(snapshot, row, "enabled") && isScrolledAway(snapshot, row);
}

async function resolve(
  context: Context,
  target: Target,
  state: ResolveState,
  fields: readonly SnapshotField[] = [],
  { patience, kept, beneath = false }: {
    readonly patience?: number | undefined;
    readonly kept?: ResolveState;
    readonly beneath?: boolean;
  } = {},
): Promise<Located> {
  const { desktop, deadline } = context;
  const { selector, app, strategy, nth, within } = partsOf(target);
  const existing = referredTo(context, selector);
  if (existing !== undefined) {
    return await resolveByLook(context, target, existing.application, state, fields, { patience, beneath });
  }
  const application = await applicationFor(context, app);
  if (nth !== undefined || (within !== undefined && referredTo(context, within) !== undefined)) {
    return await resolveByLook(context, target, application, state, fields, { patience, beneath });
  }
  const root = within === undefined ? undefined : new Locator(desktop, { application, selector: within });
  const locator = new Locator(desktop, {
    application,
    selector,
    ...defined({ strategy, root }),
  });
  // The error of a locator that ran out of time says more than one of a call that was cut short.
  const call = deadline.within(Math.max(1, deadline.remaining() - RESERVE)).call();
  return await locator.resolve({ ...call, state, fields, beneath, ...defined({ patience, kept }) });
}

/** One of several matches, or what a reference stands for: looked for again until it is as ready as asked. */
async function resolveByLook(
  context: Context,
  target: Target,
  application: Application,
  state: ResolveState,
  fields: readonly SnapshotField[],
  { patience: most = Infinity, beneath }: {
    readonly patience: number | undefined;
    readonly beneath: boolean;
  },
): Promise<Located> {
  const { desktop, deadline } = context;
  const patience = deadline.within(Math.min(most, Math.max(1, deadline.remaining() - RESERVE)));
  const read = async () => {
    const now = await look(context, target, ["extents", "id", ...fields]);
    if (now.lost) throw now.lost;
    const rows = meant(now.snapshot, now.rows);
    const [row] = rows;
    if (row === undefined) return { now, match: undefined, why: "nothing matches" };
    if (rows.length > 1) throw ambiguous(`use ${targetText(target)}`, { ...now, rows });
    const strategy = now.strategy === "reference" ? "selector" : now.strategy;
    const match = { ...now, strategy, row, element: now.snapshot.element(row), tried: [], narrowed: [] };
    const ready = await readiness(desktop, match, state, patience);
    if (beneath && "unmet" in ready && ready.unmet.wayOut) {
      return { now, match: { ...match, beneath: ready.unmet }, why: "" };
    }
    return "match" in ready
      ? { now, match: ready.match, why: "" }
      : { now, match: undefined, why: ready.unmet.sentence };
  };
  const { last } = await untilDeadline(
    desktop,
    read,
    ({ match }) => match !== undefined,
    patience,
    application,
  );
  if (last.match !== undefined) return last.match;
  throw new BackstepError(
    last.now.rows.length === 0 ? "not_found" : "not_actionable",
    `Cannot use ${targetText(target)} of ${application.name}: ${last.why}`,
    {
      hint: "`find --all` without `nth` shows how many there are.",
      details: { selector: targetText(target).slice(0, 500), tried: triedOf(target) },
    },
  );
}

function triedOf(target: Target): string[] {
  const { selector, strategy } = partsOf(target);
  return readSelector(selector, strategy).stages.map(({ name }) => name);
}

function ambiguous(doing: string, { application, snapshot, rows }: Look): BackstepError {
  return new BackstepError(
    "ambiguous",
    `Cannot ${doing}: ${rows.length} elements of ${application.name} match`,
    {
      hint: "Choose one: add :nth(1) or a name.",
      details: {
        count: rows.length,
        matches: rows.slice(0, LISTED).map((row) => infoText(infoOf(snapshot, row))),
        elements: rows.slice(0, LISTED).map((row) => listed(snapshot, row)),
      },
    },
  );
}
