import { createHash } from "node:crypto";
import type { Workflow } from "./step.ts";

/** Tells whether a workflow is the one that was run, wherever its file lies and however it is laid out. */
export function digestOf(workflow: Workflow): string {
  const isPlace = (value: unknown) => typeof value === "object" && value !== null && "line" in value;
  // A variable may be called "file" or "place" too.
  const text = JSON.stringify(
    workflow,
    (key, value) =>
      (key === "place" && isPlace(value)) || (key === "file" && typeof value === "string")
        ? undefined
        : value,
  );
  return createHash("sha256").update(text).digest("hex");
}
