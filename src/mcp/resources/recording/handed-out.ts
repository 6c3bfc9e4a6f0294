import { BackstepError, type Json } from "../../../base/error.ts";
import { defined } from "../../../base/defined.ts";
import { toJson } from "../../../base/json.ts";
import type { RecordedStep } from "../../../record/output/model.ts";
import type { ResourceContents } from "../../server/resource.ts";
import { DATA_NOTE } from "../../server/untrusted.ts";
import type { Finished } from "./client-recording.ts";

/** Below this a recorder was not sure of a step. */
const SURE = 0.8;

/** A recording as it is handed out. */
export interface HandedOut {
  readonly yaml: string;
  readonly contents: (uri: string, saved: string | undefined) => readonly ResourceContents[];
}

/** The steps as `ax_workflow` takes them, what that cannot say, and the same as a workflow file. */
export async function handedOut({ recording, why, error }: Finished): Promise<HandedOut> {
  const [{ catalogue }, { writeYaml }, { toolStepsOf }] = await Promise.all([
    import("../../../catalogue.ts"),
    import("../../../record/output/write-yaml.ts"),
    import("../../../record/output/write-ax.ts"),
  ]);
  const { steps, leftOut } = toolStepsOf(recording);
  const yaml = writeYaml(recording, catalogue);
  const document = {
    name: recording.name,
    steps,
    complete: leftOut.length === 0,
    left_out: leftOut.map((one) => ({ ...one, hint: hintOf(one.why) })),
    not_sure: recording.steps.flatMap(doubtOf),
    secrets: recording.settings.secrets ?? [],
    reason: why,
    ...defined({ app: recording.settings.app, error: error?.message }),
  };
  const _meta = { note: DATA_NOTE };
  return {
    yaml,
    contents: (uri, saved) => [
      {
        uri,
        mimeType: "application/json",
        text: JSON.stringify(toJson({ ...document, ...defined({ saved }) })),
        _meta,
      },
      { uri, mimeType: "application/yaml", text: yaml, _meta },
    ],
  };
}

function hintOf(why: string): string {
  return why.includes("{{secrets.")
    ? "What was typed is known to nobody here: a person gives it, or the workflow file is run with the secret."
    : "Run the workflow file, which has this step.";
}

function doubtOf(step: RecordedStep, index: number): Json[] {
  const { confidence = 1, comment, alternatives } = step;
  return confidence >= SURE ? [] : [{ step: index + 1, confidence, ...defined({ comment, alternatives }) }];
}

/** The file is not there, and may not be. */
export function notSaved(save: string, why: string, hint: string): BackstepError {
  return new BackstepError("refused", `Cannot save the recording as ${save.slice(0, 200)}: ${why}`, { hint });
}
