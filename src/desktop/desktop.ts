import type { Call } from "../base/call.ts";
import type { Application, ElementRef, Reading, Rect } from "./element.ts";
import type { AskHolders } from "./holders.ts";
import type { InputRecording, Modifier } from "./input-events.ts";
import type { Snapshot } from "./snapshot.ts";
import type { WholeClipboard } from "./whole-clipboard.ts";

export type { Modifier } from "./input-events.ts";
export type {
  Application,
  ElementRef,
  Fingerprint,
  ItemMark,
  NumericValue,
  Reading,
  Rect,
} from "./element.ts";

/** What a desktop is: a private headless one, the user's own, or one in memory. */
export type DesktopKind = "isolated" | "attached" | "simulated";

/**
 * How a desktop is used. "background": nothing takes the keyboard, the pointer or the place in front, so that a person can
 * go on working; "focus": synthetic input is used where accessibility does not do.
 */
export type Mode = "background" | "focus";

/** One primitive action on one element, as the platform offers it. Positions count Unicode characters. */
export type Action =
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
  /** The same with the row of a table that a child lies in: AT-SPI's Table, where its Selection refuses (GTK 3). */
  | { readonly do: "selectRow"; readonly child: number }
  | { readonly do: "deselectRow"; readonly child: number }
  | { readonly do: "selectAll" }
  | { readonly do: "selectNone" }
  | { readonly do: "scrollTo" }
  /** Scrolls what holds the element until its top left is at this place of the screen, as far as that goes. */
  | { readonly do: "scrollToPoint"; readonly x: number; readonly y: number };

/** A gesture of the pointer, in screen pixels; `modifiers` are held from before it until after it. */
export type Gesture =
  & PointerGesture
  & { readonly modifiers?: readonly Modifier[] };

/** What the pointer itself does. */
export type PointerGesture =
  | { readonly do: "move"; readonly x: number; readonly y: number }
  | {
    readonly do: "click";
    readonly x: number;
    readonly y: number;
    readonly button: "left" | "middle" | "right";
    readonly count: 1 | 2 | 3;
    /** What is clicked knows no double click: one that came a moment before need not be waited out. */
    readonly again?: true;
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
  /** In pixels. */
  readonly width: number;
  /** In pixels. */
  readonly height: number;
  /** Rows from the top, without padding; four bytes a pixel. */
  readonly rgba: Uint8Array;
  /**
   * How it came. "kept": nothing in it was drawn since the last picture. "socket": no memory could be shared with the
   * display, which takes longer. Absent where there is but one way.
   */
  readonly route?: "socket" | "memory" | "kept";
  /** A window's own pixels, since something lies over it or it hangs over the edge of the screen. */
  readonly covered?: boolean;
  /** Pixels of one unit of places, which macOS tells in points; absent: 1. */
  readonly scale?: number;
}

/** What was drawn on the screen in the last moment. */
export interface Drawn {
  /** Milliseconds since anything was. */
  readonly still: number;
  /** The box around all of it; undefined: nothing was. It covers the screen where drawing was not noted for so long. */
  readonly area: Rect | undefined;
}

/** A top-level window as the window system knows it. */
export interface Window {
  /** The window system's own: an X11 window id, or a number of the simulated desktop. */
  readonly id: number;
  /** Of the process that owns it; 0 when it does not say. */
  readonly pid: number;
  /** Client area, screen pixels. */
  readonly rect: Rect;
  /** What its title bar says; "" when it has none. */
  readonly title: string;
  /** The class of WM_CLASS, such as "Gedit"; on a simulated desktop the application's id. */
  readonly windowClass: string;
  /** It has the keyboard. */
  readonly active: boolean;
  /** It is iconified: its rectangle is not on the screen. */
  readonly minimised: boolean;
  /** A menu, tooltip or other popup that no window manager manages. */
  readonly popup: boolean;
  /** Milliseconds since this desktop first listed it. A desktop whose windows are complete at once need not say. */
  readonly age?: number;
  /** A popup that only explains what the pointer rests on: it comes and goes by itself. GTK 4 does not tell. Default: false. */
  readonly tooltip?: boolean;
  /** It lies on a Space of macOS that is not shown. Default: false. */
  readonly elsewhere?: boolean;
  /** It keeps people from other windows of its application (X11: _NET_WM_STATE_MODAL). Default: false, or not told. */
  readonly modal?: boolean;
}

/** What can be done to a window from outside. */
export type WindowAction =
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
  /** Address of the application that told it. */
  readonly bus: string;
  /** The element that it is about. */
  readonly path: string;
  /** AT-SPI's name, "object:" or "window:" first. */
  readonly kind: string;
  /** First number of the event; of a state change 1 for set, 0 for cleared. */
  readonly detail1: number;
  /** Second number of the event; of a text change how many characters. */
  readonly detail2: number;
  /** A new name, or the path of a child that came or went; else "". What stands in a field is never in it: read the field. */
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
  /** Ends the subscription; a `next` that waits ends with it. */
  close(): void;
}

/** What somebody else did with the keyboard and the pointer, counted. Which keys it were is never known. */
export interface ForeignInput {
  /** Keys that went down. */
  readonly keys: number;
  /** Buttons of the pointer that went down. */
  readonly buttons: number;
  /** Clicks of the wheel. */
  readonly wheel: number;
  /** How often the pointer was found more than 8 pixels from where it was left. */
  readonly motions: number;
}

/** Notices input that is not our own: a person's, or another program's. */
export interface InputWatch {
  /** What was noticed since the last call; undefined: nothing. */
  take(): ForeignInput | undefined;
  /**
   * Resolves with true once nobody has used keyboard and pointer for so many milliseconds, with false when the time is
   * over before that. Throws `cancelled` when the signal fires. What came meanwhile is for `take`.
   */
  quiet(milliseconds: number, call: Call): Promise<boolean>;
  /** Notices no more. */
  close(): Promise<void>;
}

/** How an element, a tree or a list is to be read. */
export interface ReadCall extends Call {
  /**
   * What was read of it a moment ago does, where nothing was sent to anybody and its application told nothing of it since. A
   * desktop that keeps no readings need not know it.
   */
  readonly recent?: true;
  /** false: where it lies is not needed, and may be absent from a reading. Default true. */
  readonly place?: false;
}

/** How an action is to be sent. */
export interface ActCall extends Call {
  /** It only brings into view what is to be acted on: nothing that could have to be undone happens by it. Default: it may. */
  readonly prepares?: true;
}

/** How a picture is to be taken. */
export interface ScreenshotCall extends Call {
  /** An earlier one that nobody looks at any more: its memory may be used again. A desktop need not. */
  readonly into?: Frame;
}

/** What a snapshot is to hold beyond roles, names, states and the tree. */
export interface SnapshotOptions extends ReadCall {
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
  /** Default: "application". */
  readonly source?: SnapshotSource;
  /**
   * With "remembered": only elements of these roles (AtspiRole) are looked for. Where each element is asked again (Qt), these and
   * what is inside of them have the names and states of now, and what has children has its name. The other names and states
   * are as they were read last. Default: all roles.
   */
  readonly roles?: readonly number[];
}

/**
 * Where a snapshot is to come from.
 * - "application": it is read afresh.
 * - "mirror": what the desktop keeps of the application and events keep current, where it keeps anything; geometry, text,
 *   values, actions, attributes and selections are asked afresh even so. It can lag behind what has just happened:
 *   verify an element before using it, and read afresh before saying that something is not there.
 * - "held": the same, but those fields are left out: nothing is asked but what changed. Where nothing is kept they are there.
 * - "remembered": as "held", and what lists, tables and trees show that may not be kept is as it was read last: good for who
 *   looks for something else. Of an application that announces few changes (Qt) each element is asked again, but for its
 *   description and its interfaces.
 * - "proven": as "remembered", after what is kept was compared with what the application says of itself: but for what they show,
 *   what is not in it is not there.
 */
export type SnapshotSource = "application" | "mirror" | "held" | "proven" | "remembered";

/** What is kept of an application, of which some rows were asked afresh. */
export interface Refreshed {
  /** The same rows; what was asked is in them. */
  readonly snapshot: Snapshot;
  /** Its states tell whether a row shows; false: those of GTK 4 alone do not. */
  readonly shows: boolean;
  /** All that is known of the one row that was asked for; absent: several were, or it was to be left unread. */
  readonly reading?: Reading;
  /** When the application had answered, in milliseconds of `performance.now()`. */
  readonly readAt?: number;
}

/** The states of an element, as bits: see `StateName`. */
export type StateBits = Pick<Reading, "statesLow" | "statesHigh">;

/**
 * How to ask rows of a kept snapshot again. `recent`, of one row: what was asked for it in the same step does, in a snapshot whose rows may
 * have other numbers.
 */
export interface RefreshOptions extends ReadCall {
  /**
   * Whether they show is told in any case. Default: where several are asked; of one alone GTK 4 leaves it open, since who
   * points at it sees that.
   */
  readonly shows?: boolean;
  /**
   * Only where they lie and their states are asked, so that it is known that they are there and whether they show: what they are
   * is for whoever needs it to read. Default false.
   */
  readonly unread?: boolean;
}

/** How what lists manage is verified. */
export interface VerifyManagedOptions extends Call {
  /** A list that does not show, and in which nothing is kept as showing, is not asked: it stays as it was kept. Default false. */
  readonly showing?: boolean;
}

/** What an application says lies at a point. */
export interface Hit {
  /** The element's application, by its name on the bus. */
  readonly bus: string;
  /** The element, by its path there. */
  readonly path: string;
}

/** What an application said a moment ago. */
export interface Said {
  /** What lies at the point; absent: nothing that it knows of. */
  readonly hit?: Hit;
  /** When it was said, in milliseconds of `performance.now()`. */
  readonly at: number;
}

/** How to ask what lies at a point. */
export interface AtPointOptions extends Call {
  /** A window of the application that is known to be on top there: only it is asked. */
  readonly window?: ElementRef;
  /** What is in the application, as it was looked at a moment ago: it need not be asked again. */
  readonly seen?: Snapshot;
}

/** Optional columns of a snapshot. */
export type SnapshotField =
  | "extents"
  | "text"
  /** Caret and selection of texts, with "text"; up to three calls for each text. */
  | "caret"
  | "value"
  | "actions"
  | "attributes"
  | "selection"
  | "id"
  | "hash"
  /** What labels, describes or controls what; a call an element. */
  | "relations"
  /** The keys of the default action, as the toolkit writes them; a call an element that has actions. */
  | "keys"
  /** Font, size, weight and language of texts, with "text"; a call an element. */
  | "textStyle"
  /** Where a text lies within its element, with "text"; a call an element. */
  | "textRect";

/** What a desktop can do; an interface asks before it promises. */
export interface Capabilities {
  /** Trees, readings and actions. */
  readonly accessibility: boolean;
  /** Synthetic keys and pointer. */
  readonly input: boolean;
  /** Screenshots. */
  readonly pictures: boolean;
  /** Reading and writing the clipboard's text. */
  readonly clipboard: boolean;
  /** Listing windows and doing things to them. */
  readonly windows: boolean;
  /** What kind of display input goes to; absent: there is none, or it is simulated. On Wayland popups are no windows of the list. */
  readonly display?: "x11" | "wayland" | "macos";
}

/**
 * A desktop: the one interface that the real ones and the simulated one offer. It reports what the platform answered
 * and nothing more: whether an action had an effect is for the caller to read back.
 *
 * Every method rejects with a `BackstepError`: `timeout` (its `details.outcome` is "not_sent" or "unknown"),
 * `cancelled`, `app_gone`, `needs_focus` (in the background), `stale` (no such element any more), `unsupported`, `refused`, `secure`, `no_desktop`.
 */
export interface Desktop {
  /** Private, the user's own, or in memory. */
  readonly kind: DesktopKind;
  /** Whether it may take the keyboard, the pointer and the place in front. */
  readonly mode: Mode;
  /** For people: ":7 (private)", "simulated". */
  readonly label: string;
  /** Its time passes only while somebody waits. Default: it passes by itself. */
  readonly virtualTime?: boolean;
  /** What it can do; anything else rejects with `unsupported`. */
  readonly capabilities: Capabilities;

  /** Every application on the accessibility bus, those without a window too. */
  applications(call?: ReadCall): Promise<Application[]>;
  /**
   * What was done to an application, by its bus name, that has not answered since; undefined: it answers, as far as is
   * known. A desktop whose applications always answer need not have it.
   */
  stalledBy?(bus: string): string | undefined;
  /** The tree of an application, or of a part of it, at one moment. What was left out is named in `origin.cut`. */
  snapshot(application: Application, options?: SnapshotOptions): Promise<Snapshot>;
  /** Reads one element afresh, all that is known of it. */
  read(element: ElementRef, call?: ReadCall): Promise<Reading>;
  /**
   * The least that says whether an element is still what was found: its basics, states, id and place, read afresh, as a
   * snapshot of one row. A desktop that keeps no mirrors need not have it.
   */
  verify?(element: ElementRef, call?: Call): Promise<Snapshot>;
  /**
   * The states of elements of one application alone, asked of all at once; undefined: it is gone, or does not answer. A desktop
   * that cannot ask several at once need not have it.
   */
  statesOf?(
    elements: readonly ElementRef[],
    call?: ReadCall,
  ): Promise<readonly (StateBits | undefined)[]>;
  /**
   * What a kept snapshot says of some rows, asked of the application again: they alone are verified, and they and what is
   * around them have the states and places that they have now. Elsewhere the snapshot stays as it was kept, without places.
   * Undefined: one of them is gone or another by now, or the desktop cannot tell by them alone; then the tree is to be read.
   * A desktop that keeps no mirrors need not have it.
   */
  refresh?(
    snapshot: Snapshot,
    rows: readonly number[],
    options?: RefreshOptions,
  ): Promise<Refreshed | undefined>;
  /**
   * A kept snapshot, after what manages its descendants was asked which elements of some roles it has, and each of them was
   * read: of these roles it shows what is there. Undefined: that is otherwise than it was kept, or the application cannot be
   * asked so; then the tree is to be read. A desktop that keeps no mirrors need not have it.
   */
  verifyManaged?(
    snapshot: Snapshot,
    roles: readonly number[],
    options?: VerifyManagedOptions,
  ): Promise<Snapshot | undefined>;
  /**
   * Resolves when the platform accepted the action. Checks the fingerprint first: `stale` when it differs. For `setValue`
   * with the value that the application told right after, where it told one.
   */
  act(element: ElementRef, action: Action, call?: ActCall): Promise<number | undefined>;
  /**
   * The element that a pointer at this point of the screen would reach, as the application says; in a popup that the
   * application does not look into, as its tree says. Undefined: none.
   */
  elementAt(
    application: Application,
    x: number,
    y: number,
    options?: AtPointOptions,
  ): Promise<Hit | undefined>;
  /**
   * What was said in this step to lie at a point; undefined: nobody asked, or something was sent since. A desktop that keeps
   * nothing need not have it.
   */
  saidAt?(application: Application, x: number, y: number): Said | undefined;

  /**
   * For how many milliseconds nothing was drawn in a rectangle of the screen, as far as was looked, and nothing was sent, which
   * may set something off; 0 where that is not seen. A desktop that sees no drawing need not have it.
   */
  undrawn?(rect: Rect, call?: Call): Promise<number>;
  /**
   * What was drawn on the screen in the last milliseconds; undefined: nobody can say, as where a compositor draws. A desktop that
   * sees no drawing need not have it.
   */
  drawn?(within: number, call?: Call): Promise<Drawn | undefined>;
  /**
   * Is it known of an application that the wheel scrolls it without an animation? False, also where a desktop does not have
   * this: it is not known.
   */
  scrollsAtOnce?(application: Application): boolean;
  /**
   * How to have an application that reports changes late report at once what has changed by now, where the element is;
   * undefined: it reports by itself. What it reports comes a few milliseconds after the flush resolves. Whoever flushes only
   * reads sooner: that the application cannot be asked is no error.
   */
  flushOf?(element: ElementRef): ((call?: Call) => Promise<void>) | undefined;
  /** Types text into whatever has the keyboard focus. "\n" is Return. */
  typeText(text: string, call?: Call): Promise<void>;
  /** Presses keys in order and releases them in reverse: ["ctrl", "shift", "s"]. Names as in `keys.ts`. */
  pressKeys(keys: readonly string[], call?: Call): Promise<void>;
  /**
   * Resolves once a gesture would be the second half of no double click with an earlier one. `pointer` waits for that by itself;
   * whoever takes a last look at the place waits before. A desktop on which no time passes need not have it.
   */
  readyFor?(gesture: Gesture, call?: Call): Promise<void>;
  /** Moves, clicks, drags or turns the wheel at a place of the screen, whatever lies there. */
  pointer(gesture: Gesture, call?: Call): Promise<void>;
  /**
   * Releases every key and button held down by this desktop's own input; with `all` every one that is down, whoever
   * pressed it: what a process that was killed held stays down.
   */
  releaseInput(call?: Call & { readonly all?: boolean }): Promise<void>;

  /** A picture of the screen, of what a window shows, or of a rectangle of the screen. */
  screenshot(area: Area, call?: ScreenshotCall): Promise<Frame>;
  /**
   * Every window on the screen and every minimised one, bottom to top; popups come last, above all windows whatever they
   * belong to. A window manager that does not tell how windows are stacked gives the order in which they appeared. `recent`: as
   * they were listed in the same step.
   */
  windows(call?: ReadCall): Promise<Window[]>;
  /**
   * Whose the keyboard, the clipboard, windows and places are, by process: what the display knows, not what windows say of
   * themselves. Takes no grab, presses nothing. A desktop without other processes need not have it.
   */
  readonly holders?: AskHolders;
  /** Does something to a window by its id; resolves when the window system took it. `stale` when it is gone. */
  window(id: number, action: WindowAction, call?: Call): Promise<void>;

  /** The clipboard's text; undefined when it holds none. */
  readClipboard(call?: Call): Promise<string | undefined>;
  /**
   * Makes a text the clipboard's content; undefined empties it. The content lives as long as this connection, unless it is left
   * with `leaveClipboard`.
   */
  writeClipboard(text: string | undefined, call?: Call): Promise<void>;
  /**
   * Has a process of its own offer what this connection wrote, until somebody else writes there or the display ends. A desktop
   * whose clipboard keeps it anyway need not have it.
   */
  leaveClipboard?(call?: Call): Promise<void>;
  /** Everything that is on the clipboard; a desktop that has only text there need not have it. */
  readonly wholeClipboard?: WholeClipboard;

  /** Subscribes to changes of one application, or of all. */
  watch(application?: Application): Watch;
  /**
   * Begins to notice keys, buttons and motion that are not this desktop's own. Costs something only while somebody
   * watches. Rejects with `unsupported` where the display cannot tell; a desktop without input need not have it.
   */
  watchInput?(call?: Call): Promise<InputWatch>;
  /**
   * Begins to record what others than this desktop do with keyboard and pointer: what, where and when, but never which key
   * typed a text. Rejects with `unsupported` where the display does not tell; a desktop without input need not have it.
   */
  recordInput?(call?: Call): Promise<InputRecording>;
  /**
   * Lets so many milliseconds of the desktop's own time pass. Rejects with `cancelled`. A desktop whose time is that of the
   * machine need not have it.
   */
  idle?(milliseconds: number, call?: Call): Promise<void>;
  /** Ends the connection; applications and the desktop itself stay. */
  close(): Promise<void>;
}
