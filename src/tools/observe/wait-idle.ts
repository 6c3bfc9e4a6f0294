import { defined } from "../../base/defined.ts";
import { defineTool } from "../tool.ts";
import { APP, AS_TASK, READS } from "../parts.ts";

/** Waits until an application comes to rest. */
export const axWaitIdle = defineTool({
  name: "ax_wait_idle",
  title: "Wait for application idle",
  description:
    "Waits until an application has been quiet for a while. It is heard of by events: poll_ms is accepted and not needed.",
  inputSchema: {
    type: "object",
    properties: {
      app: APP,
      timeout_ms: { type: "integer", default: 5000 },
      poll_ms: { type: "integer", default: 100 },
      quiet_ms: { type: "integer", description: "How long nothing may happen (default: 200)" },
    },
    required: ["app"],
  },
  outputSchema: {
    type: "object",
    properties: {
      idle: { type: "boolean" },
      waited_ms: { type: "integer" },
      events: { type: "integer", description: "How many came meanwhile" },
    },
    required: ["idle"],
  },
  annotations: READS,
  execution: AS_TASK,
  toolset: "observe",
  ours: { input: ["quiet_ms"] },
  traits: { ownWords: true },
  step: {
    kind: "operation",
    operation: "wait-idle",
    amends: { timeout_ms: { minimum: 0 }, poll_ms: { minimum: 0 }, quiet_ms: { minimum: 1 } },
    toInput: ({ app, timeout_ms, quiet_ms: quiet }) => defined({ app, timeout_ms, quiet }),
    toArguments: ({ app, timeout_ms, quiet: quiet_ms }) => defined({ app, timeout_ms, quiet_ms }),
    toResult: (output) => output,
  },
});
