import type { McpCall } from "../server/call.ts";
import type { Caller } from "../server/caller.ts";
import type { Turn } from "./queue.ts";

/** Milliseconds for an answer in the middle of a workflow: what is half done must not stand for long. */
export const HALF_DONE = 120_000;

/**
 * The same call; while its client is asked, others have the desktop, so that whoever does not answer keeps nobody waiting.
 * With the answer the turn is had again, it is seen whether the caller may still act, and the guard looks once more at what
 * the answer was for. `most`: milliseconds for an answer, where that is less than a person has anyway.
 */
export function askingAside(
  call: McpCall,
  turn: Turn,
  caller: Caller,
  most?: number,
): McpCall {
  const { session, client, task, mayAct } = call;
  const signal = AbortSignal.any([call.signal, caller.gone]);
  const inTime = async <T>(stop: AbortSignal, wait: (stop: AbortSignal) => Promise<T>): Promise<T> => {
    const until = most === undefined ? stop : AbortSignal.any([stop, AbortSignal.timeout(most)]);
    const answer = await turn.aside(() => wait(until));
    await caller.stands("ask");
    return answer;
  };
  return {
    session,
    client: {
      name: client.name,
      version: client.version,
      can: client.can,
      elicit: (request, stop) => inTime(stop, (until) => client.elicit(request, until)),
      elicited: (id) => client.elicited(id),
      sample: (request, stop) => inTime(stop, (until) => client.sample(request, until)),
      roots: (stop) => client.roots(stop),
    },
    signal,
    progress: (message, done, total) => call.progress(message, done, total),
    log: (level, logger, data) => call.log(level, logger, data),
    ...(mayAct ? { mayAct } : {}),
    ...(task ? { task } : {}),
  };
}
