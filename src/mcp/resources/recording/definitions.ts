import type { ResourceDefinition, TemplateDefinition } from "../../server/resource.ts";

const MADE_BY_READING = { audience: ["user" as const], priority: 0.1 };

/** The addresses of recordings. */
export const RECORDING_RESOURCES: readonly ResourceDefinition[] = [
  {
    uri: "axterminator://recording/start",
    name: "recording-start",
    title: "Start Recording",
    description:
      "Reading it begins to record what a person does with keyboard and pointer, once a person has agreed. One recording a " +
      "session; it ends with axterminator://recording/stop, with the session, or at its limits. Do not read it ahead.",
    mimeType: "application/json",
    annotations: MADE_BY_READING,
  },
  {
    uri: "axterminator://recording/stop",
    name: "recording-stop",
    title: "Stop Recording",
    description:
      "Reading it ends the recording. It answers the steps in the form that ax_workflow takes, what that form cannot say, and " +
      "the same as a workflow file. Passwords are in neither. Read again, it answers the same until the next recording.",
    mimeType: "application/json",
    annotations: MADE_BY_READING,
  },
  {
    uri: "axterminator://recording/status",
    name: "recording-status",
    title: "Recording Status",
    description:
      "Whether a recording is under way, since when, and how many steps it has. Can be subscribed to.",
    mimeType: "application/json",
    annotations: { audience: ["user", "assistant"], priority: 0.4 },
  },
];

/** The same with what can be asked for. */
export const RECORDING_TEMPLATES: readonly TemplateDefinition[] = [
  {
    uriTemplate: "axterminator://recording/stop{?save}",
    name: "recording-stop-save",
    title: "Stop Recording and Save It",
    description:
      "The same, and the workflow file is written: `save` is a new file, such as workflows/rename.yaml, below the first folder " +
      "that the client offers as a root.",
    mimeType: "application/json",
    annotations: MADE_BY_READING,
  },
];
