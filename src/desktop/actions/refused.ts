import type { Deadline } from "../../base/call.ts";
import { BackstepError, type Json, toBackstepError } from "../../base/error.ts";
import type { Attempts } from "./attempts.ts";

/** Milliseconds that what was refused is given to show all the same; half of it is spent on reading. */
const SHOWS_ALL_THE_SAME = 800;

/**
 * Sends what an application may do and answer with a refusal all the same, and looks what came of it. `seen` is asked in
 * either case. Throws the refusal only where the state is read and is not there: then another method may be tried.
 */
export async function sendAndSee(
  send: () => Promise<unknown>,
  seen: (deadline: Deadline, refused: boolean) => Promise<boolean>,
  deadline: Deadline,
): Promise<boolean> {
  try {
    await send();
  } catch (thrown) {
    const refusal = toBackstepError(thrown);
    if (refusal.code !== "refused") throw refusal;
    if (await seen(deadline.within(SHOWS_ALL_THE_SAME), true)) return true;
    throw refusal;
  }
  return await seen(deadline, false);
}

/**
 * Sends what bears no state that could be read back. Refused, it may have been done: the error says so, and no other method
 * is tried after it.
 */
export async function sendOnce<T>(
  attempts: Attempts,
  method: string,
  send: () => Promise<T>,
): Promise<T> {
  try {
    return await send();
  } catch (thrown) {
    const refusal = toBackstepError(thrown);
    if (refusal.code !== "refused") throw refusal;
    attempts.refuse(method, refusal.code, refusal.message);
    throw new BackstepError(
      "refused",
      `Cannot ${attempts.doing}: ${method} was sent and refused, and may have been done all the same`,
      {
        cause: refusal,
        hint: "Check whether it happened before you do it again.",
        details: {
          ...refusal.details,
          outcome: "unknown",
          tried: attempts.tried.map((t): Json => ({ ...t })),
        },
      },
    );
  }
}
