import type { ToolDefinition } from "../../tool.ts";
import { ACTS, AS_TASK } from "./parts.ts";

/** Tools made of other tools. */
export const compose = {
  ax_workflow: {
    name: "ax_workflow",
    title: "Execute composed workflow",
    description:
      "Calls several tools one after another as one transaction. A step that fails and says rollback has those before it " +
      "taken back, as far as they can be; each value that is put back is read back. Arguments may hold what earlier steps " +
      "answered: {{step_1.value}}. A call that is cancelled takes its steps back.",
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
            "What the way back came to; only restored and rebuilt mean that all was read back as it was",
        },
        not_rolled_back: {
          type: "array",
          items: { type: "string" },
          description: "What the way back had to leave, by tool and name",
        },
      },
      required: ["success", "steps_completed", "steps_total"],
    },
    annotations: ACTS,
    execution: AS_TASK,
  },
} as const satisfies Readonly<Record<string, ToolDefinition>>;
