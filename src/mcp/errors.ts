import { toBackstepError } from "../base/error.ts";
import { ToolFailure } from "./failure.ts";

/** Anything that a tool threw, as what a client is told. */
export function toolErrorOf(thrown: unknown): ToolFailure {
  if (thrown instanceof ToolFailure) return thrown;
  const { code, message, hint, details } = toBackstepError(thrown);
  return new ToolFailure(code === "internal" ? "InternalError" : "ActionFailed", message, {
    suggestion: hint ?? "Look at the application, for instance with ax_get_tree.",
    data: { code, ...(details ? { details } : {}) },
    cause: thrown,
  });
}
