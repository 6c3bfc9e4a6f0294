import { defineTool } from "../tool.ts";
import { AS_TASK, WRITES } from "../parts.ts";

/** In a file a step may have no arguments, and a time is a number. */
const STEPS = {
  items: {
    properties: { wait_after_ms: { type: "number", minimum: 0 }, retry: { minimum: 0 } },
    required: ["tool"],
  },
} as const;

/** Its name, which is also that of files with its arguments. */
export const AX_WORKFLOW = "ax_workflow";

/** Several tools as one. */
export const axWorkflow = defineTool({
  name: "ax_workflow",
  title: "Execute composed workflow",
  description:
    "Calls several tools one after another as one transaction. A step that fails and says rollback has those before it " +
    "rolled back, as far as they can be; each value that is restored is read back. Arguments may hold what earlier steps " +
    "answered: {{step_1.value}}. A call that is cancelled rolls its steps back.",
  inputSchema: {
    type: "object",
    properties: {
      steps: {
        type: "array",
        items: {
          type: "object",
          properties: {
            tool: { type: "string", description: "Name of the tool: ax_click, ax_type, ax_wait_idle…" },
            args: { type: "object", description: "Its arguments" },
            on_fail: { type: "string", enum: ["rollback", "skip", "abort"], default: "abort" },
            wait_after_ms: {
              type: "integer",
              description: "Milliseconds to wait after this step",
              default: 0,
            },
            retry: { type: "integer", description: "How often it is tried again", default: 0 },
          },
          required: ["tool", "args"],
        },
      },
      name: { type: "string", description: "What logs call it" },
    },
    required: ["steps"],
  },
  outputSchema: {
    type: "object",
    properties: {
      success: { type: "boolean" },
      steps_completed: { type: "integer" },
      steps_total: { type: "integer" },
      results: { type: "array", items: { type: "object" } },
      rolled_back: { type: "boolean" },
      error: { type: "string" },
      verdict: {
        type: "string",
        enum: ["restored", "rebuilt", "drift", "failed"],
        description:
          "What the rollback came to; only restored and rebuilt mean that all was read back as it was",
      },
      not_rolled_back: {
        type: "array",
        items: { type: "string" },
        description: "What the rollback had to leave, by tool and name",
      },
    },
    required: ["success", "steps_completed", "steps_total"],
  },
  annotations: WRITES,
  execution: AS_TASK,
  toolset: "compose",
  ours: { output: ["verdict", "not_rolled_back"] },
  step: { kind: "transaction", amends: { steps: STEPS } },
});
