import { BackstepError, toBackstepError } from "../base/error.ts";
import { type Call, Deadline } from "../base/call.ts";
import type { Frame } from "../desktop/desktop.ts";
import type { Ask } from "./ask.ts";
import { backendFor } from "./ask.ts";
import type { Seen, VisionBackend } from "./vision-backend.ts";
import { modelBackend } from "./model-backend.ts";
import { chosenBackend, type Env } from "./models.ts";
import { ocrBackend } from "./ocr-backend.ts";

/** Milliseconds for all of it by default. */
const PATIENCE = 90_000;

/** Who may look. */
export interface VisionOptions {
  readonly env: Env;
  /** A picture as the bytes of a PNG file. */
  readonly encode: (picture: Frame) => Uint8Array;
  /** The client's own model, where it offers it. */
  readonly sampling?: Ask;
}

/** What somebody saw, who it was, and who could not. */
export interface Found extends Seen {
  readonly backend: string;
  readonly tried: readonly { readonly backend: string; readonly error: string }[];
}

/**
 * The client's model where it offers one, else the vision model that is set up, else the texts in the picture, read on
 * this machine. One of the first two that fails is not stood in for by the other, since the picture would go to somebody
 * who was not chosen; the reader on this machine may, and is named.
 */
export function visionFor({ env, encode, sampling }: VisionOptions) {
  const first = (): VisionBackend | undefined => {
    if (sampling) return backendFor("sampling", sampling);
    const backend = chosenBackend(env);
    return backend && modelBackend(backend, env, encode);
  };
  return {
    async locate(picture: Frame, description: string, given: Call): Promise<Found> {
      const deadline = Deadline.of(given, PATIENCE);
      const chosen = first();
      const tried: { backend: string; error: string }[] = [];
      if (chosen) {
        try {
          return {
            ...await chosen.locate(picture, description, deadline.call()),
            backend: chosen.backend,
            tried,
          };
        } catch (thrown) {
          const error = toBackstepError(thrown);
          // What is not set up is for a person to mend, and a cancelled call is over.
          if (error.code === "missing" || error.code === "cancelled" || error.code === "usage") throw error;
          tried.push({ backend: chosen.backend, error: error.message.slice(0, 300) });
        }
      }
      const reader = ocrBackend(encode);
      try {
        return {
          ...await reader.locate(picture, description, deadline.call()),
          backend: reader.backend,
          tried,
        };
      } catch (thrown) {
        const { code, message } = toBackstepError(thrown);
        if (code === "cancelled" || code === "timeout") throw thrown;
        throw new BackstepError(
          "missing",
          `Cannot look for ${JSON.stringify(description.slice(0, 80))}: ${message}`,
          {
            hint: "Set a key such as ANTHROPIC_API_KEY, or use a client that offers sampling.",
            details: { tried: [...tried, { backend: "ocr", error: message.slice(0, 300) }] },
            cause: thrown,
          },
        );
      }
    },
  };
}
