import { Buffer } from "node:buffer";
import { z } from "zod";
import { defined } from "../base/defined.ts";
import { defineOperation } from "../contract/operation.ts";
import type { Frame, Rect } from "../desktop/desktop.ts";
import { readPng } from "../checks/visual/read-png.ts";
import { visionFor } from "../vision/vision.ts";
import { READS } from "../contract/effect.ts";
import { pictureOf, Region } from "./picture-of.ts";
import { encodePng } from "./png.ts";
import process from "node:process";

/** Characters of base64 that a given picture may have: 20 MB of PNG. */
const MOST_BASE64 = 28_000_000;
/** The largest picture that is shown inside of an answer, in bytes of PNG. */
const MOST_SHOWN = 5_000_000;

const output = z.strictObject({
  found: z.boolean(),
  position: z.tuple([z.int(), z.int()]).optional().describe(
    "Upper left corner, relative to the screen, or to the given screenshot.",
  ),
  size: z.tuple([z.int(), z.int()]).optional(),
  center: z.tuple([z.int(), z.int()]).optional().describe("Where to click."),
  confidence: z.number().describe(
    "From 0 to 1, as the backend reports it; if nothing was found, for that result.",
  ),
  vlm_backend: z.string().describe(
    "The backend that was used: sampling, anthropic, openai, gemini, ollama, mlx or ocr.",
  ),
  tried: z.array(z.strictObject({ backend: z.string(), error: z.string() })).describe(
    "The backends that failed, and why.",
  ),
  data: z.string().optional().describe("The screenshot with a frame around the result: a PNG in base64."),
});

/** Finds what is described in a picture of an application. */
export const findVisual = defineOperation({
  name: "find-visual",
  title: "Find something in a screenshot of an application by its description",
  description:
    "Takes a screenshot of an application's window, and asks a vision model, or OCR on this machine, " +
    "to find what is described. This is for things that accessibility does not report. With a vision " +
    "model, the screenshot leaves this machine.",
  input: z.strictObject({
    app: z.string().min(1).optional().describe(
      "The application whose window to use; default: the whole screen.",
    ),
    description: z.string().min(1).max(1_000).refine((text) => text.trim() !== "", { message: "It is empty" })
      .describe("What it looks like, or the text on it."),
    screenshot: z.string().min(1).max(MOST_BASE64).optional().describe(
      "A PNG in base64 to search instead of a screenshot.",
    ),
    region: Region.optional().describe("Only this part, measured from the corner of the window or screen."),
    inline: z.boolean().optional().describe(
      "Return the screenshot with a frame around the result. Default false.",
    ),
  }),
  output,
  hints: { ...READS, openWorld: true },
  traits: { asksVision: true },
  timeout: 90_000,
  views: {
    yaml: { verb: "find_visual", scalar: (description) => ({ description: String(description) }) },
    cli: {
      command: "find-visual",
      positionals: [{
        property: "description",
        description: "What it looks like",
        required: true,
        rest: true,
      }],
      options: [],
      examples: ['backstep find-visual "the red Delete button" --app gedit'],
      toText,
      found: ({ found }) => found,
    },
  },
  resolve: () => Promise.resolve(undefined),
  effect: () => "read",
  subject: (input) => JSON.stringify(input.description),
  async act(context, input) {
    context.progress("Capturing screenshot");
    const given = input.screenshot;
    const taken = given === undefined
      ? await pictureOf(context, input, undefined)
      : { frame: await readPng(Buffer.from(given, "base64"), "the given screenshot"), x: 0, y: 0 };
    context.progress("Running VLM inference");
    const vision = context.vision ?? visionFor({ env: (name) => process.env[name], encode: encodePng });
    const { rect, confidence, backend, tried } = await vision.locate(
      taken.frame,
      input.description,
      context.deadline.call(),
    );
    context.progress("Parsing result");
    const data = input.inline === true ? shownPng(taken.frame, rect) : undefined;
    return {
      found: rect !== undefined,
      ...(rect ? placeOf(rect, taken.x, taken.y, taken.frame.scale) : {}),
      confidence,
      vlm_backend: backend,
      tried: [...tried],
      ...defined({ data }),
    };
  },
});

function placeOf(found: Rect, left: number, top: number, scale = 1) {
  const points = (pixels: number) => Math.round(pixels / scale);
  const rect = {
    x: points(found.x),
    y: points(found.y),
    width: points(found.width),
    height: points(found.height),
  };
  const [x, y] = [left + rect.x, top + rect.y];
  const pair = (a: number, b: number): [number, number] => [a, b];
  return {
    position: pair(x, y),
    size: pair(rect.width, rect.height),
    center: pair(x + Math.floor(rect.width / 2), y + Math.floor(rect.height / 2)),
  };
}

/** The picture with a red frame, of white on both sides, around what was found; undefined where it is too large. */
function shownPng(frame: Frame, rect: Rect | undefined): string | undefined {
  const copy = { ...frame, rgba: frame.rgba.slice() };
  if (rect) {
    for (const [out, colour] of [[4, 255], [3, 0], [2, 0], [1, 255]] as const) {
      outline(copy, rect, out, colour);
    }
  }
  const png = encodePng(copy);
  return png.length > MOST_SHOWN ? undefined : Buffer.from(png).toString("base64");
}

/** One line around a rectangle, `out` pixels outside of it: white where `colour` is 255, else red. */
function outline(frame: Frame, rect: Rect, out: number, colour: 0 | 255): void {
  const [left, top] = [rect.x - out, rect.y - out];
  const [right, bottom] = [rect.x + rect.width - 1 + out, rect.y + rect.height - 1 + out];
  const dot = (x: number, y: number) => {
    if (x < 0 || y < 0 || x >= frame.width || y >= frame.height) return;
    frame.rgba.set([255, colour, colour, 255], 4 * (y * frame.width + x));
  };
  for (let x = left; x <= right; x++) {
    dot(x, top);
    dot(x, bottom);
  }
  for (let y = top; y <= bottom; y++) {
    dot(left, y);
    dot(right, y);
  }
}

function toText(reported: z.infer<typeof output>): string {
  const { found, position = [0, 0], size = [0, 0], confidence, vlm_backend: backend, tried } = reported;
  const lines = tried.map(({ backend, error }) => `${backend} could not say: ${error}`);
  lines.push(
    found
      ? `at ${position.join(",")} size ${size.join("x")} (${backend}, confidence ${confidence.toFixed(2)})`
      : `nothing like it (${backend})`,
  );
  return lines.join("\n");
}
