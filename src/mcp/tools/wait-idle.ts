import { axWaitIdle } from "../../tools/observe/wait-idle.ts";
import { look } from "./look.ts";
import { served } from "./serve.ts";

/** Milliseconds between two words about how long it has waited. */
const PACE = 500;

/** Waits until an application comes to rest. */
export const waitIdle = served(axWaitIdle, async (args, call) => {
  const limit = Number(args["timeout_ms"] ?? 5_000);
  const began = performance.now();
  const reported = () => {
    const waited = performance.now() - began;
    call.progress(
      `Waiting... (${seconds(waited)} / ${seconds(limit)})`,
      Math.min(waited, limit),
      limit + PACE,
    );
  };
  const timer = setInterval(reported, PACE);
  try {
    const { result } = await look(axWaitIdle, args, call);
    call.progress("App idle", limit + PACE, limit + PACE);
    return { structured: result, log: { idle: result["idle"] ?? false } };
  } finally {
    clearInterval(timer);
  }
});

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1).replace(/\.0$/, "")}s`;
}
