import { z } from "zod";
import { BackstepError } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import { READS } from "../contract/effect.ts";
import { type Context, defineOperation } from "../contract/operation.ts";
import { ELEMENT_TYPES } from "../desktop/element-types.ts";
import { writeUiPath } from "../desktop/selector/mod.ts";
import { canonicalType, nearTypes } from "../desktop/vocabulary.ts";
import { applicationFor } from "./application.ts";
import { Explored, exploredOf } from "./explore-element.ts";
import { type Picked, pickMatches, pickTrees } from "./explore-pick.ts";
import { byId, everywhere, focused, type Place, readPlace, SCOPES, underPoint } from "./explore-scope.ts";

/** Levels and elements unless more are asked for (section 5 of the specification). */
const DEPTH = 10, LIMIT = 100;
/** More elements than a caller can use. */
const MOST = 10_000;

const Filter = z.strictObject({
  role: z.string().min(1).optional().describe("AX role or subrole, exactly: AXButton."),
  title: z.string().min(1).optional().describe("Part of the title, whatever the case."),
  value: z.string().min(1).optional().describe("Part of the value, whatever the case."),
  description: z.string().min(1).optional().describe("Part of the description, whatever the case."),
});

const Input = z.strictObject({
  scope: z.enum(SCOPES),
  app: z.string().min(1).optional().describe("Name, id or process id; for the scope application."),
  element: z.string().min(1).max(8_000).optional().describe(
    "A reference, a macos:// path or an accessible id.",
  ),
  x: z.number().optional().describe("Screen pixels; for the scope position."),
  y: z.number().optional().describe("Screen pixels; for the scope position."),
  depth: z.int().min(0).max(255).optional().describe(`Levels; default ${DEPTH}.`),
  filter: Filter.optional(),
  types: z.array(z.enum(ELEMENT_TYPES)).min(1).optional().describe("Kinds of controls; any: all of them."),
  hidden: z.boolean().optional().describe("Include hidden elements. Default false."),
  limit: z.int().min(1).max(MOST).optional().describe(`The total number of elements; default ${LIMIT}.`),
  skip: z.array(z.int()).optional().describe("Process ids that the scope system leaves out."),
});

const output = z.strictObject({
  elements: z.array(Explored),
  apps: z.array(z.strictObject({ name: z.string(), pid: z.int(), id: z.string().optional() })).describe(
    "The applications that were read.",
  ),
  shown: z.int().describe("Elements returned."),
  total: z.int().describe("Existing elements; for a search, the matching ones."),
  hidden: z.int().describe("Left out because they are hidden."),
  cut: z.array(z.string()).describe(
    '"limit", "depth", "hidden", "applications", and what was cut while reading.',
  ),
  left_out: z.array(z.strictObject({ app: z.string(), pid: z.int(), why: z.string() })).describe(
    "Applications that did not answer in time.",
  ),
  note: z.string().optional(),
});
/** What exploring answers. */
export type Exploration = z.infer<typeof output>;

/** Elements with what can be done with them, of the whole desktop or a part. */
export const explore = defineOperation({
  name: "explore",
  title: "Explore elements and what they can do",
  description:
    "Lists elements with role, states, capabilities and AX actions: of all applications, of one, of " +
    "the focused one, at a point, or below an element. With a filter or types the result is a flat " +
    "list of matches, otherwise trees, level by level.",
  input: Input,
  output,
  hints: READS,
  timeout: 20_000,
  views: {
    cli: {
      command: "explore",
      positionals: [{
        property: "scope",
        description: "system, application, focused, position or element",
        required: true,
      }],
      options: [
        { property: "element", description: "A path or an accessible id" },
        { property: "x", kind: "number", description: "Screen pixels" },
        { property: "y", kind: "number", description: "Screen pixels" },
        { property: "depth", kind: "number", description: `Levels; default ${DEPTH}` },
        { property: "types", name: "type", multiple: true, description: "button, textfield, link… or any" },
        { property: "hidden", kind: "boolean", description: "Hidden elements too" },
        { property: "limit", kind: "number", description: `Elements; default ${LIMIT}` },
      ],
      examples: [
        "backstep explore application --app gedit --type button",
        "backstep explore position --x 300 --y 200",
      ],
      toText,
    },
  },
  resolve: (context, input) => placeOf(context, input),
  effect: () => "read",
  subject: (input, place) =>
    place.what === "element" || input.scope !== "system"
      ? (place.what === "element" ? place.application : place.applications[0])?.name
      : "every application",
  async act(context, input, place): Promise<Exploration> {
    const { filter, types } = input;
    const flat = types !== undefined || (filter !== undefined && Object.keys(filter).length > 0);
    const depth = input.depth ?? DEPTH;
    const bounds = { depth, limit: input.limit ?? LIMIT, hidden: input.hidden === true };
    const { starts, leftOut } = await readPlace(context, place, flat ? undefined : depth);
    const picks = flat ? pickMatches(starts, { ...filter, types }, bounds) : pickTrees(starts, bounds);
    const note = flat && filter?.role !== undefined ? noteOn(filter.role) : undefined;
    const cut = [
      ...(picks.roots.length > 0 && picks.shown < picks.total ? ["limit"] : []),
      ...(picks.deeper ? ["depth"] : []),
      ...(picks.hidden > 0 ? ["hidden"] : []),
      ...(leftOut.length > 0 ? ["applications"] : []),
      // A level more than is shown was read, to know whether there is one.
      ...starts.flatMap(({ snapshot }) => snapshot.origin.cut).filter((what) => what !== "depth"),
    ];
    return {
      elements: picks.roots.map((picked) => reported(context, picked)),
      apps: starts.map(({ application: { name, pid, id } }) => ({
        name,
        pid,
        ...defined({ id }),
      })),
      shown: picks.shown,
      total: picks.total,
      hidden: picks.hidden,
      cut: [...new Set(cut)],
      left_out: leftOut,
      ...defined({ note }),
    };
  },
});

async function placeOf(context: Context, input: z.infer<typeof Input>): Promise<Place> {
  const { app, element, x, y } = input;
  switch (input.scope) {
    case "system":
      return await everywhere(context, input.skip ?? []);
    case "focused":
      return await focused(context);
    case "application":
      return { what: "applications", applications: [await applicationFor(context, app)] };
    case "position":
      if (x === undefined || y === undefined) throw missing("x and y", "position");
      return await underPoint(context, x, y);
    case "element":
      if (element === undefined) throw missing("element", "element");
      return await byId(context, element, app);
  }
}

function missing(what: string, scope: string): BackstepError {
  return new BackstepError("invalid", `Cannot explore: the scope ${scope} needs ${what}`);
}

function reported(context: Context, { start, row, children }: Picked): Explored {
  const { application, snapshot } = start;
  const element = snapshot.element(row);
  const id = context.elements?.keep({ application, element }) ?? writeUiPath(snapshot, row);
  const role = row === start.row ? start.role : undefined;
  return {
    ...exploredOf(snapshot, row, { id, ...defined({ role }) }),
    ...(children.length === 0 ? {} : { children: children.map((child) => reported(context, child)) }),
  };
}

/** A role that nothing can have here is worth a word: an empty answer looks the same for a misspelt one. */
function noteOn(role: string): string | undefined {
  if (canonicalType(role) === role && role.startsWith("AX")) return undefined;
  const near = nearTypes(role.startsWith("AX") ? role : `AX${role}`).filter((name) => name.startsWith("AX"));
  return `No element has the role "${role.slice(0, 60)}" here.${
    near.length > 0 ? ` Near: ${near.join(", ")}.` : ""
  }`;
}

function toText({ elements, shown, total, cut }: Exploration): string {
  const lines: string[] = [];
  const write = (element: Explored, depth: number) => {
    const { role, name, value, capabilities, children } = element;
    const more = value === undefined ? "" : ` = ${JSON.stringify(value)}`;
    lines.push(`${"  ".repeat(depth)}- ${role} ${JSON.stringify(name)}${more} (${capabilities.join(", ")})`);
    for (const child of children ?? []) write(child, depth + 1);
  };
  for (const element of elements) write(element, 0);
  if (cut.length > 0) lines.push(`(${shown} of ${total}; cut: ${cut.join(", ")})`);
  return lines.length === 0 ? "nothing" : lines.join("\n");
}
