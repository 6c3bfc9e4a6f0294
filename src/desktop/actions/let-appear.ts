import { type Deadline, pause } from "../../base/call.ts";
import type { Window } from "../desktop.ts";

/**
 * Milliseconds that a window which has just come gets to lay itself out: toolkits answer over the bus before they have drawn
 * anything. A press that comes first reaches nothing, and GTK 4 gives itself its own size over one that it was given.
 */
const APPEARS = 300;

/** Waits until a window is old enough to be pointed at, or given a place. */
export async function letAppear({ age = APPEARS, popup }: Window, deadline: Deadline): Promise<void> {
  if (!popup && age < APPEARS) await pause(Math.min(APPEARS - age, deadline.remaining()), deadline.signal);
}
