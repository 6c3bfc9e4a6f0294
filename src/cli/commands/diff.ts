import { statSync } from "node:fs";
import { defined } from "../../base/defined.ts";
import { usage } from "../arguments.ts";
import type { Arguments, Command } from "../command.ts";
import type { Io } from "../io.ts";
import { VISUAL_MODES } from "../../checks/visual/modes.ts";

/** `backstep diff <run> <run>` and `backstep diff <picture> <picture>`: what the arguments are decides. */
export const diff: Command = {
  name: "diff",
  summary: "Show where two runs, or two images, differ",
  details: [
    "Two runs: shows the first event in which they differ. The journals are compared event by event: " +
    "actions, inputs, the states before and after, and results. Times, process ids and places on the " +
    "screen do not count.",
    "Inputs, states and results are encrypted. Without the keys of both runs they are not compared, " +
    "and the output says so.",
    "Two PNG files: shows how many pixels differ, and where. The files are never scaled. Without " +
    "--threshold, no pixel may differ. The exit code is 2 when one of them is not a PNG file.",
    "The exit code is 0 when both are the same, and 1 when they differ.",
  ],
  positionals: [
    {
      name: "first",
      description: "A run: its id, a unique beginning of it, or its folder; or a PNG file",
      required: true,
    },
    { name: "second", description: "The other one", required: true },
  ],
  options: [
    {
      name: "mode",
      kind: "string",
      value: "<how>",
      choices: VISUAL_MODES,
      description:
        "How pixels are compared: pixel: strictly, except for antialiasing (default); perceptual: as a " +
        "person sees them; pixelmatch: as npm's pixelmatch",
    },
    { name: "perceptual", kind: "boolean", description: "The same as --mode perceptual" },
    {
      name: "threshold",
      kind: "number",
      value: "<n>",
      description: "Percentage of the pixels that may differ; default 0",
    },
    {
      name: "output",
      kind: "string",
      value: "<file>",
      description: "Write an image of the difference, if there is one",
    },
  ],
  examples: [
    "backstep diff 20261121-040000-a1b2c3 20261121-040500-d4e5f6",
    "backstep diff before.png after.png --output difference.png",
  ],
  async run(args, io) {
    if (args.positionals.some(isPicture)) return await diffPictures(args, io);
    const given = ["mode", "perceptual", "threshold", "output"].find((name) => args.given(name));
    if (given !== undefined) throw usage(diff, `--${given} is for two pictures, and these are runs`);
    const { diffRuns } = await import("../../engine/journal/run-diff.ts");
    const { diffLines } = await import("../../report/diff.ts");
    const { stateFolder } = await import("../../session/lease.ts");
    const [first = "", second = ""] = args.positionals;
    const found = diffRuns(stateFolder(), first, second);
    io.json(found);
    io.text(`${diffLines(found, io.style, io.terminal ? io.columns : 200).join("\n")}\n`);
    return found.same && found.context.length === 0 ? 0 : 1;
  },
};

/** A run is never a file: what is one, or is called like one, is meant to be a picture. */
function isPicture(word: string): boolean {
  return /\.png$/i.test(word) || statSync(word, { throwIfNoEntry: false })?.isFile() === true;
}

async function diffPictures(args: Arguments, io: Io): Promise<number> {
  const { comparePngFiles } = await import("../../operations/png-files.ts");
  const { pictureLines } = await import("../../report/pictures.ts");
  const [first = "", second = ""] = args.positionals;
  const named = VISUAL_MODES.find((mode) => mode === args.string("mode"));
  const perceptual = args.boolean("perceptual");
  if (perceptual && named !== undefined && named !== "perceptual") {
    throw usage(diff, `--perceptual and --mode ${named} exclude each other`);
  }
  const threshold = args.number("threshold") ?? 0;
  if (threshold < 0 || threshold > 100) {
    throw usage(diff, `--threshold is 0 to 100 per cent, not ${threshold}`);
  }
  const output = args.string("output");
  const found = await comparePngFiles(first, second, {
    mode: perceptual ? "perceptual" : named ?? "pixel",
    threshold,
    ...defined({ output }),
  });
  io.json(found);
  io.text(`${pictureLines(found, io.style).join("\n")}\n`);
  return found.passed ? 0 : 1;
}
