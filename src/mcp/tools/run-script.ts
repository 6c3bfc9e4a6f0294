import { axRunScript } from "../../tools/script/run-script.ts";
import { ToolFailure } from "../server/failure.ts";
import { toolErrorOf } from "../server/errors.ts";
import { scriptBlocked } from "../security/guard-refusals.ts";
import { requireArguments } from "./arguments.ts";
import { served } from "./serve.ts";

/** Runs AppleScript or JXA, where there is such a thing. */
export const runScript = served(axRunScript, async (args, call) => {
  requireArguments(axRunScript, args);
  const limit = Number(args["timeout_ms"] ?? 10_000);
  call.progress("Compiling script", 0, 3);
  try {
    const { output, effect } = await call.session.act(axRunScript.name, args, call);
    call.progress("Complete", 3, 3);
    return { structured: output, log: { effect, language: args["language"] ?? "applescript" } };
  } catch (thrown) {
    const failure = toolErrorOf(thrown);
    // What may not run anyway is refused for that, also where there is nothing to run it.
    if (failure.kind === "ScriptUnavailable" && call.session.host.security.mode === "safe") {
      throw scriptBlocked().failure;
    }
    if (failure.kind !== "ScriptTimeout") throw thrown;
    throw new ToolFailure("ScriptTimeout", `The script was ended: it took longer than ${limit} ms`, {
      suggestion: failure.suggestion,
      data: { timeout_ms: limit },
      cause: thrown,
    });
  }
});
