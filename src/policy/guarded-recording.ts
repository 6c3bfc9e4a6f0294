import type { Call } from "../base/call.ts";
import type { InputEvent, InputRecording } from "../desktop/input-events.ts";

/** Milliseconds in which it is found out what was meant by something that a person did. */
const JUDGES = 2_000;

/** The same recording without what may not be told: each event is judged before it is handed out. */
export function guardRecording(
  raw: InputRecording,
  maySee: (event: InputEvent, call: Call) => Promise<boolean>,
): InputRecording {
  let seen: InputEvent[] = [];
  return {
    async next(call) {
      const came = await raw.next(call);
      const judging = { timeout: JUDGES, ...(call.signal ? { signal: call.signal } : {}) };
      for (const event of raw.take()) if (await maySee(event, judging)) seen.push(event);
      return came;
    },
    take() {
      const events = seen;
      seen = [];
      return events;
    },
    close: () => raw.close(),
  };
}
