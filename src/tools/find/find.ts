import type { Json } from "../../base/error.ts";
import { asList, asMap } from "../../base/json.ts";
import { defined } from "../../base/defined.ts";
import { defineTool } from "../tool.ts";
import { target } from "../inputs.ts";
import { APP, PAIR, QUERY, READS, WHICH } from "../parts.ts";
import { text } from "../results.ts";
import { queryOf } from "../wording.ts";

/** Finds an element as it is now. */
export const axFind = defineTool({
  name: "ax_find",
  title: "Find UI element",
  description:
    "Finds an element by its title, role, identifier, a selector or an XPath, without waiting. Answers the first match and " +
    "how many there are; found: false where there is none. Words that are in no title are looked for in the picture too " +
    "(method: visual), unless a strategy is given. element_ref names it in later calls.",
  inputSchema: {
    type: "object",
    properties: {
      app: APP,
      query: QUERY,
      strategy: {
        type: "string",
        enum: ["auto", "exact", "contains", "regex", "role", "identifier", "xpath"],
        description: "How the query is meant; auto, which is the default, tries all seven",
      },
      ...WHICH,
    },
    required: ["app", "query"],
  },
  outputSchema: {
    type: "object",
    properties: {
      found: { type: "boolean" },
      method: { type: "string", description: "What found it: accessibility or visual" },
      strategy: { type: "string", description: "How the query was understood: title_exact, role_title…" },
      role: { type: "string" },
      title: { type: "string" },
      value: { type: "string" },
      position: { ...PAIR, description: "[x, y] on the screen" },
      size: { ...PAIR, description: "[width, height]" },
      enabled: { type: "boolean" },
      focused: { type: "boolean" },
      element_ref: {
        type: "string",
        description: "Names this element in later calls, as long as it lives",
      },
      app: { type: "string", description: "The application that was searched" },
      count: { type: "integer", description: "How many elements match" },
      visible: { type: "boolean", description: "It shows on the screen" },
      identifier: { type: "string", description: "The accessible identifier" },
      path: { type: "string", description: "A query that finds this one of several matches" },
      center: { ...PAIR, description: "Where to click what was found in the picture, for ax_click_at" },
      confidence: { type: "number", description: "Of what was found in the picture, from 0 to 1" },
      tried: {
        type: "array",
        items: { type: "object" },
        description: "Who could not look at the picture, and why",
      },
    },
    required: ["found"],
  },
  annotations: READS,
  toolset: "find",
  ours: {
    input: ["nth", "within"],
    output: ["app", "count", "visible", "identifier", "path", "center", "confidence", "tried"],
  },
  traits: { sandboxed: true, searches: true, helps: "words" },
  step: {
    kind: "operation",
    operation: "find",
    toInput: (args) => ({ target: target(args), required: true }),
    toLook: (args) => ({ target: target(args) }),
    toArguments: ({ target }) => queryOf(target),
    toResult: firstOf,
  },
});

/** The first element, and how many there are. */
function firstOf(output: Json): Json {
  const { found = false, app, count, strategy, elements } = asMap(output);
  const [first] = asList(elements);
  if (first === undefined) return defined({ found: false, app, count, strategy });
  const { ax_role: role, name: title, value, position, size, enabled, focused, visible, id, path, ref } =
    asMap(
      first,
    );
  return defined({
    found,
    method: "accessibility",
    strategy,
    role,
    title,
    value: text(value),
    position,
    size,
    enabled,
    focused,
    element_ref: ref,
    app,
    count,
    visible,
    identifier: id,
    path,
  });
}
