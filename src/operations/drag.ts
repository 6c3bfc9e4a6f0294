import { z } from "zod";
import { ACTS } from "../contract/effect.ts";
import { defineOperation } from "../contract/operation.ts";
import { dragTo } from "../desktop/hands/drag.ts";
import { labelOf } from "../participants/element.ts";
import { Duration, milliseconds } from "./duration.ts";
import { holdersOf } from "./effects.ts";
import { kindOf } from "./kind.ts";
import { Outcome, outcomeOf, outcomeText } from "./outcome.ts";
import { locate, type Match, Target } from "./target.ts";

/** Both ends. */
interface Ends {
  readonly from: Match;
  readonly to: Match;
}

/** Drags one element onto another. */
export const drag = defineOperation({
  name: "drag",
  title: "Drag one element onto another",
  description:
    "Drags with the pointer from the middle of one element to the middle of another, in small steps, and drops there. " +
    "What that does is not known beforehand: assert it.",
  input: z.strictObject({
    from: Target.describe("What is dragged."),
    to: Target.describe("What it is dropped on."),
    duration: Duration.optional().describe("How long the way takes; default 500 ms."),
  }),
  output: Outcome,
  hints: ACTS,
  timeout: 30_000,
  views: {
    yaml: { verb: "drag" },
    cli: {
      command: "drag",
      positionals: [
        { property: "from", description: "What is dragged", required: true },
        { property: "to", description: "What it is dropped on", required: true },
      ],
      options: [
        { property: "duration", kind: "time", description: "How long the way takes; default 500ms" },
      ],
      examples: [`backstep drag 'listitem[name="First"]' 'listitem[name="Third"]'`],
      toText: (output) => outcomeText("dragged", output),
    },
  },
  async resolve(context, input): Promise<Ends> {
    const from = await locate(context, input.from);
    return { from, to: await locate(context, input.to) };
  },
  // The knob of a slider is put back by its value; anything else is a command.
  effect: (_input, { from }) => kindOf(from.snapshot, from.row) === "number" ? "restorable" : "irreversible",
  protects: (_input, { from }) => holdersOf(from),
  subject: (_input, { from, to }) => `${labelOf(from)} onto ${labelOf(to)} of ${from.application.name}`,
  async act(context, input, { from, to }) {
    const { desktop, deadline } = context;
    const duration = milliseconds(input.duration ?? 500);
    return outcomeOf(from, await dragTo(desktop, from.element, to.element, duration, deadline));
  },
});
