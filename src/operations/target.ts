import { z } from "zod";
import { BackstepError } from "../base/error.ts";
import type { Context } from "../contract/operation.ts";
import type { Application, ElementRef } from "../desktop/desktop.ts";
import { untilDeadline } from "../desktop/hands/read-back.ts";
import { fieldsOfRead, find, readSelector, strategies } from "../desktop/selector/mod.ts";
import type { StageName } from "../desktop/selector/mod.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { rowHas } from "../desktop/state-words.ts";
import { applicationFor } from "./application.ts";
import { infoOf, infoText } from "./element-info.ts";

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
    nth: z.int().optional().describe("Which of several matches, from 1, or from -1 to count from the end."),
    within: Selector.optional().describe("Look only inside of what this selector finds."),
  }),
]).describe("The element: a selector, or a map with one.");
export type Target = z.infer<typeof Target>;

/** An element that was found, with the snapshot it was found in. */
export interface Match {
  readonly application: Application;
  readonly snapshot: Snapshot;
  readonly row: number;
  readonly element: ElementRef;
}

/** One look: everything that a target matches right now. */
export interface Look {
  readonly application: Application;
  readonly snapshot: Snapshot;
  readonly rows: readonly number[];
  /** How the query was understood. */
  readonly strategy: StageName;
}

/** Columns that matching, judging and answering need, whatever the selector asks. */
const FIELDS = ["extents", "text", "value", "id", "selection"] as const;
/** Candidates listed in an error. */
const LISTED = 5;

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

/** Looks once, without waiting. Errors: `selector`, `app_not_running`, `ambiguous` (application or `within`). */
export async function look(context: Context, target: Target): Promise<Look> {
  const { selector, app, strategy, nth, within } = partsOf(target);
  const read = readSelector(selector, strategy);
  const around = within === undefined ? undefined : readSelector(within);
  const application = await applicationFor(context, app);
  const fields = new Set([
    ...FIELDS,
    ...fieldsOfRead(read),
    ...(around === undefined ? [] : fieldsOfRead(around)),
  ]);
  const snapshot = await context.desktop.snapshot(application, {
    ...context.deadline.call(),
    fields: [...fields],
  });
  let scope: number | undefined;
  if (around !== undefined) {
    const { rows } = find(around, snapshot);
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

/** What an element has to be before it is used. */
export type Wanted = "attached" | "actionable";

/**
 * Waits for exactly one element. Errors: `not_found`, `ambiguous` (at once: more do not become fewer by waiting),
 * `not_actionable`.
 */
export async function locate(
  context: Context,
  target: Target,
  wanted: Wanted = "actionable",
): Promise<Match> {
  const doing = `find ${targetText(target)}`;
  const read = () => look(context, target);
  const ready = (now: Look) => {
    if (now.rows.length > 1) throw ambiguous(doing, now);
    const [row] = now.rows;
    return row !== undefined && (wanted === "attached" || obstacle(now.snapshot, row) === undefined);
  };
  const { held, last } = await untilDeadline(context.desktop, read, ready, context.deadline);
  const [row] = last.rows;
  if (row === undefined) throw notFound(doing, last);
  if (held) {
    return {
      application: last.application,
      snapshot: last.snapshot,
      row,
      element: last.snapshot.element(row),
    };
  }
  const why = obstacle(last.snapshot, row) ?? "not ready";
  throw new BackstepError(
    "not_actionable",
    `Cannot use ${infoText(infoOf(last.snapshot, row))} of ${last.application.name}: it is ${why}`,
    { hint: "Wait for it, or do first what makes it available.", details: { obstacle: why } },
  );
}

function obstacle(snapshot: Snapshot, row: number): string | undefined {
  if (!rowHas(snapshot, row, "enabled")) return "disabled";
  return undefined;
}

function notFound(doing: string, { application, snapshot }: Look): BackstepError {
  const shown: string[] = [];
  for (let row = 0; row < snapshot.size && shown.length < LISTED; row++) {
    if (rowHas(snapshot, row, "visible") && snapshot.name(row) !== "") {
      shown.push(infoText(infoOf(snapshot, row)));
    }
  }
  return new BackstepError("not_found", `Cannot ${doing}: nothing in ${application.name} matches`, {
    hint: "`backstep tree` shows what is there.",
    details: { application: application.name, elements: snapshot.size, some: shown },
  });
}

function ambiguous(doing: string, { application, snapshot, rows }: Look): BackstepError {
  return new BackstepError(
    "ambiguous",
    `Cannot ${doing}: ${rows.length} elements of ${application.name} match`,
    {
      hint: "Say which: add :nth(1), a name, or `within`.",
      details: {
        count: rows.length,
        matches: rows.slice(0, LISTED).map((row) => infoText(infoOf(snapshot, row))),
      },
    },
  );
}
