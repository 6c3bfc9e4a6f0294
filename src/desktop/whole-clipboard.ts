import type { Call } from "../base/call.ts";

/** One content of the clipboard: applications ask for it by its target, and get it as its type. */
export interface ClipboardItem {
  /** "UTF8_STRING", "text/html", "image/png"… */
  readonly target: string;
  /** Mostly the same; of "TEXT" the encoding. */
  readonly type: string;
  /** As its owner gave it. */
  readonly bytes: Uint8Array;
}

/** All that is on the clipboard, as far as it can be kept. */
export interface ClipboardContent {
  /** In the order in which its owner names them. */
  readonly items: readonly ClipboardItem[];
  /** What the owner names and was not kept, and why. */
  readonly left: readonly {
    readonly target: string;
    readonly why: "too large" | "no answer" | "numbers of the server";
  }[];
  /** Whose it is and since when, as far as that is told: another text, another content; "": it is empty. */
  readonly owner: string;
}

/** How much of the clipboard is kept. */
export interface ClipboardLimits {
  /** Bytes of one content. */
  readonly most: number;
  /** Bytes of all together. */
  readonly all: number;
}

/** The clipboard in all its types, of a desktop that has more than text there. */
export interface WholeClipboard {
  /** Reads every content that the owner names; `refused` when it changed meanwhile, `timeout` when its owner says nothing. */
  keep(limits: ClipboardLimits, call?: Call): Promise<ClipboardContent>;
  /** Puts these there (64 at most), and nothing else; they live as long as this connection. */
  restore(items: readonly ClipboardItem[], call?: Call): Promise<void>;
}
