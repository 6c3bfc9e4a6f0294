import { z } from "zod";
import type { BackstepError } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import { READS } from "../contract/effect.ts";
import { type Context, defineOperation } from "../contract/operation.ts";
import type { Application } from "../desktop/desktop.ts";
import { notFound } from "../desktop/locator/mod.ts";
import { readSelector, writeUiPath } from "../desktop/selector/mod.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { rowHas } from "../desktop/state-words.ts";
import { ElementInfo, infoOf, infoText } from "./element-info.ts";
import { firstKept, firstShown, readAlone, tellsAlone } from "./first-kept.ts";
import { type KeptLook, lookKept } from "./look-kept.ts";
import { FULL, look, Target, targetText } from "./target.ts";
import { thereInstead } from "./there-instead.ts";

const Found = ElementInfo.extend({
  path: z.string().describe("A path that finds it again while the interface stays as it is."),
  ref: z.string().optional().describe(
    "Names it in later calls, as long as it lives; where there can be later calls.",
  ),
});
const output = z.strictObject({
  found: z.boolean(),
  app: z.string(),
  count: z.int().describe("The number of matches, listed or not."),
  strategy: z.string().describe("How the query was understood: selector, title_exact, role_title…"),
  elements: z.array(Found),
  truncated: z.boolean().describe("There are more matches than listed."),
  kept: z.boolean().describe(
    "It was found in the mirror of the application, and only the element itself was read again.",
  ),
  hint: z.string().optional().describe(
    "Where nothing matches: what is like it, and what part does not match.",
  ),
});

/** Finds elements, without waiting. */
export const find = defineOperation({
  name: "find",
  title: "Find elements as they are now, without waiting",
  description: "Finds elements as they are now, without waiting: the first match, or all of them.",
  input: z.strictObject({
    target: Target,
    all: z.boolean().optional().describe(
      "All matches, also hidden ones. Default: the first match, visible ones preferred.",
    ),
    limit: z.int().min(1).max(1_000).optional().describe("Matches shown with `all`; default 50."),
    required: z.boolean().optional().describe("Fail if nothing matches. Default false."),
  }),
  output,
  hints: READS,
  views: {
    yaml: { verb: "find", scalar: (target) => ({ target: String(target) }) },
    cli: {
      command: "find",
      positionals: [{
        property: "target",
        name: "query",
        description: "The element",
        required: true,
        rest: true,
      }],
      options: [
        { property: "all", kind: "boolean", description: "Every match" },
        { property: "limit", kind: "number", description: "Matches shown; default 50" },
      ],
      examples: ['backstep find "Submit" --app gedit', "backstep find 'button:enabled' --all"],
      toText,
      found: ({ found }) => found,
    },
  },
  resolve: () => Promise.resolve(undefined),
  effect: () => "read",
  subject: (input) => targetText(input.target),
  async act(context, input) {
    const kept = input.all === true ? undefined : await firstKept(context, input.target);
    if (kept !== undefined && "row" in kept) {
      const { application, strategy, count, held, row, fresh } = kept;
      return {
        found: true,
        app: application.name,
        count,
        strategy,
        elements: [{ ...infoOf(fresh, 0), ...namesOf(context, application, held, row) }],
        truncated: false,
        kept: true,
      };
    }
    const seen = input.all === true
      ? undefined
      : await lookKept(context, input.target, { before: kept?.seen, first: true });
    if (seen?.rows.length === 0) {
      if (input.required === true) throw absent(input.target, seen.snapshot);
      return {
        found: false,
        app: seen.application.name,
        count: 0,
        strategy: seen.strategy,
        elements: [],
        truncated: false,
        kept: seen.snapshot.origin.source === "mirror",
        hint: thereInstead(input.target, seen).hint,
      };
    }
    const hit = seen && await hitOf(context, seen);
    if (hit !== undefined) return hit;
    const { application, snapshot, rows, strategy, lost } = await look(context, input.target, FULL);
    if (lost) throw lost;
    if (rows.length === 0 && input.required === true) throw absent(input.target, snapshot);
    const first = firstShown(snapshot, rows);
    const shown = input.all === true ? rows.slice(0, input.limit ?? 50) : first === undefined ? [] : [first];
    return {
      found: rows.length > 0,
      app: application.name,
      count: rows.length,
      strategy,
      elements: shown.map((row) => ({
        ...infoOf(snapshot, row),
        ...namesOf(context, application, snapshot, row),
      })),
      truncated: input.all === true && shown.length < rows.length,
      kept: false,
      ...(rows.length === 0 ? { hint: thereInstead(input.target, { snapshot, rows }).hint } : {}),
    };
  },
});

/** The first of what was seen to match in what is kept, read afresh; undefined: it says otherwise by now, or not alone. */
async function hitOf(context: Context, seen: KeptLook): Promise<z.infer<typeof output> | undefined> {
  const { application, snapshot, rows, strategy, first } = seen;
  const row = firstShown(snapshot, rows);
  if (row === undefined || !tellsAlone(snapshot, row)) return undefined;
  const fresh = first?.row === row ? first.fresh : await readAlone(context, snapshot, row);
  if (fresh === undefined || rowHas(fresh, 0, "visible") !== rowHas(snapshot, row, "visible")) {
    return undefined;
  }
  return {
    found: true,
    app: application.name,
    count: rows.length,
    strategy,
    elements: [{ ...infoOf(fresh, 0), ...namesOf(context, application, snapshot, row) }],
    truncated: false,
    kept: snapshot.origin.source === "mirror",
  };
}

/** What finds an element again: its path, and a reference where there are later calls that could use it. */
function namesOf({ elements }: Context, application: Application, snapshot: Snapshot, row: number) {
  const ref = elements?.keep({ application, element: snapshot.element(row) });
  return { path: writeUiPath(snapshot, row), ...defined({ ref }) };
}

function absent(target: Target, snapshot: Snapshot): BackstepError {
  const { selector, strategy } = typeof target === "string"
    ? { selector: target, strategy: undefined }
    : target;
  const read = readSelector(selector, strategy);
  return notFound({ read, snapshot, scope: -1, tried: read.stages.map(({ name }) => name), waited: 0 });
}

function toText({ found, app, count, elements, hint = "" }: z.infer<typeof output>): string {
  if (!found) return `nothing in ${app} matches\n  ${hint}`.trimEnd();
  const lines = elements.map((element) => {
    const place = element.position === undefined ? "" : ` at ${element.position.join(",")}`;
    return `${infoText(element)}${place}`;
  });
  return count > elements.length
    ? [...lines, `… ${count - elements.length} more`].join("\n")
    : lines.join("\n");
}
