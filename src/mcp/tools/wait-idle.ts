import type { Tool } from "../tool.ts";
import { DEFINITIONS } from "./definitions/mod.ts";
import { look } from "./form.ts";

/** Milliseconds between two words about how long it has waited. */
const PACE = 500;

/** Waits until an application comes to rest. */
export const waitIdle: Tool = {
  toolset: "observe",
  definition: DEFINITIONS.ax_wait_idle,
  async run(args, call) {
    const limit = Number(args["timeout_ms"] ?? 5_000);
    const began = performance.now();
    const told = () => {
      const waited = performance.now() - began;
      call.progress(
        `Waiting... (${seconds(waited)} / ${seconds(limit)})`,
        Math.min(waited, limit),
        limit + PACE,
      );
    };
    const timer = setInterval(told, PACE);
    try {
      const { result } = await look("ax_wait_idle", args, call);
      call.progress("App idle", limit + PACE, limit + PACE);
      return { structured: result, log: { idle: result["idle"] ?? false } };
    } finally {
      clearInterval(timer);
    }
  },
};

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1).replace(/\.0$/, "")}s`;
}
