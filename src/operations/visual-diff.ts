import { Buffer } from "node:buffer";
import { z } from "zod";
import { BackstepError } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import { VISUAL_MODES } from "../checks/visual/modes.ts";
import { readPng } from "../checks/visual/read-png.ts";
import { only, type Variant, VARIANT_KEYS, writesBaseline } from "../contract/baselines.ts";
import { keyValue, readBaselineName } from "../contract/baseline-name.ts";
import { READS } from "../contract/effect.ts";
import { type Context, defineOperation } from "../contract/operation.ts";
import type { Frame } from "../desktop/desktop.ts";
import { appearanceOf } from "../session/appearance.ts";
import { Duration, milliseconds } from "./duration.ts";
import { Region } from "./picture-of.ts";
import { encodePng } from "./png.ts";
import { locate, Target, targetText } from "./target.ts";
import { type Verdict, VisualWatch } from "./visual-watch.ts";
import { unlike } from "./visual-unlike.ts";

const Ignore = z.union([
  Region.describe("A part, from the upper left corner of the picture."),
  Target.describe("Elements: everything that the selector matches."),
]);

const Differences = z.array(z.unknown());

/** What the picture is compared with: a baseline of the project, or one that came with the call. */
interface Wanted {
  readonly frame: Frame;
  readonly bytes: Uint8Array;
  /** For people and results: a `baseline:` URI, or "the picture given". */
  readonly name: string;
  /** Where a new one would be written; undefined: it came with the call. */
  readonly variant?: Variant;
}

/** Compares what the screen shows with a picture of before. */
export const visualDiff = defineOperation({
  name: "visual-diff",
  title: "Fail unless a window looks like its baseline",
  description:
    "Compares a screenshot of a window, an element or the screen with a baseline, and waits until it " +
    "matches. When it fails, the error has the places that differ, the elements there, and images of " +
    "both and of the difference.",
  input: z.strictObject({
    baseline: z.string().min(1).max(50_000_000).describe(
      "A file below `baselines/`: editor.png or baseline:editor.png?scale=2; or a PNG in base64.",
    ),
    app: z.string().min(1).optional().describe(
      "The application whose window to use; default: the whole screen.",
    ),
    window: z.int().min(0).optional().describe("The number of the window, from 0; default: the active one."),
    target: Target.optional().describe("Only this element."),
    region: Region.optional().describe(
      "A part, measured from the upper left corner of the window or screen.",
    ),
    mode: z.enum(VISUAL_MODES).optional().describe(
      "pixel: strictly, except for antialiasing (default); perceptual: as a person sees it; " +
        "pixelmatch: as npm's pixelmatch.",
    ),
    threshold: z.number().min(0).max(100).optional().describe(
      "Percentage of the pixels that may differ; default 1.",
    ),
    tolerance: z.number().min(0).max(255).optional().describe(
      "How much one pixel may differ: of 255 (pixel, default 8), ΔE*94 (perceptual, 5), of 1 (pixelmatch, 0.1).",
    ),
    ignore: z.array(Ignore).max(100).optional().describe("Parts and elements that are not compared."),
    noise_frames: z.int().min(2).max(60).optional().describe(
      "Take this number of screenshots, a tenth of a second apart, and do not compare what changes among them.",
    ),
    timeout: Duration.optional().describe("How long it may take to match; default 5 s."),
    must_pass: z.boolean().optional().describe(
      "Fail unless it matches. Default true; false: only return the differences, if the sizes are the same.",
    ),
    inline: z.boolean().optional().describe(
      "With `must_pass: false`: return the image of the difference in base64. Default false.",
    ),
  }),
  output: z.strictObject({
    passed: z.boolean().describe("false only with `must_pass: false`; otherwise this is an error."),
    diff_percentage: z.number(),
    diff_pixels: z.int(),
    total_pixels: z.int().describe("The number of compared pixels."),
    ignored_pixels: z.int(),
    antialiased_pixels: z.int().describe(
      "Pixels that differ only in antialiasing; they do not count as different.",
    ),
    baseline: z.string(),
    written: z.enum(["missing", "changed", "all"]).optional().describe("Why the baseline was written."),
    width: z.int(),
    height: z.int(),
    mode: z.enum(VISUAL_MODES),
    waited_ms: z.int(),
    differences: Differences.optional().describe("Places that differ, the largest first."),
    data: z.string().optional().describe("The image of the difference: a PNG in base64."),
  }),
  hints: READS,
  timeout: 120_000,
  views: {
    yaml: { verb: "visual_diff", scalar: (baseline) => ({ baseline: String(baseline) }) },
    cli: {
      command: "visual-diff",
      positionals: [{ property: "baseline", description: "A file below ./baselines", required: true }],
      options: [
        { property: "target", name: "element", description: "Only this element" },
        { property: "window", kind: "number", description: "Which window, from 0" },
        { property: "mode", description: "pixel (default), perceptual or pixelmatch" },
        {
          property: "threshold",
          kind: "number",
          description: "Per cent of the pixels that may differ; default 1",
        },
        { property: "tolerance", kind: "number", description: "What one pixel may be off" },
        { property: "timeout", kind: "time", description: "How long it may take to match; default 5s" },
      ],
      examples: ["backstep visual-diff editor.png --app gedit --threshold 0.1"],
      toText: ({ baseline, diff_pixels, total_pixels }) =>
        `matches ${baseline}: ${diff_pixels} of ${total_pixels} pixels differ`,
    },
  },
  resolve: async (context, { baseline, target }) => {
    if (!isPicture(baseline)) readBaselineName(baseline);
    return target === undefined ? undefined : await locate(context, target, "attached", ["extents"]);
  },
  effect: () => "read",
  subject: ({ baseline, target, app }) =>
    `${isPicture(baseline) ? "the picture given" : baseline}${
      target === undefined ? app === undefined ? "" : ` of ${app}` : ` of ${targetText(target)}`
    }`,
  async act(context, input, match) {
    const started = performance.now();
    const { mode = "pixel", threshold = 1 } = input;
    const limit = milliseconds(input.timeout ?? 5_000);
    const variant = isPicture(input.baseline) ? {} : await variantOf(context);
    const wanted = await baselineOf(context, input.baseline, variant);
    const watch = new VisualWatch(
      context,
      { ...input, mode, threshold },
      match,
      context.deadline.within(limit),
    );
    try {
      const answer = (verdict: Verdict, uri: string, written?: "missing" | "changed" | "all") => ({
        passed: verdict.comparison?.passed ?? true,
        ...numbers(verdict),
        baseline: uri,
        ...defined({ written }),
        width: verdict.taken.frame.width,
        height: verdict.taken.frame.height,
        mode,
        waited_ms: Math.round(performance.now() - started),
      });
      const update = async (verdict: Verdict, why: "missing" | "changed" | "all", to: Variant) => {
        const stored = await context.baselines.store(input.baseline, to, encodePng(verdict.taken.frame));
        context.progress(`${stored.uri} was written (${why})`);
        return answer({ ...verdict, comparison: undefined }, stored.uri, why);
      };
      const { mode: updating } = context.baselines;
      if (wanted === undefined) {
        if (!writesBaseline(updating, "missing")) throw noBaseline(input.baseline, variant, context);
        return await update(await watch.stable(), "missing", variant);
      }
      if (wanted.variant && writesBaseline(updating, "same")) {
        return await update(await watch.stable(), "all", wanted.variant);
      }
      await watch.learn(input.noise_frames ?? 0);
      const verdict = await watch.until(wanted.frame);
      if (verdict.comparison?.passed) return answer(verdict, wanted.name);
      if (wanted.variant && writesBaseline(updating, "differs")) {
        return await update(await watch.stable(), "changed", wanted.variant);
      }
      const { app, must_pass = true, inline = false } = input;
      const { error, picture } = await unlike({
        context,
        wanted,
        verdict,
        match,
        mode,
        threshold,
        app,
        limit,
      });
      if (must_pass || picture === undefined) throw error;
      return {
        ...answer(verdict, wanted.name),
        differences: Differences.parse(error.details?.["differences"] ?? []),
        ...(inline ? { data: Buffer.from(picture).toString("base64") } : {}),
      };
    } finally {
      watch.close();
    }
  },
});

/** The numbers of the wire schema, and those beside them. */
export function numbers({ comparison, taken }: Verdict) {
  const { width, height } = taken.frame;
  return {
    diff_percentage: comparison?.percentage ?? 0,
    diff_pixels: comparison?.different ?? 0,
    total_pixels: comparison?.total ?? width * height,
    ignored_pixels: comparison?.ignored ?? 0,
    antialiased_pixels: comparison?.antialiased ?? 0,
  };
}

const DATA = "data:image/png;base64,";
/** The signature of a PNG in base64. */
const BEGIN = "iVBORw0KGgo";

function isPicture(baseline: string): boolean {
  return baseline.startsWith(DATA) || baseline.startsWith(BEGIN);
}

async function baselineOf(context: Context, given: string, variant: Variant): Promise<Wanted | undefined> {
  if (isPicture(given)) {
    const bytes = new Uint8Array(
      Buffer.from(given.startsWith(DATA) ? given.slice(DATA.length) : given, "base64"),
    );
    return { frame: await readPng(bytes, "that was given"), bytes, name: "the picture given" };
  }
  const found = await context.baselines.find(given, variant);
  if (found === undefined) return undefined;
  const { bytes, uri, variant: keys } = found;
  return { frame: await readPng(bytes, uri), bytes, name: uri, variant: keys };
}

async function variantOf({ session }: Context): Promise<Variant> {
  const { platform, scale, theme, font } = await appearanceOf(session);
  const said: Readonly<Record<string, string>> = { platform, scale, theme, font };
  return only(VARIANT_KEYS.map((key) => [key, keyValue(said[key] ?? "")]));
}

function noBaseline(given: string, variant: Variant, { baselines }: Context): BackstepError {
  return new BackstepError("not_found", `Cannot compare with ${given}: there is no such baseline`, {
    hint: "`backstep run <file> --update-baselines missing` creates it from the screen.",
    details: { baseline: given, folder: baselines.folder, variant: { ...variant } },
  });
}
