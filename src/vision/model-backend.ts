import { type Call, Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import type { Frame } from "../desktop/desktop.ts";
import { backendFor } from "./ask.ts";
import type { VisionBackend } from "./vision-backend.ts";
import { type Backend, type Env, modelOf } from "./models.ts";
import { optional } from "../base/optional.ts";

/** Milliseconds that a model may take by default. */
const PATIENCE = 60_000;

/** A vision model behind the client library. The picture leaves this machine unless its server is on it. */
export function modelBackend(
  backend: Backend,
  env: Env,
  encode: (picture: Frame) => Uint8Array,
): VisionBackend {
  return backendFor(backend, async (picture: Frame, question: string, call: Call) => {
    const model = await modelOf(backend, env);
    const { generateText } = await optional(`ask ${backend}`, ["ai"], () => import("ai"));
    const deadline = Deadline.of(call, PATIENCE);
    deadline.check(`ask ${backend}`);
    const over = AbortSignal.timeout(Math.max(1, Math.ceil(deadline.remaining())));
    try {
      const { text } = await generateText({
        model,
        messages: [{
          role: "user",
          content: [
            { type: "file", mediaType: "image/png", data: encode(picture) },
            { type: "text", text: question },
          ],
        }],
        maxOutputTokens: 1_000,
        maxRetries: 1,
        abortSignal: call.signal ? AbortSignal.any([call.signal, over]) : over,
      });
      return text;
    } catch (thrown) {
      deadline.check(`ask ${backend}`);
      if (over.aborted) {
        throw new BackstepError("timeout", `Cannot ask ${backend}: it did not answer in time`, {
          hint: "Give the call more time.",
          details: { backend, outcome: "unknown" },
        });
      }
      // What a server wrote can hold the request, and with it the key: only its status is told.
      throw new BackstepError("io", `Cannot ask ${backend}: ${reasonOf(thrown)}`, { details: { backend } });
    }
  });
}

/** Why, as far as it is safe to say: the status of an answer, else the kind of error. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "it failed";
  const inner = thrown.cause instanceof Error ? thrown.cause : thrown;
  for (const error of [thrown, inner, lastOf(thrown)]) {
    if (error && "statusCode" in error && typeof error.statusCode === "number") {
      return `its server answered ${error.statusCode}`;
    }
  }
  return `its server did not answer (${inner.name})`;
}

/** Of an error about retries, the last one. */
function lastOf(error: Error): object | undefined {
  return "lastError" in error && typeof error.lastError === "object" && error.lastError !== null
    ? error.lastError
    : undefined;
}
