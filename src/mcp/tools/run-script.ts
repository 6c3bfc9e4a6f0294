import { ToolFailure } from "../failure.ts";
import { toolErrorOf } from "../errors.ts";
import type { Tool } from "../tool.ts";
import { DEFINITIONS } from "./definitions/mod.ts";
import { requireArguments } from "./form.ts";

/** Runs AppleScript or JXA, where there is such a thing. */
export const runScript: Tool = {
  toolset: "script",
  definition: DEFINITIONS.ax_run_script,
  async run(args, call) {
    await requireArguments("ax_run_script", args);
    const limit = Number(args["timeout_ms"] ?? 10_000);
    call.progress("Compiling script", 0, 3);
    try {
      const { output, effect } = await call.session.act("ax_run_script", args, call);
      call.progress("Complete", 3, 3);
      return { structured: output, log: { effect, language: args["language"] ?? "applescript" } };
    } catch (thrown) {
      const failure = toolErrorOf(thrown);
      if (failure.kind !== "ScriptTimeout") throw thrown;
      throw new ToolFailure("ScriptTimeout", `The script was ended: it took longer than ${limit} ms`, {
        suggestion: failure.suggestion,
        data: { timeout_ms: limit },
        cause: thrown,
      });
    }
  },
};
