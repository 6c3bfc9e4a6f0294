import { z } from "zod";
import { WRITES } from "../contract/effect.ts";
import { type Context, defineOperation } from "../contract/operation.ts";
import { dragTo } from "../desktop/actions/drag.ts";
import { labelOf } from "../participants/element.ts";
import { Duration, milliseconds } from "./duration.ts";
import { holdersOf } from "./effects.ts";
import { kindOf } from "./kind.ts";
import { Outcome, outcomeOf, outcomeText } from "./outcome.ts";
import { locate, type Match, Target } from "./target.ts";
import { bringOut } from "./uncover.ts";

/** A place of the screen. */
const Point = z.strictObject({
  x: z.int().describe("Pixels from the left of the screen."),
  y: z.int().describe("Pixels from the top of the screen."),
});
type Point = z.infer<typeof Point>;

/** Both ends. */
interface Ends {
  readonly from: Match | Point;
  readonly to: Match | Point;
}

/** Drags one element onto another. */
export const drag = defineOperation({
  name: "drag",
  title: "Drag an element, or between two places",
  description:
    "Drags with the pointer from the middle of one element to the middle of another, in small steps, " +
    "and drops there. Either end may also be a place on the screen, `{ x, y }`. The effect is not " +
    "known beforehand, so assert it.",
  input: z.strictObject({
    from: z.union([Target, Point]).describe("The element or place to drag from."),
    to: z.union([Target, Point]).describe("The element or place to drop on."),
    duration: Duration.optional().describe("How long the movement takes; default 500 ms."),
  }),
  output: Outcome,
  hints: WRITES,
  timeout: 30_000,
  views: {
    yaml: { verb: "drag" },
    cli: {
      command: "drag",
      positionals: [
        { property: "from", description: "The element or place to drag from", required: true },
        { property: "to", description: "The element or place to drop on", required: true },
      ],
      options: [
        { property: "duration", kind: "time", description: "How long the movement takes; default 500ms" },
      ],
      examples: [`backstep drag 'listitem[name="First"]' 'listitem[name="Third"]'`],
      toText: (output) => outcomeText("dragged", output),
    },
  },
  async resolve(context, input): Promise<Ends> {
    const from = await endOf(context, input.from);
    return { from, to: await endOf(context, input.to) };
  },
  // The knob of a slider is restored by its value; anything else is a command.
  effect: (_input, { from }) =>
    isElement(from) && kindOf(from.snapshot, from.row) === "number" ? "restorable" : "irreversible",
  protects: (_input, { from }) => isElement(from) ? holdersOf(from) : [],
  reaches: (_input, { from, to }) =>
    [from, to].map((end) =>
      isElement(end)
        ? { by: "press", doing: "drag on", spot: end }
        : { by: "point", doing: "drag on", x: end.x, y: end.y }
    ),
  subject: (_input, { from, to }) => `${nameOf(from)} onto ${nameOf(to)}${ownerOf(from, to)}`,
  async act(context, input, { from, to }) {
    const { desktop, deadline } = context;
    for (const end of [to, from]) if (isElement(end)) await bringOut(context, end);
    const duration = milliseconds(input.duration ?? 500);
    const [start, stop] = [isElement(from) ? from.element : from, isElement(to) ? to.element : to];
    const done = await dragTo(desktop, start, stop, duration, deadline);
    return outcomeOf(isElement(from) ? from : undefined, done);
  },
});

async function endOf(context: Context, end: Target | Point): Promise<Match | Point> {
  return typeof end === "object" && "x" in end ? end : await locate(context, end);
}

function isElement(end: Match | Point): end is Match {
  return "element" in end;
}

function nameOf(end: Match | Point): string {
  return isElement(end) ? labelOf(end) : `${end.x}, ${end.y}`;
}

function ownerOf(...ends: readonly (Match | Point)[]): string {
  const found = ends.find(isElement);
  return found ? ` of ${found.application.name}` : "";
}
