import { extname } from "node:path";
import { BackstepError } from "../../base/error.ts";
import { toJson } from "../../base/json.ts";
import { equalJson } from "../../contract/participant.ts";
import { type Recording, withoutNotes } from "./model.ts";
import { AX_WORKFLOW } from "../../tools/compose/workflow.ts";
import { isToolWorkflow } from "../../workflow/tool-workflow.ts";
import { readToolWorkflow } from "./read-ax.ts";
import { type ReadOptions, readYaml } from "./read-yaml.ts";
import { writeToolWorkflow } from "./write-ax.ts";
import { writeProgram } from "./write-ts.ts";
import { writeYaml } from "./write-yaml.ts";

/** What a list of steps can be written as. */
export const FORMATS = ["yaml", "ts", AX_WORKFLOW] as const;
/** One of them. */
export type RecordingFormat = typeof FORMATS[number];

/** A workflow file, or the arguments of `ax_workflow`, as a list of steps. Throws `workflow` for what is none. */
export function readRecording(source: Uint8Array | string, options: ReadOptions): Recording {
  if (/^\.[cm]?[jt]s$/.test(extname(options.file))) {
    throw new BackstepError(
      "workflow",
      `Cannot read ${options.file}: it is a program, whose steps are known only when it runs`,
      {
        place: { file: options.file, line: 1, column: 1 },
        hint: "A workflow file (.yaml) and the arguments of ax_workflow (.json) can be read.",
      },
    );
  }
  return isToolWorkflow(source) ? readToolWorkflow(source, options) : readYaml(source, options);
}

/**
 * A list of steps in a format. What was written and can be read is read back: it says the same. Throws `workflow` for what
 * the format cannot say, with each step and place.
 */
export function writeRecording(recording: Recording, format: RecordingFormat, options: ReadOptions): string {
  const { file, operations } = options;
  if (format === "ts") return writeProgram(recording, { file, operations });
  const text = format === "yaml" ? writeYaml(recording, operations) : writeToolWorkflow(recording, file);
  const back = format === "yaml" ? readYaml(text, options) : readToolWorkflow(text, options);
  // Of `ax_workflow` the tools write numbers as texts, and applications beside each element: it is compared written once more.
  const same = format === "yaml"
    ? equalJson(toJson(withoutNotes(back)), toJson(withoutNotes(recording)))
    : writeToolWorkflow(back, file) === text;
  if (same) return text;
  throw new BackstepError("internal", `Cannot write ${file} as ${format}: what was written reads otherwise`);
}
