import type { ErrorCode } from "../../base/error.ts";
import type { Action, DesktopEvent, ForeignInput } from "../desktop.ts";
import type { Due } from "./schedule.ts";

/** The calls to a desktop that a fault can strike. */
export type CallName =
  | "applications"
  | "snapshot"
  | "read"
  | "act"
  | "elementAt"
  | "typeText"
  | "pressKeys"
  | "pointer"
  | "screenshot"
  | "windows"
  | "window"
  | "readClipboard"
  | "writeClipboard"
  | "releaseInput";

/** Which calls a fault strikes. What is left out matches all; counting begins when the fault is injected. */
export interface When {
  /** Default: every call, or every action for faults of actions. */
  readonly call?: CallName | readonly CallName[];
  /** Id of the application that is called, or that has the keyboard. */
  readonly app?: string;
  /** Key of the element that is read, acted on, typed into or pointed at. */
  readonly element?: string;
  /** What `act` is to do, such as "setText". */
  readonly action?: Action["do"];
  /** The first matching call that is struck; default 1. */
  readonly at?: number;
  /** How many calls are struck from there on; default 1. */
  readonly times?: number | "always";
  /** The chance of each of them to be struck after all, by the desktop's seed; default 1. */
  readonly chance?: number;
}

/** What a person, or a lie, makes of a widget. */
export interface Look {
  /** Of what holds text. */
  readonly text?: string;
  /** Of a slider or spin button. */
  readonly value?: number;
  /** Of what can be checked. */
  readonly checked?: boolean;
  /** Indices of what is chosen, from 0. */
  readonly chosen?: readonly number[];
}

/** What a person can change behind our back. */
export interface Interference extends Look {
  /** The accessible name. */
  readonly name?: string;
  /** False greys it out. */
  readonly sensitive?: boolean;
  /** False hides it. */
  readonly visible?: boolean;
}

/** What most faults say. */
export interface FaultCommon {
  /** Default: the next call that it can strike. */
  readonly when?: When;
  /** Id of the application that `element` belongs to; default: the one that is called. */
  readonly app?: string;
}

/**
 * Something nasty, as data. The actions are `act`, `typeText`, `pressKeys`, `pointer`, `window` and `writeClipboard`;
 * faults of actions never strike reads.
 */
export type Fault =
  /** An element is on the screen and not in the tree until so many reads or milliseconds later. */
  | FaultCommon & {
    readonly fault: "late";
    readonly element: string;
    readonly reads?: number;
    readonly ms?: number;
  }
  /** Before the call, a path comes to mean something else; silently unless `announced`. */
  | FaultCommon & {
    readonly fault: "recycle";
    readonly element: string;
    readonly as: { readonly name?: string; readonly id?: string };
    readonly announced?: boolean;
  }
  /** Before the call, an element goes and another one gets its path. */
  | FaultCommon & { readonly fault: "reissue"; readonly element: string; readonly to: string }
  /**
   * Before the call, an element goes with all that is in it, and so many of its description stand in its place, with paths of
   * their own: the first under its key, or `as`.
   */
  | FaultCommon & {
    readonly fault: "replace";
    readonly element: string;
    /** Default 1; 0: it is gone for good. */
    readonly by?: number;
    readonly as?: { readonly name?: string; readonly text?: string; readonly checked?: boolean };
  }
  /** Events get lost: a fraction of them by the seed, or those from the `at`-th on. `announced`: watchers learn of it. */
  | {
    readonly fault: "drop_events";
    readonly fraction?: number;
    /** The beginning of the events' kinds; default all. */
    readonly kind?: DesktopEvent["kind"];
    readonly at?: number;
    readonly times?: number | "always";
    readonly announced?: boolean;
  }
  /** An action is accepted and nothing changes. */
  | FaultCommon & { readonly fault: "no_effect" }
  /** Only the first characters of what is typed or set arrive. */
  | FaultCommon & { readonly fault: "partial"; readonly characters: number }
  /**
   * After an action, the next reads of an element (the action's own, unless said) answer what was wanted while nothing
   * changed ("wanted"), what was there before although it changed ("old"), or something else altogether.
   */
  | FaultCommon & {
    readonly fault: "lie";
    readonly answer: "wanted" | "old" | Look;
    readonly element?: string;
    /** Default: every read from now on. */
    readonly reads?: number;
  }
  /** An action is accepted and happens so many calls or milliseconds later. */
  | FaultCommon & Due & { readonly fault: "delay" }
  /** The call times out: `landed` says whether the action happened. Told at once, unless it is to wait its time. */
  | FaultCommon & {
    readonly fault: "timeout";
    readonly landed: boolean;
    readonly outcome?: "unknown" | "not_sent";
    readonly waits?: boolean;
  }
  /** The call takes this long; one that gives up before lands all the same. */
  | FaultCommon & { readonly fault: "slow"; readonly ms: number }
  /** The application says no; `landed`: and does it all the same. */
  | FaultCommon & { readonly fault: "refuse"; readonly landed?: boolean }
  /** The call fails with this code. */
  | FaultCommon & { readonly fault: "fail"; readonly code: ErrorCode; readonly message?: string }
  /**
   * From this call on the application answers nothing, for so many calls or milliseconds, or for ever. What was sent
   * meanwhile happens when it recovers, unless it is forgotten.
   */
  | FaultCommon & Due & { readonly fault: "hang"; readonly forgets?: boolean }
  /** The application dies of the call, before it happened or after (`landed`). */
  | FaultCommon & { readonly fault: "die"; readonly landed?: boolean }
  /** A person changes something, before the call or after it. */
  | FaultCommon & {
    readonly fault: "interfere";
    readonly element: string;
    readonly set: Interference;
    readonly after?: boolean;
  }
  /** A person uses keyboard or pointer for so many milliseconds (default 0), from before the call or after it. */
  | FaultCommon & {
    readonly fault: "touch";
    readonly input: Partial<ForeignInput>;
    readonly ms?: number;
    readonly after?: boolean;
  }
  /** A widget that changes by itself: a value goes up by its step and round, a clock ticks, a text goes through `texts`. */
  | FaultCommon & {
    readonly fault: "changing";
    readonly element: string;
    readonly every: Due;
    readonly texts?: readonly string[];
    /** Default: as long as the application runs. */
    readonly changes?: number;
  };

/** The faults that strike calls, as against those that lie in wait. */
export type CallFault = Exclude<Fault, { readonly fault: "late" | "drop_events" | "changing" }>;

const ACTIONS: ReadonlySet<CallName> = new Set(
  ["act", "typeText", "pressKeys", "pointer", "window", "writeClipboard"] as const,
);

/** Is it a call that changes the world? */
export function isAction(call: CallName): boolean {
  return ACTIONS.has(call);
}

const OF_ACTIONS: ReadonlySet<Fault["fault"]> = new Set(
  ["no_effect", "partial", "lie", "delay", "refuse"] as const,
);

/** Does a fault of this kind strike actions only? */
export function strikesActionsOnly(fault: Fault["fault"]): boolean {
  return OF_ACTIONS.has(fault);
}
