/** What the thread that writes a log is asked. */
export type LogRequest =
  | {
    readonly do: "open";
    readonly folder: string;
    readonly key: Uint8Array;
    readonly most: number;
    readonly stop: Int32Array;
  }
  | {
    readonly do: "picture";
    readonly number: number;
    readonly width: number;
    readonly height: number;
    /** In memory that both threads have; without a view, which Deno goes through byte by byte as it comes in. */
    readonly pixels: ArrayBufferLike;
  }
  /** An entry as JSON. */
  | { readonly do: "entry"; readonly entry: string }
  /** All is said: makes it durable. */
  | { readonly do: "finish" }
  /** Nobody wants it: removes all that was written. */
  | { readonly do: "discard" };

/** What it says of that. */
export type LogAnswer =
  | { readonly done: "picture"; readonly number: number }
  | { readonly done: "finish"; readonly bytes: number; readonly dropped: number }
  /** It writes no more: a full disk, or a folder that is gone. */
  | { readonly failed: string };
