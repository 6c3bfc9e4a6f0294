import { z } from "zod";
import { SETS } from "../contract/effect.ts";
import { defineOperation } from "../contract/operation.ts";
import { focus as giveFocus } from "../desktop/actions/focus.ts";
import { focusOf } from "../participants/focus.ts";
import { Outcome, outcomeOf, outcomeText, subjectOf } from "./outcome.ts";
import { locate, Target } from "./target.ts";
import { uncover } from "./uncover.ts";

/** Gives an element the keyboard focus. */
export const focus = defineOperation({
  name: "focus",
  title: "Give an element the keyboard focus",
  description: "Gives an element the keyboard focus, brings its window to the front, and checks the focus.",
  input: z.strictObject({ target: Target }),
  output: Outcome,
  hints: { ...SETS, destructive: false },
  views: {
    yaml: { verb: "focus", scalar: (value) => ({ target: String(value) }) },
    cli: {
      command: "focus",
      positionals: [{
        property: "target",
        name: "query",
        description: "The element",
        required: true,
        rest: true,
      }],
      options: [],
      examples: [`backstep focus 'textfield[name="Name"]'`],
      toText: (output) => outcomeText("focused", output),
    },
  },
  resolve: (context, input) => locate(context, input.target),
  effect: () => "restorable",
  reaches: () => [],
  protects: (_input, match) => [focusOf(match)],
  subject: (_input, match) => subjectOf(match),
  async act(context, _input, match) {
    await uncover(context, match);
    return outcomeOf(match, await giveFocus(context.desktop, match.element, context.deadline));
  },
});
