import type { Json } from "../../base/error.ts";
import type { Action } from "../desktop.ts";
import type { Site } from "./fault-book.ts";

/** One call to the desktop, as it was made. */
export interface Doing<T> extends Site {
  /** For messages: "act on button \"Save\"". */
  readonly what: string;
  /** For the log. */
  readonly detail?: Json;
  /** What is checked even where nothing is done: is it still the element that was meant? */
  readonly check?: () => void;
  readonly perform: (action: Action | undefined) => T;
  /** What an action answers that is accepted and not done; for calls that are no actions it is never asked for. */
  readonly accepted?: T;
  /** Goes through the window system and not to the application: a hung one keeps it for later. */
  readonly queued?: boolean;
  /** Does not need the application at all: that it hangs is no matter. */
  readonly aside?: boolean;
}
