import { BackstepError } from "../../base/error.ts";
import { ToolFailure } from "../failure.ts";
import type { Tool } from "../tool.ts";
import { DEFINITIONS } from "./definitions/mod.ts";
import { elementThere } from "./element-there.ts";
import { asList, look } from "./form.ts";
import { pictureOf } from "./screenshot.ts";

/** Characters of base64 of a picture that goes with an answer. */
const MOST = 5_000_000;

/** Compares an element with what is expected; what does not hold is an answer. */
export const assertState: Tool = {
  toolset: "assert",
  definition: DEFINITIONS.ax_assert,
  async run(args, call) {
    const { result } = await look("ax_assert", args, call);
    return {
      structured: result,
      log: { passed: result["passed"] ?? false, failures: asList(result["failures"]).length },
    };
  },
};

/** Compares a picture with a baseline; what differs is an answer, with a picture of it. */
export const visualDiff: Tool = {
  toolset: "assert",
  definition: DEFINITIONS.ax_visual_diff,
  async run(args, call) {
    call.progress("Capturing current", 0, 3);
    await elementThere(args["app"], args["query"], call);
    try {
      const { output, result } = await look("ax_visual_diff", args, call);
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
  },
};

/** Judges how accessible an application is. */
export const audit: Tool = {
  toolset: "assert",
  definition: DEFINITIONS.ax_a11y_audit,
  async run(args, call) {
    call.progress("Scanning elements", 0, 2);
    if (args["scope"] === "element") await elementThere(args["app"], args["query"], call);
    const { result } = await look("ax_a11y_audit", args, call);
    call.progress(`Checked ${String(result["elements"] ?? 0)} elements`, 2, 2);
    return {
      structured: result,
      log: { passed: result["passed"] ?? false, issues: asList(result["issues"]).length },
    };
  },
};

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
