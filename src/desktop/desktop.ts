import type { Call } from "../base/call.ts";
import type { Snapshot } from "./snapshot.ts";

/** What a desktop is: a private headless one, the user's own, or one in memory. */
export type DesktopKind = "isolated" | "attached" | "simulated";

/** A running application as the accessibility layer knows it. */
export interface Application {
  /** Its address for as long as it runs: a bus name, never to be stored across processes. */
  readonly bus: string;
  readonly name: string;
  readonly pid: number;
  /** "gtk", "Qt", "Chromium"…, as it says itself; "" when it did not answer. */
  readonly toolkit: string;
  readonly toolkitVersion: string;
  /** Id of its desktop entry where known ("org.gnome.Calculator"). */
  readonly id?: string;
}

/** A rectangle in screen pixels. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * What identifies an element beyond its address: toolkits reuse addresses, so that before each act these are read
 * afresh and compared.
 */
export interface Fingerprint {
  /** AtspiRole number. */
  readonly role: number;
  readonly name: string;
  readonly id: string;
}

/**
 * One element of one application. `bus` and `path` address it; `generation` is that of the provider when it was seen,
 * raised by a removal, a change of owner, or a resync. Never stored across processes.
 */
export interface ElementRef {
  readonly bus: string;
  readonly path: string;
  readonly generation: number;
  readonly fingerprint: Fingerprint;
}

/** A number with its range, as AT-SPI's Value interface tells it. */
export interface NumericValue {
  readonly current: number;
  readonly minimum: number;
  readonly maximum: number;
  /** 0 when unknown. */
  readonly step: number;
}

/** One element read afresh: everything that is known of it. */
export interface Reading {
  /** AtspiRole number. */
  readonly role: number;
  readonly name: string;
  readonly description: string;
  readonly id: string;
  readonly statesLow: number;
  readonly statesHigh: number;
  /** Bits of `Interface`. */
  readonly interfaces: number;
  /** In screen pixels; undefined when unknown or off screen. */
  readonly rect: Rect | undefined;
  /** Undefined: it has no text, or it is a password field. */
  readonly text: string | undefined;
  /** The text was longer than what may be read (1 MiB of characters). */
  readonly textCut: boolean;
  /** Characters, -1 when there is none. */
  readonly caret: number;
  /** The first selection of text, undefined when nothing is selected. */
  readonly textSelection: readonly [start: number, end: number] | undefined;
  readonly value: NumericValue | undefined;
  /** Undefined: it is no selection container. */
  readonly selectedChildren: readonly number[] | undefined;
  readonly actions: readonly string[];
  readonly attributes: Readonly<Record<string, string>>;
  readonly childCount: number;
}

/** One primitive deed on one element, as the platform offers it. Positions count Unicode characters. */
export type Deed =
  | { readonly do: "action"; readonly name: string }
  | { readonly do: "focus" }
  | { readonly do: "setText"; readonly text: string }
  | { readonly do: "insertText"; readonly at: number; readonly text: string }
  | { readonly do: "deleteText"; readonly start: number; readonly end: number }
  | { readonly do: "caret"; readonly at: number }
  | { readonly do: "selectText"; readonly start: number; readonly end: number }
  | { readonly do: "setValue"; readonly value: number }
  | { readonly do: "select"; readonly child: number }
  | { readonly do: "deselect"; readonly child: number }
  | { readonly do: "selectAll" }
  | { readonly do: "selectNone" }
  | { readonly do: "scrollTo" }
  /** Scrolls what holds the element until its top left is at this place of the screen, as far as that goes. */
  | { readonly do: "scrollToPoint"; readonly x: number; readonly y: number };

/** A gesture of the pointer, in screen pixels. */
export type Gesture =
  | { readonly do: "move"; readonly x: number; readonly y: number }
  | {
    readonly do: "click";
    readonly x: number;
    readonly y: number;
    readonly button: "left" | "middle" | "right";
    readonly count: 1 | 2 | 3;
  }
  | {
    readonly do: "drag";
    readonly x: number;
    readonly y: number;
    readonly toX: number;
    readonly toY: number;
    readonly button: "left" | "middle" | "right";
    /** Milliseconds. */
    readonly duration: number;
  }
  /** Notches of the wheel; down and right are positive. */
  | {
    readonly do: "wheel";
    readonly x: number;
    readonly y: number;
    readonly right: number;
    readonly down: number;
  };

/** What to picture. */
export type Area =
  | { readonly what: "screen" }
  | { readonly what: "window"; readonly window: number }
  | { readonly what: "rect"; readonly rect: Rect };

/** A picture: `width * height * 4` bytes RGBA, alpha always 255. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

/** A top-level window as the window system knows it. */
export interface Window {
  readonly id: number;
  readonly pid: number;
  /** Client area, screen pixels. */
  readonly rect: Rect;
  readonly title: string;
  readonly windowClass: string;
  readonly active: boolean;
  readonly minimised: boolean;
  /** A menu, tooltip or other popup that no window manager manages. */
  readonly popup: boolean;
}

/** What can be done to a window from outside. */
export type WindowDeed =
  | { readonly do: "activate" }
  | { readonly do: "close" }
  | { readonly do: "minimise" }
  | { readonly do: "restore" }
  | {
    readonly do: "place";
    readonly x?: number;
    readonly y?: number;
    readonly width?: number;
    readonly height?: number;
  };

/** Something changed. `kind` is AT-SPI's event name, for example "object:state-changed:focused". */
export interface DesktopEvent {
  readonly bus: string;
  readonly path: string;
  readonly kind: string;
  readonly detail1: number;
  readonly detail2: number;
  readonly text: string;
}

/**
 * A subscription: made before the first read, so that nothing that happens in between is missed.
 */
export interface Watch {
  /**
   * Resolves with "event" as soon as anything arrived since the last call, "lost" when events were dropped (read
   * again), or "timeout". Throws `cancelled` when the signal fires.
   */
  next(call: Call): Promise<"event" | "lost" | "timeout">;
  /** The events since the last call, bounded; empty after "lost". */
  take(): readonly DesktopEvent[];
  close(): void;
}

/** What a snapshot is to hold beyond roles, names, states and the tree. */
export interface SnapshotOptions extends Call {
  /** Where to start; the whole application by default. */
  readonly root?: ElementRef;
  /** Default: extents, text, value, id. */
  readonly fields?: readonly SnapshotField[];
  /** Levels below the root; default 255. */
  readonly maxDepth?: number;
  /** Nodes; default 100,000. */
  readonly maxNodes?: number;
  /** Characters of text an element; default 1,000. */
  readonly maxText?: number;
}

/** Optional columns of a snapshot. */
export type SnapshotField = "extents" | "text" | "value" | "actions" | "attributes" | "selection" | "id";

/** What a desktop can do; a face asks before it promises. */
export interface Capabilities {
  readonly accessibility: boolean;
  /** Synthetic keys and pointer. */
  readonly input: boolean;
  readonly pictures: boolean;
  readonly clipboard: boolean;
  readonly windows: boolean;
}

/**
 * A desktop: the one interface that the real ones and the simulated one offer. It reports what the platform answered
 * and nothing more: whether a deed had an effect is for the caller to read back.
 *
 * Every method rejects with a `BackstepError`: `timeout` (its `details.outcome` is "not_sent" or "unknown"),
 * `cancelled`, `app_gone`, `stale` (no such element any more), `unsupported`, `refused`, `secure`, `no_desktop`.
 */
export interface Desktop {
  readonly kind: DesktopKind;
  /** For people: ":7 (private)", "simulated". */
  readonly label: string;
  readonly capabilities: Capabilities;

  applications(call?: Call): Promise<Application[]>;
  snapshot(application: Application, options?: SnapshotOptions): Promise<Snapshot>;
  read(element: ElementRef, call?: Call): Promise<Reading>;
  /** Resolves when the platform accepted the deed. Checks the fingerprint first: `stale` when it differs. */
  act(element: ElementRef, deed: Deed, call?: Call): Promise<void>;
  /** The element that a pointer at this point of the screen would reach, as the application says; undefined: none. */
  elementAt(
    application: Application,
    x: number,
    y: number,
    call?: Call,
  ): Promise<{ bus: string; path: string } | undefined>;

  /** Types text into whatever has the keyboard focus. "\n" is Return. */
  typeText(text: string, call?: Call): Promise<void>;
  /** Presses keys in order and releases them in reverse: ["ctrl", "shift", "s"]. Names as in `keys.ts`. */
  pressKeys(keys: readonly string[], call?: Call): Promise<void>;
  pointer(gesture: Gesture, call?: Call): Promise<void>;
  /** Releases every key and button held down by this desktop's own input. */
  releaseInput(call?: Call): Promise<void>;

  screenshot(area: Area, call?: Call): Promise<Frame>;
  windows(call?: Call): Promise<Window[]>;
  window(id: number, deed: WindowDeed, call?: Call): Promise<void>;

  /** The clipboard's text; undefined when it holds none. */
  readClipboard(call?: Call): Promise<string | undefined>;
  writeClipboard(text: string | undefined, call?: Call): Promise<void>;

  /** Subscribes to changes of one application, or of all. */
  watch(application?: Application): Watch;
  /** Ends the connection; applications and the desktop itself stay. */
  close(): Promise<void>;
}
