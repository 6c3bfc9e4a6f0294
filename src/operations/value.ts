import { z } from "zod";
import { READS } from "../contract/effect.ts";
import { defineOperation } from "../contract/operation.ts";
import { contentOf } from "../desktop/content.ts";
import type { NumericValue } from "../desktop/desktop.ts";
import { axOf } from "../desktop/vocabulary.ts";
import { labelOf } from "../participants/element.ts";
import { brief } from "./element-info.ts";
import { kindOf } from "./kind.ts";
import { subjectOf } from "./outcome.ts";
import { FULL, locate, Target } from "./target.ts";
import { valueOf } from "./value-of.ts";

/** Reads the value of an element. */
export const value = defineOperation({
  name: "value",
  title: "Read the value of an element: a text, a number, a choice",
  description:
    "Reads the value of an element: a text, a number with its range, whether it is checked, or the " +
    "current choice. The content of a password field is never read.",
  input: z.strictObject({ target: Target }),
  output: z.strictObject({
    target: z.string(),
    role: z.string().describe("The AX role: AXTextField…"),
    name: z.string(),
    app: z.string(),
    kind: z.string().describe("text, number, toggle, radio, container, item, opener or other."),
    value: z.union([z.string(), z.number(), z.boolean(), z.null()]).describe("null: it has none."),
    truncated: z.boolean().optional().describe("The text is longer than the part that was read."),
    range: z.strictObject({ minimum: z.number(), maximum: z.number(), step: z.number() }).optional(),
  }),
  hints: READS,
  views: {
    yaml: { verb: "value", scalar: (target) => ({ target: String(target) }) },
    cli: {
      command: "value",
      positionals: [{
        property: "target",
        name: "query",
        description: "The element",
        required: true,
        rest: true,
      }],
      options: [],
      examples: [`backstep value 'slider[name="Volume"]'`],
      toText: ({ value }) => String(value ?? ""),
    },
  },
  resolve: (context, input) => locate(context, input.target, "attached", FULL),
  effect: () => "read",
  subject: (_input, match) => subjectOf(match),
  async act(context, _input, match) {
    const { snapshot, row, element, application } = match;
    const found = valueOf(snapshot, row);
    const kind = kindOf(snapshot, row);
    // The snapshot holds the beginning of a text only.
    const whole = typeof found === "string" && snapshot.text(row) !== undefined && kind !== "container"
      ? await context.desktop.read(element, context.deadline.call())
      : undefined;
    const range = rangeOf(snapshot.value(row));
    return {
      target: labelOf(match),
      role: axOf(snapshot, row).role,
      name: brief(snapshot.name(row)),
      app: application.name,
      kind,
      value: (whole && contentOf(whole)) ?? found,
      ...(whole?.textCut === true ? { truncated: true } : {}),
      ...(kind === "number" && range !== undefined ? { range } : {}),
    };
  },
});

/** The range of a number; undefined where an application tells none, or half of one. */
function rangeOf(
  value: NumericValue | undefined,
): { minimum: number; maximum: number; step: number } | undefined {
  if (value === undefined) return undefined;
  const { minimum, maximum, step } = value;
  return [minimum, maximum, step].every(Number.isFinite) ? { minimum, maximum, step } : undefined;
}
