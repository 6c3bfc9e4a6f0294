import type { Call } from "../base/call.ts";
import type { Frame, Rect } from "../desktop/desktop.ts";

/** What one of those who can look saw. */
export interface Seen {
  /** In pixels of the picture; undefined: it is not to be seen. */
  readonly rect: Rect | undefined;
  /** From 0 to 1, as it says itself. */
  readonly confidence: number;
}

/** One who can look at a picture. */
export interface VisionBackend {
  /** "anthropic", "ocr"… */
  readonly backend: string;
  /** Errors: `missing` (not set up), `io` (it did not answer, or not as asked), `timeout`, `cancelled`. */
  locate(picture: Frame, description: string, call: Call): Promise<Seen>;
}
