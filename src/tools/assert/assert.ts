import { asList, asMap } from "../../base/json.ts";
import { defined } from "../../base/defined.ts";
import { defineTool, type ToolArguments } from "../tool.ts";
import { target } from "../inputs.ts";
import { APP, ONCE, PATIENCE, QUERY, READS, WHICH } from "../parts.ts";
import { queryOf } from "../wording.ts";

/** Compares an element with what is expected. */
export const axAssert = defineTool({
  name: "ax_assert",
  title: "Assert element state",
  description:
    "Compares an element with what it is expected to be, waiting shortly for that to come true, and lists what differs.",
  inputSchema: {
    type: "object",
    properties: {
      app: APP,
      query: QUERY,
      assertions: {
        type: "object",
        description: "What is expected: exists, enabled, focused, value, title, role, visible, contains_text",
        properties: {
          exists: { type: "boolean" },
          enabled: { type: "boolean" },
          focused: { type: "boolean" },
          value: { type: "string" },
          title: { type: "string" },
          role: { type: "string" },
          visible: { type: "boolean" },
          contains_text: { type: "string" },
        },
      },
      ...WHICH,
      timeout_ms: { type: "integer", description: "How long it may take to come true (default: 1000)" },
    },
    required: ["app", "query", "assertions"],
  },
  outputSchema: {
    type: "object",
    properties: {
      passed: { type: "boolean" },
      failures: {
        type: "array",
        items: {
          type: "object",
          properties: { property: { type: "string" }, expected: {}, actual: {} },
        },
      },
      count: { type: "integer", description: "How many elements match" },
    },
    required: ["passed"],
  },
  annotations: READS,
  toolset: "assert",
  ours: { input: ["nth", "within", "timeout_ms"], output: ["count"] },
  traits: { sandboxed: true, searches: true },
  step: {
    kind: "operation",
    operation: "assert",
    amends: { timeout_ms: PATIENCE },
    toInput: asserted,
    toLook: (args) => ({ timeout: ONCE, ...asserted(args), must_pass: false }),
    toArguments: ({ target, timeout: timeout_ms, ...assertions }) =>
      defined({ ...queryOf(target), assertions, timeout_ms }),
    standsFor: { wait: waited },
    toResult: (output) => {
      const { passed, failures, count } = asMap(output);
      return defined({ passed, failures, count });
    },
  },
  log: ({ passed = false, failures }) => ({ passed, failures: asList(failures).length }),
});

/** Milliseconds that `wait` waits where it does not say. */
const WAITS = 10_000;
/** What is expected in place of each state that is waited for, and what of the elements with that query may be it. */
const AWAITED: Readonly<Record<string, readonly [expected: ToolArguments, those: string]>> = {
  exists: [{ exists: true }, ""],
  gone: [{ exists: false }, ""],
  visible: [{ exists: true }, ":visible"],
  hidden: [{ exists: false }, ":visible"],
  enabled: [{ exists: true }, ":enabled"],
  focused: [{ exists: true }, ":focused"],
};

function waited(
  { target, for: state = "visible", timeout = WAITS }: ToolArguments,
): ToolArguments | undefined {
  const { query, strategy, ...where } = queryOf(target);
  const found = AWAITED[String(state)];
  // More can be said of which element it is where the query is a selector, and no plain text.
  const selects = typeof query === "string" && strategy === undefined && /[\])]$/.test(query);
  if (found === undefined || !selects || where["nth"] !== undefined) return undefined;
  const [assertions, those] = found;
  return { ...where, query: `${query}${those}`, assertions, timeout_ms: timeout };
}

function asserted({ assertions, timeout_ms: timeout, ...args }: ToolArguments): ToolArguments {
  return defined({ target: target(args), ...asMap(assertions), timeout });
}
