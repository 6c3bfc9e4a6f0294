import process from "node:process";
import { BackstepError } from "../../../base/error.ts";
import { chosenBackend, type Env, isSetUp } from "../../../vision/models.ts";
import type { McpCall } from "../../server/call.ts";

/** Which model looks at pictures. */
export interface Vision {
  /** "sampling" (the client's own), "anthropic", "openai", "gemini", "ollama", "mlx", or "ocr": texts are read, no more. */
  readonly backend: string;
  /** Is it a model, and set up? */
  readonly available: boolean;
}

/** Who would look at a picture for `ax_find_visual` now. */
export function visionOf({ client }: McpCall, env: Env = (name) => process.env[name]): Vision {
  if (client.can.sampling) return { backend: "sampling", available: true };
  try {
    const backend = chosenBackend(env);
    return backend === undefined
      ? { backend: "ocr", available: false }
      : { backend, available: isSetUp(backend, env) };
  } catch (error) {
    // A backend of a name that there is not: the tool says so when it is called.
    if (error instanceof BackstepError && error.code === "usage") {
      return { backend: "unknown", available: false };
    }
    throw error;
  }
}
