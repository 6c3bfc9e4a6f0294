import type { ToolDefinition } from "../../tool.ts";
import { ACTS, AS_TASK } from "./parts.ts";

/** Tools that run programs of the caller. */
export const script = {
  ax_run_script: {
    name: "ax_run_script",
    title: "Run AppleScript/JXA",
    description:
      "Runs AppleScript or JavaScript for Automation, which exist on macOS only, and answers what it printed. What it does " +
      "cannot be taken back; in safe mode it is refused.",
    inputSchema: {
      type: "object",
      properties: {
        script: { type: "string", description: "The source" },
        language: { type: "string", enum: ["applescript", "jxa"], default: "applescript" },
        timeout_ms: { type: "integer", default: 10000 },
      },
      required: ["script"],
    },
    annotations: { ...ACTS, openWorldHint: true },
    execution: AS_TASK,
  },
} as const satisfies Readonly<Record<string, ToolDefinition>>;
