import { cancelled, type Deadline } from "./call.ts";
import { BackstepError } from "./error.ts";

/** The promise's result, or `timeout` when the deadline passes first, or `cancelled`. */
export async function before<T>(promise: Promise<T>, deadline: Deadline, doing: string): Promise<T> {
  const stop = Promise.withResolvers<never>();
  const abort = () => stop.reject(cancelled(doing, deadline.signal?.reason));
  deadline.signal?.addEventListener("abort", abort, { once: true });
  if (deadline.signal?.aborted) abort();
  const timer = setTimeout(() => {
    stop.reject(
      new BackstepError("timeout", `Cannot ${doing}: no answer in time`, {
        hint: "The application may be busy or hang: try again, or use a longer timeout.",
      }),
    );
  }, deadline.remaining());
  try {
    return await Promise.race([promise, stop.promise]);
  } finally {
    clearTimeout(timer);
    deadline.signal?.removeEventListener("abort", abort);
  }
}
