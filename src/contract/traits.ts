/**
 * What sets an operation apart beyond its hints and its effect. The engine, the policy and the interfaces ask for these
 * and never for a name: an operation is treated rightly because of what its own file says.
 */
export interface Traits {
  /** It waits until the desktop is in some state. A replay does it too, though it changes nothing: the next action may need it. */
  readonly waits?: true;
  /** Conditions (`if:`, `until:`, `done_when:`, guards) are written as its input, and hold where it does not fail. */
  readonly condition?: true;
  /** It starts an application, which may take seconds to show after whoever asked for it is gone. */
  readonly startsApplication?: true;
  /** It runs code that the caller wrote: all clients of a server share the rate of that. */
  readonly runsCode?: true;
  /** It has a vision model look: all clients of a server share the rate of that. */
  readonly asksVision?: true;
  /** A run that a person steers stops before it. */
  readonly breaks?: true;
}

/** One of them, by its name. */
export type Trait = keyof Traits;
