/** A running application as the accessibility layer knows it. */
export interface Application {
  /** Its address for as long as it runs: a bus name, never to be stored across processes. */
  readonly bus: string;
  /** As it calls itself: "gnome-calculator", "Text Editor". */
  readonly name: string;
  /** Process id; 0 when it did not answer. */
  readonly pid: number;
  /** "gtk", "Qt", "Chromium"…, as it says itself; "" when it did not answer. */
  readonly toolkit: string;
  /** "3.24.49"; "" when it did not answer. */
  readonly toolkitVersion: string;
  /** Id of its desktop entry where known ("org.gnome.Calculator"). */
  readonly id?: string;
  /** The application whose window it is drawn in; absent: it is one itself. See `embedded.ts`. */
  readonly embedder?: Application;
  /** It did not answer when it was listed: what is told of it is what it said before, if anything. */
  readonly silent?: boolean;
}

/** A rectangle in screen pixels. */
export interface Rect {
  /** Of its left edge, from the left edge of the screen. */
  readonly x: number;
  /** Of its upper edge, from the upper edge of the screen. */
  readonly y: number;
  /** In pixels, 0 or more. */
  readonly width: number;
  /** In pixels, 0 or more. */
  readonly height: number;
}

/**
 * What identifies an element beyond its address: toolkits reuse addresses, so that before each act these are read
 * afresh and compared.
 */
export interface Fingerprint {
  /** AtspiRole number. */
  readonly role: number;
  /** The accessible name at the time it was seen; "" when it has none. */
  readonly name: string;
  /** The accessible id; "" when it has none, as in most toolkits. */
  readonly id: string;
  /** The item of a list, table or tree that it is or lies in; absent outside of one. */
  readonly item?: ItemMark;
}

/** An item of a list, table or tree by what it shows: toolkits recycle them and keep their addresses. */
export interface ItemMark {
  /** The item's own object path. */
  readonly path: string;
  /** The names inside of it when it was seen, in bounds. */
  readonly content: string;
}

/**
 * One element of one application. `bus` and `path` address it; `generation` is that of the provider when it was seen,
 * raised by a removal, a change of owner, or a resync. Never stored across processes.
 */
export interface ElementRef {
  /** Its application's address: a D-Bus unique name such as ":1.42". */
  readonly bus: string;
  /** Its D-Bus object path within that application. */
  readonly path: string;
  /** A later one of the provider means: look again before acting. */
  readonly generation: number;
  /** Read afresh and compared before each act. */
  readonly fingerprint: Fingerprint;
  /** Object paths of what it lies in, the nearest first: with one of them it is gone too. Absent: not known. */
  readonly ancestors?: readonly string[];
}

/** A number with its range, as AT-SPI's Value interface tells it. */
export interface NumericValue {
  /** The value now, in the unit of the control. */
  readonly current: number;
  /** The lowest that it takes. */
  readonly minimum: number;
  /** The highest that it takes. */
  readonly maximum: number;
  /** 0 when unknown. */
  readonly step: number;
}

/** One element read afresh: everything that is known of it. */
export interface Reading {
  /** AtspiRole number. */
  readonly role: number;
  /** The accessible name; "" when it has none. */
  readonly name: string;
  /** The accessible description, often a tooltip; "" when it has none. */
  readonly description: string;
  /** The accessible id; "" when it has none. */
  readonly id: string;
  /** States 0 to 31 as bits; see `StateName`. */
  readonly statesLow: number;
  /** States 32 to 63 as bits. */
  readonly statesHigh: number;
  /** Bits of `Interface`. */
  readonly interfaces: number;
  /** In screen pixels; undefined when unknown or off screen. */
  readonly rect: Rect | undefined;
  /** Undefined: it has no text, or it is a password field. */
  readonly text: string | undefined;
  /**
   * In what one writes into in a page: its text with that of the paragraphs, links and lists in it, as one would type it. Absent:
   * nothing is embedded in it. Places in the text, such as the caret, count each of those as one character ("\ufffc" in `text`).
   */
  readonly content?: string;
  /** The text was longer than what may be read (1 MiB of characters). */
  readonly textCut: boolean;
  /** Characters, -1 when there is none. */
  readonly caret: number;
  /** The first selection of text, undefined when nothing is selected. */
  readonly textSelection: readonly [start: number, end: number] | undefined;
  /** Undefined: it has no Value interface. */
  readonly value: NumericValue | undefined;
  /** Undefined: it is no selection container. */
  readonly selectedChildren: readonly number[] | undefined;
  /** Names of its actions, the first is the default one: "click", "activate", "expand or contract". */
  readonly actions: readonly string[];
  /** What the toolkit tells beside, such as { "toolkit": "gtk", "level": "2" }. */
  readonly attributes: Readonly<Record<string, string>>;
  /** How many children the application says it has; -1: it did not say. */
  readonly childCount: number;
}
