import { z } from "zod";
import { BackstepError } from "../base/error.ts";
import { READS } from "../contract/effect.ts";
import { defineOperation } from "../contract/operation.ts";
import { labelOf } from "../participants/element.ts";
import { readLines } from "../vision/ocr-backend.ts";
import type { ReadWord } from "../vision/words.ts";
import { kindOf } from "./kind.ts";
import { pictureOf, Region } from "./picture-of.ts";
import { encodePng } from "./png.ts";
import { locate, Target, targetText } from "./target.ts";

/** Lines that an answer has at most. */
const MOST_LINES = 500;

/** Reads what is drawn. */
export const readText = defineOperation({
  name: "read-text",
  title: "Read the text in a picture of an element or a part of the screen",
  description:
    "Takes a screenshot of an element, an application's window or a part of the screen, and reads the text in it by " +
    "OCR on this machine. This is for text that accessibility does not report: letters may be misread, so " +
    "prefer `value` where an element has one. English only.",
  input: z.strictObject({
    target: Target.optional().describe("An element; default: the window of `app`, else the whole screen."),
    app: z.string().min(1).optional().describe("The application whose window to read."),
    window: z.int().min(0).optional().describe("The number of the window, from 0; default: the active one."),
    region: Region.optional().describe(
      "A part, measured from the upper left corner of the element, window or screen.",
    ),
  }),
  output: z.strictObject({
    text: z.string().describe("All lines, from top to bottom."),
    lines: z.array(z.strictObject({
      text: z.string(),
      confidence: z.number().describe("From 0 to 1: of its least certain word."),
      position: z.tuple([z.int(), z.int()]).describe("Upper left corner, relative to the screen."),
      size: z.tuple([z.int(), z.int()]),
    })),
    confidence: z.number().describe("From 0 to 1: of the least certain word; 0 where nothing was read."),
    cut: z.int().describe("How many more lines there were."),
  }),
  hints: READS,
  timeout: 60_000,
  views: {
    yaml: { verb: "read_text", scalar: (value) => ({ target: String(value) }) },
    cli: {
      command: "read-text",
      positionals: [{ property: "target", name: "query", description: "The element", rest: true }],
      options: [{ property: "window", kind: "number", description: "Which window, from 0" }],
      examples: ["backstep read-text 'canvas' --app gimp", "backstep read-text --app gedit"],
      toText: ({ text, cut }) => cut === 0 ? text : `${text}\n… ${cut} more lines`,
      found: ({ text }) => text !== "",
    },
  },
  resolve: async (context, { target }) =>
    target === undefined ? undefined : await locate(context, target, "attached", ["extents"]),
  effect: () => "read",
  subject: ({ target, app }) => target === undefined ? app ?? "screen" : targetText(target),
  async act(context, input, match) {
    if (match && kindOf(match.snapshot, match.row) === "secure") {
      throw new BackstepError("secure", `Cannot read the text of ${labelOf(match)}: it is a password field`);
    }
    // A letter that is misread would keep it from being masked.
    if (await context.showsSecret?.()) {
      throw new BackstepError(
        "secure",
        "Cannot read the text of a picture: something on the desktop shows a secret of the run",
        {
          hint: "Read it before the secret is typed, or once nothing shows it.",
        },
      );
    }
    const { frame, x, y } = await pictureOf(context, input, match);
    const read = await readLines(frame, encodePng, context.deadline.call());
    const all = read.filter((words) => words.length > 0).map((words) => lineOf(words, x, y))
      .sort((a, b) => a.position[1] - b.position[1] || a.position[0] - b.position[0]);
    const lines = all.slice(0, MOST_LINES);
    return {
      text: lines.map(({ text }) => text).join("\n"),
      lines,
      confidence: Math.min(...lines.map(({ confidence }) => confidence), lines.length === 0 ? 0 : 1),
      cut: all.length - lines.length,
    };
  },
});

/** The words of a line, where they lie on the screen. */
function lineOf(words: readonly ReadWord[], left: number, top: number) {
  const x = Math.min(...words.map(({ rect }) => rect.x));
  const y = Math.min(...words.map(({ rect }) => rect.y));
  const pair = (a: number, b: number): [number, number] => [a, b];
  return {
    text: words.map(({ text }) => text).join(" "),
    confidence: Math.min(...words.map(({ confidence }) => confidence)),
    position: pair(left + x, top + y),
    size: pair(
      Math.max(...words.map(({ rect }) => rect.x + rect.width)) - x,
      Math.max(...words.map(({ rect }) => rect.y + rect.height)) - y,
    ),
  };
}
