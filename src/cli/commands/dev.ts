import type { Command } from "../command.ts";
import { DESKTOP_OPTIONS } from "../desktop-options.ts";
import { DEBUG } from "../dev/debugger.ts";
import { CASE, ENV_FILE, ON_A_WORKFLOW, UPDATE_BASELINES } from "../workflow-file.ts";

/** `backstep dev <file>`. */
export const dev: Command = {
  name: "dev",
  summary: "Run a workflow file while you write it: a save goes on from the first step that changed",
  details: [
    "The desktop stays. A save of the file, or of a file that it runs, rolls the desktop back to before the first step that " +
    "changed, and runs on from there; the steps before are not run again. What cannot be rolled back is built anew: the " +
    "private desktop is replaced, and the steps before are run again. The output says which, and why.",
    "What fails stays as it is. Type a selector to see what it matches, `explain SELECTOR`, or `do STEP` to try a step; what " +
    "you tried is undone before the run goes on. `help` lists what else can be typed. With --format json the same are lines " +
    "on standard input, and events are lines on standard output.",
    "Of a program (.ts) the code runs from its beginning after each save; its steps that are the same are not done again.",
  ],
  positionals: [{ name: "file", description: "A workflow file (.yaml or .ts)", required: true }],
  options: [CASE, ENV_FILE, ...ON_A_WORKFLOW, ...DESKTOP_OPTIONS, UPDATE_BASELINES, ...DEBUG],
  examples: [
    "backstep dev workflows/form.yaml",
    "backstep dev rename.yaml --break rename.yaml:12",
  ],
  async run(args, io) {
    const { steered } = await import("../dev/steered.ts");
    return await steered(dev, args, io, true);
  },
};
