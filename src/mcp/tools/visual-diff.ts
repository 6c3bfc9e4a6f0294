import { BackstepError } from "../../base/error.ts";
import { axVisualDiff } from "../../tools/assert/visual-diff.ts";
import { ToolFailure } from "../server/failure.ts";
import { elementThere } from "./element-there.ts";
import { look } from "./look.ts";
import { pictureOf } from "./screenshot.ts";
import { served } from "./serve.ts";

/** Characters of base64 of a picture that goes with an answer. */
const MOST = 5_000_000;

/** Compares a picture with a baseline; what differs is an answer, with a picture of it. */
export const visualDiff = served(axVisualDiff, async (args, call) => {
  call.progress("Capturing current", 0, 3);
  await elementThere(args["app"], args["query"], call);
  try {
    const { output, result } = await look(axVisualDiff, args, call);
    call.progress("Computing diff", 1, 3);
    const data = output["data"];
    const content = typeof data === "string" && data.length <= MOST ? [pictureOf(data)] : [];
    call.progress(content.length > 0 ? "Generating overlay" : "Nothing to show", 3, 3);
    return {
      structured: result,
      content,
      log: { passed: result["passed"] ?? false, diff_percentage: result["diff_percentage"] ?? 0 },
    };
  } catch (thrown) {
    throw otherSize(thrown) ?? thrown;
  }
});

/** Pictures of different sizes cannot be compared: that is no difference in per cent. */
function otherSize(thrown: unknown): ToolFailure | undefined {
  if (!(thrown instanceof BackstepError) || thrown.code !== "assertion") return undefined;
  const { expected_size: expected, actual_size: actual } = thrown.details ?? {};
  if (expected === undefined || actual === undefined) return undefined;
  return new ToolFailure(
    "InvalidValue",
    `The baseline is ${String(expected)}, the picture ${String(actual)}`,
    {
      suggestion: "Give the window the size of the baseline first, or compare with another one.",
      data: { expected_size: expected, actual_size: actual },
      cause: thrown,
    },
  );
}
