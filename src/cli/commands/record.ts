import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { BackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import { usage } from "../arguments.ts";
import type { Arguments, Command } from "../command.ts";
import { DESKTOP_OPTIONS } from "../desktop-options.ts";
import type { Io } from "../io.ts";
import { recorded } from "../record/recorded.ts";
import { recordOn, written } from "../record/record-on.ts";
import { continued } from "../record/run-up-to.ts";
import { writeWhole } from "../../record/output/write-whole.ts";
import { count } from "../../report/style.ts";
import { shownPath } from "../record/shown-path.ts";
import { typed } from "../typed.ts";
import { onOneDesktop } from "../with-session.ts";
import { ON_A_WORKFLOW } from "../workflow-file.ts";

/** `backstep record`. */
export const record: Command = {
  name: "record",
  summary: "Record what you do as a workflow",
  details: [
    "Watches keyboard, pointer and applications, and writes a step for each act: the element that was used, and what changed. " +
    "Texts are read from their fields, never from keys. What is typed into a password field is never read; the file asks " +
    "for a secret instead. A step that may be about another element has a comment that says so.",
    "On a terminal u undoes the last step, on the desktop and in the file; p pauses and goes on; a asserts the element " +
    "under the pointer; q or Ctrl-C ends the recording and writes the file. With --format json the same are lines on " +
    "standard input: undo, undo-file, pause, resume, assert [X,Y], end.",
    "--from runs a workflow up to one of its steps, and records on into the same file, after that step.",
  ],
  positionals: [],
  options: [
    ...ON_A_WORKFLOW.map((one) =>
      one.name === "app"
        ? { ...one, description: "The application of the steps; launched first on a new private desktop" }
        : one
    ),
    {
      name: "output",
      kind: "string",
      value: "<file>",
      description: "The workflow file to write; default recorded.yaml",
    },
    {
      name: "from",
      kind: "string",
      value: "<file>@<step>",
      description:
        "Run this file, or the file of this run, up to the step, and record on from there into the file",
    },
    { name: "force", kind: "boolean", description: "Overwrite the file if it exists" },
    ...DESKTOP_OPTIONS,
  ],
  examples: [
    "backstep record --app gedit --output rename.yaml",
    "backstep record --session k7f2m9 --app gnome-calculator --output sum.yaml --force",
    "backstep record --from rename.yaml@3",
    "backstep record --app gedit --format json",
  ],
  async run(args, io) {
    const from = args.string("from");
    if (from === undefined) return await recordNew(args, io);
    if (args.given("output") || args.given("force")) {
      throw usage(
        record,
        "--from writes into the file that it names, so it takes no --output and no --force",
      );
    }
    return await recordOn(record, await continued(record, args, from), args, io);
  },
};

async function recordNew(args: Arguments, io: Io): Promise<number> {
  const output = resolve(args.string("output") ?? "recorded.yaml");
  if (existsSync(output) && !args.boolean("force")) throw thereAlready(output);
  const app = args.string("app");
  return await onOneDesktop(record, args, io, defined({ app }), async (session, stop) => {
    const name = basename(output).replace(/\.ya?ml$/, "");
    const { RecordedEvidence } = await import("../../heal/recorded.ts");
    const evidence = new RecordedEvidence();
    const recording = await recorded(session, { name, ...defined({ app }) }, io, stop, evidence);
    const { arranged } = await import("../../record/output/arrange.ts");
    const { writeYaml } = await import("../../record/output/write-yaml.ts");
    const { catalogue } = await import("../../catalogue.ts");
    writeWhole(output, writeYaml(arranged(recording), catalogue));
    await written(output, recording, evidence, io);
    const file = shownPath(output);
    io.text(
      `${io.style.bold(file)}: ${count(recording.steps.length, "step")}\nRun it: ${typed(`run ${file}`)}\n`,
    );
    return 0;
  });
}

function thereAlready(file: string): BackstepError {
  return new BackstepError("refused", `Cannot record into ${file}: it exists`, {
    hint: "Give another --output, or --force to overwrite it, or record on in it: --from FILE@STEP.",
    details: { file },
  });
}
