import type { Command } from "../command.ts";

/** `backstep diff <run> <run>`. */
export const diff: Command = {
  name: "diff",
  summary: "Show the first event in which two runs differ",
  details: [
    "Both journals are gone through event for event: what was done, what it was given, what was found before and after, and " +
    "what it answered. Times, process ids and places on the screen do not count.",
    "Inputs, images and answers are sealed; without the keys of both runs they are left out, which is said.",
    "It ends with 0 when the runs are the same, and with 1 when they are not.",
  ],
  positionals: [
    {
      name: "first",
      description: "A run's id, a beginning of it that only one has, or its folder",
      required: true,
    },
    { name: "second", description: "The other one", required: true },
  ],
  options: [],
  examples: ["backstep diff 20261121-040000-a1b2c3 20261121-040500-d4e5f6"],
  async run(args, io) {
    const { diffRuns } = await import("../../engine/diff.ts");
    const { diffLines } = await import("../../report/diff.ts");
    const { stateFolder } = await import("../../session/lease.ts");
    const [first = "", second = ""] = args.positionals;
    const found = diffRuns(stateFolder(), first, second);
    io.json(found);
    io.text(`${diffLines(found, io.style, io.terminal ? io.columns : 200).join("\n")}\n`);
    return found.same && found.context.length === 0 ? 0 : 1;
  },
};
