import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { BackstepError, toBackstepError } from "../../base/error.ts";
import { AX_WORKFLOW } from "../../tools/compose/workflow.ts";
import type { Arguments, Command } from "../command.ts";
import type { Io } from "../io.ts";
import { usage } from "../arguments.ts";

const FORMATS = ["yaml", "ts", AX_WORKFLOW] as const;

/** `backstep convert <file> --to <format>`. */
export const convert: Command = {
  name: "convert",
  summary: "Write a workflow as YAML, as a TypeScript program, or as the arguments of ax_workflow",
  details: [
    "Reads a workflow file (.yaml), or the arguments of the MCP tool ax_workflow (.json). Comments of the file " +
    "are not kept.",
    "What the other format cannot say is an error that names each step, key and line. Nothing is written then.",
  ],
  positionals: [{
    name: "file",
    description: "A workflow file, or arguments of ax_workflow",
    required: true,
  }],
  options: [
    { name: "to", kind: "string", value: "<format>", choices: FORMATS, description: "The format to write" },
    {
      name: "output",
      kind: "string",
      value: "<file>",
      description: "Write this file, which may not exist yet; default: standard output",
    },
  ],
  examples: [
    "backstep convert workflows/form.yaml --to ts --output form.ts",
    "backstep convert steps.json --to yaml",
  ],
  run: convertFile,
};

async function convertFile(args: Arguments, io: Io): Promise<number> {
  const format = FORMATS.find((one) => one === args.string("to"));
  if (format === undefined) {
    throw usage(convert, `--to is needed: ${FORMATS.join(", ")}`);
  }
  const [file = ""] = args.positionals;
  const { readRecording, writeRecording } = await import("../../record/output/convert.ts");
  const { readSource } = await import("../../record/read-source.ts");
  const { catalogue } = await import("../../catalogue.ts");
  const { readSelector, strategies } = await import("../../desktop/selector/mod.ts");
  const options = {
    file,
    operations: catalogue,
    checkSelector: (text: string, strategy?: string) => {
      readSelector(text, strategies.find((one) => one === strategy));
    },
  };
  const text = writeRecording(readRecording(readSource(file), options), format, options);
  const output = args.string("output");
  if (output === undefined) {
    io.json({ file, to: format, text });
    io.exact(text);
    return 0;
  }
  const path = resolve(output);
  try {
    writeFileSync(path, text, { flag: "wx" });
  } catch (thrown) {
    throw notWritten(output, thrown);
  }
  io.json({ file, to: format, output: path });
  io.text(`Wrote ${output}\n`);
  return 0;
}

function notWritten(file: string, thrown: unknown): BackstepError {
  const { message } = toBackstepError(thrown);
  const taken = thrown instanceof Error && "code" in thrown && thrown.code === "EEXIST";
  return new BackstepError("io", `Cannot write ${file}: ${taken ? "it exists already" : message}`, {
    hint: "Name a file that does not exist yet, in a folder that does.",
    cause: thrown,
  });
}
