import { z } from "zod";
import { defined } from "../base/defined.ts";
import { WRITES } from "../contract/effect.ts";
import { defineOperation } from "../contract/operation.ts";
import { press } from "../desktop/actions/press.ts";
import { inOwnMode, requireInput } from "../desktop/mode.ts";
import { focusOf } from "../participants/focus.ts";
import { clickEffect, holdersOf } from "./effects.ts";
import { Outcome, outcomeOf, outcomeText, subjectOf } from "./outcome.ts";
import { kindOf } from "./kind.ts";
import { locate, Target, targetText } from "./target.ts";
import { bringOut, uncover } from "./uncover.ts";

/** Clicks an element. */
export const click = defineOperation({
  name: "click",
  title: "Click an element",
  description:
    "Clicks an element: with its own accessible action where this does the same as one left click, " +
    "otherwise with the pointer. A field gets the focus. A row does what a click on it does, unlike " +
    "`select`. Toggles, tabs, fields and rows are read back.",
  input: z.strictObject({
    target: Target,
    count: z.union([z.literal(1), z.literal(2), z.literal(3)]).optional()
      .describe("1, 2 for a double click, 3 for a triple click; default 1."),
    button: z.enum(["left", "right", "middle"]).optional().describe("Default left."),
    modifiers: z.array(z.enum(["ctrl", "shift", "alt", "super"])).max(4).optional()
      .describe(
        "Keys held during the click: ctrl adds a row to a selection, shift extends it. The click then " +
          "uses the pointer.",
      ),
    background: z.boolean().optional()
      .describe(
        "Refuse to take the keyboard, the pointer or the active window. Default: only with mode: background.",
      ),
  }),
  output: Outcome,
  hints: WRITES,
  views: {
    yaml: { verb: "click", scalar: (value) => ({ target: String(value) }) },
    cli: {
      command: "click",
      positionals: [{
        property: "target",
        name: "query",
        description: "The element",
        required: true,
        rest: true,
      }],
      options: [
        { property: "count", kind: "number", description: "2 for a double click, 3 for a triple click" },
        { property: "button", description: "left, right or middle" },
        { property: "background", kind: "boolean", description: "Do not take keyboard, pointer or focus" },
      ],
      examples: ['backstep click "Submit" --app gedit', `backstep click 'button[name="Save"]' --count 2`],
      toText: (output) => outcomeText("clicked", output),
    },
  },
  resolve(context, input) {
    return inOwnMode(context.desktop, input.background, async (desktop) => {
      // No action stands for these, whatever the element is.
      if (isPointing(input)) {
        requireInput(desktop, `click ${targetText(input.target)} ${wayOf(input)}`, "pointer");
      }
      return await locate({ ...context, desktop }, input.target);
    });
  },
  effect(input, match) {
    if (input.button === "right") return "observed";
    if (input.button === "middle") return "irreversible";
    // A link opens elsewhere with ctrl, a button may do anything: only what is chosen by a click stays in its group.
    if ((input.modifiers?.length ?? 0) > 0 && !isItem(match) && !isText(match)) return "irreversible";
    const effect = clickEffect(match);
    // A double click opens what a single one selects.
    return (input.count ?? 1) > 1 && effect !== "observed" && !isText(match) ? "irreversible" : effect;
  },
  // A click writes nothing into a password field: rolled back as if it had, what a person typed there would be cleared.
  protects: (_input, match) =>
    kindOf(match.snapshot, match.row) === "secure" ? [focusOf(match)] : holdersOf(match),
  reaches: (_input, match) => [{ by: "press", doing: "click", spot: match }],
  subject: (_input, match) => subjectOf(match),
  async act(context, input, match) {
    const { count, button, modifiers } = input;
    const options = defined({ count, button, modifiers });
    const done = await inOwnMode(
      context.desktop,
      input.background,
      async (desktop) => {
        const bring = isPointing(input) ? bringOut : uncover;
        await bring({ desktop, deadline: context.deadline }, match);
        return await press(desktop, match.element, options, context.deadline);
      },
    );
    return outcomeOf(match, done);
  },
});

/** How is clicked. */
interface Way {
  readonly count?: number | undefined;
  readonly button?: string | undefined;
  readonly modifiers?: readonly string[] | undefined;
}

/** Is it a click for which no action stands? */
function isPointing({ count = 1, button = "left", modifiers = [] }: Way): boolean {
  return count > 1 || button !== "left" || modifiers.length > 0;
}

function wayOf({ count = 1, button = "left", modifiers = [] }: Way): string {
  if (modifiers.length > 0) return `with ${modifiers.join("+")} held`;
  return button === "left" ? `${count} times` : `with the ${button} button`;
}

function isItem(match: Parameters<typeof clickEffect>[0]): boolean {
  return kindOf(match.snapshot, match.row) === "item";
}

function isText(match: Parameters<typeof clickEffect>[0]): boolean {
  return match.snapshot.has(match.row, "editable");
}
