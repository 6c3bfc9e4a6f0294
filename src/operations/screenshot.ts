import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Buffer } from "node:buffer";
import { z } from "zod";
import { BackstepError } from "../base/error.ts";
import { writeWithin } from "../base/within.ts";
import { defined } from "../base/defined.ts";
import { READS } from "../contract/effect.ts";
import { type Context, defineOperation } from "../contract/operation.ts";
import { asFault, confine, confined, isMissing } from "./confine.ts";
import { pictureOf, Region } from "./picture-of.ts";
import { encodePng } from "./png.ts";
import { locate, Target, targetText } from "./target.ts";

/** Pictures the screen, a window, an element or a region. */
export const screenshot = defineOperation({
  name: "screenshot",
  title: "Take a screenshot of the screen, a window or an element",
  description:
    "Takes a screenshot of the screen, an application's window, an element or a region, as a PNG file " +
    "or in the result.",
  input: z.strictObject({
    app: z.string().min(1).optional().describe(
      "The application whose window to use; default: the whole screen.",
    ),
    window: z.int().min(0).optional().describe("The number of the window, from 0; default: the active one."),
    target: Target.optional().describe("An element."),
    region: Region.optional().describe(
      "A part, measured from the upper left corner of the window or screen.",
    ),
    path: z.string().min(1).max(4_000).optional().describe(
      "A file below the folder of the workflow, in an existing folder.",
    ),
    inline: z.boolean().optional().describe("Return the PNG in base64. Default false."),
  }),
  output: z.strictObject({
    width: z.int(),
    height: z.int(),
    path: z.string().optional(),
    mime_type: z.literal("image/png"),
    data: z.string().optional().describe("Base64."),
  }),
  hints: READS,
  views: {
    yaml: { verb: "screenshot", scalar: (value) => ({ path: String(value) }) },
    cli: {
      command: "screenshot",
      positionals: [],
      options: [
        { property: "path", name: "output", kind: "path", description: "The file to write" },
        { property: "target", name: "element", description: "Only this element" },
        { property: "window", kind: "number", description: "Which window, from 0" },
        { property: "inline", kind: "boolean", description: "Base64 in the answer" },
      ],
      examples: ["backstep screenshot --app gedit --output gedit.png"],
      toText: ({ width, height, path }) => `${width}x${height}${path === undefined ? "" : ` ${path}`}`,
    },
  },
  resolve: async (context, input) => {
    if (input.path !== undefined) {
      await requireFolder(await confine(context, input.path, "write"), input.path);
    }
    return input.target === undefined
      ? undefined
      : await locate(context, input.target, "attached", ["extents"]);
  },
  effect: () => "read",
  subject: (input) => input.target === undefined ? input.app ?? "screen" : targetText(input.target),
  async act(context, input, match) {
    const { frame } = await pictureOf(context, input, match);
    const png = encodePng(frame);
    const path = input.path === undefined ? undefined : await write(context, input.path, png);
    return {
      width: frame.width,
      height: frame.height,
      ...defined({ path }),
      mime_type: "image/png" as const,
      ...(input.inline === true ? { data: Buffer.from(png).toString("base64") } : {}),
    };
  },
});

/** Where it was written. */
async function write(context: Context, given: string, png: Uint8Array): Promise<string> {
  const { path, roots } = await confined(context, given, "write");
  try {
    writeWithin(path, roots, png);
    return path;
  } catch (thrown) {
    throw asFault(thrown, "write", given);
  }
}

/** Before the picture is taken: a folder that is misspelt is not made. */
async function requireFolder(path: string, given: string): Promise<void> {
  try {
    if ((await stat(dirname(path))).isDirectory()) return;
  } catch (thrown) {
    if (!isMissing(thrown)) throw asFault(thrown, "write", given);
  }
  throw new BackstepError("io", `Cannot write ${given}: there is no folder ${dirname(given)}`, {
    hint: "Make the folder first.",
  });
}
