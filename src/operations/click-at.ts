import { z } from "zod";
import { defined } from "../base/defined.ts";
import { WRITES } from "../contract/effect.ts";
import { defineOperation } from "../contract/operation.ts";
import type { Application, Window } from "../desktop/desktop.ts";
import { inputMethod } from "../desktop/actions/input-method.ts";
import { requireInput } from "../desktop/mode.ts";
import { contains } from "../desktop/rect.ts";
import { Outcome, outcomeText } from "./outcome.ts";

const Pixel = z.int().min(0).max(32_767);

/** What lies under the point. */
interface Under {
  readonly window: Window | undefined;
  readonly application: Application | undefined;
}

/** Clicks at a place of the screen. */
export const clickAt = defineOperation({
  name: "click-at",
  title: "Click at a place on the screen",
  description:
    "Clicks with the pointer at a place on the screen, whatever is there. The effect is not known " +
    "beforehand; prefer `click`, which has an element as its target.",
  input: z.strictObject({
    x: Pixel.describe("Pixels from the left of the screen."),
    y: Pixel.describe("Pixels from the top of the screen."),
    count: z.union([z.literal(1), z.literal(2), z.literal(3)]).optional().describe("Default 1."),
    button: z.enum(["left", "right", "middle"]).optional().describe("Default left."),
  }),
  output: Outcome,
  hints: WRITES,
  views: {
    yaml: { verb: "click_at" },
    cli: {
      command: "click-at",
      positionals: [
        { property: "x", kind: "number", description: "Pixels from the left", required: true },
        { property: "y", kind: "number", description: "Pixels from the top", required: true },
      ],
      options: [
        { property: "count", kind: "number", description: "2 for a double click, 3 for a triple click" },
        { property: "button", description: "left, right or middle" },
      ],
      examples: ["backstep click-at 200 120", "backstep click-at 200 120 --button right"],
      toText: (output) => outcomeText("clicked at", output),
    },
  },
  async resolve({ desktop, deadline }, { x, y }): Promise<Under> {
    requireInput(desktop, `click at ${x}, ${y}`, "pointer");
    if (!desktop.capabilities.windows) return { window: undefined, application: undefined };
    const windows = await desktop.windows(deadline.call());
    const window = windows.findLast(({ rect, minimised }) => !minimised && contains(rect, x, y));
    const applications = window === undefined ? [] : await desktop.applications(deadline.call());
    return { window, application: applications.find(({ pid }) => pid === window?.pid) };
  },
  effect: () => "irreversible",
  reaches: ({ x, y }) => [{ by: "point", doing: "click", x, y }],
  subject: ({ x, y }, under) => `${placeOf(x, y)}${ownerOf(under)}`,
  async act({ desktop, deadline }, { x, y, count = 1, button = "left" }, under) {
    await desktop.pointer({ do: "click", x, y, button, count }, deadline.call());
    const { application, window } = under;
    const app = application?.name ?? window?.title;
    return {
      target: placeOf(x, y),
      ...defined({ app }),
      method: inputMethod(desktop, "pointer"),
      verified: false,
    };
  },
});

function placeOf(x: number, y: number): string {
  return `the place ${x}, ${y}`;
}

/** Who would get it, as far as windows tell. */
function ownerOf({ application, window }: Under): string {
  if (application !== undefined) return ` of ${application.name}`;
  return window === undefined ? "" : ` of window ${JSON.stringify(window.title.slice(0, 60))}`;
}
