import { z } from "zod";
import { WRITES } from "../contract/effect.ts";
import { defineOperation } from "../contract/operation.ts";
import { hover as rest } from "../desktop/actions/hover.ts";
import { requireInput } from "../desktop/mode.ts";
import { focusOf } from "../participants/focus.ts";
import { holdersOf } from "./effects.ts";
import { kindOf } from "./kind.ts";
import { Outcome, outcomeOf, outcomeText, subjectOf } from "./outcome.ts";
import { locate, Target, targetText } from "./target.ts";
import { bringOut, lookAt } from "./uncover.ts";

/** Rests the pointer on an element. */
export const hover = defineOperation({
  name: "hover",
  title: "Rest the pointer on an element",
  description:
    "Moves the pointer to the middle of an element and leaves it there, so that a tooltip or what shows only under " +
    "the pointer appears. What is out of view, or under a header, is scrolled to first. It presses nothing; wait for " +
    "what appears. A rollback restores the focus, and leaves the pointer where it is.",
  input: z.strictObject({ target: Target }),
  output: Outcome,
  hints: { ...WRITES, destructive: false, idempotent: true },
  views: {
    yaml: { verb: "hover", scalar: (value) => ({ target: String(value) }) },
    cli: {
      command: "hover",
      positionals: [{
        property: "target",
        name: "query",
        description: "The element",
        required: true,
        rest: true,
      }],
      options: [],
      examples: [`backstep hover 'button[name="Save"]' --app gedit`],
      toText: (output) => outcomeText("rested on", output),
    },
  },
  async resolve(context, input) {
    requireInput(context.desktop, `rest the pointer on ${targetText(input.target)}`, "pointer");
    // What is disabled may well say why; what is out of view is scrolled to.
    return await locate(context, input.target, "attached", ["extents"]);
  },
  // It changes nothing that is kept: what it showed goes by itself.
  effect: () => "restorable",
  // No control is pressed by it.
  reaches: () => [],
  // A menu may open where the pointer rests.
  protects: (_input, match) =>
    kindOf(match.snapshot, match.row) === "opener" ? holdersOf(match) : [focusOf(match)],
  subject: (_input, match) => subjectOf(match),
  async act(context, _input, match) {
    const { place, unmet: cover } = await lookAt(context, match.element);
    const beneath = cover?.wayOut ? { beneath: cover } : {};
    await bringOut(context, { ...match, ...place, ...beneath });
    const done = await rest(context.desktop, match.element, context.deadline);
    // A tooltip may lie there that goes when the pointer moves: what has no way out is no reason not to try.
    const covered = cover !== undefined && cover.wayOut === undefined;
    const warning = covered ? { warning: `${cover.sentence}, which the pointer may rest on` } : {};
    return outcomeOf(match, { ...done, ...warning });
  },
});
