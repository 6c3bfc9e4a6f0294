import type { Call } from "../base/call.ts";
import type { Frame, Rect } from "../desktop/desktop.ts";

/** Where something that was described was seen. */
export interface Sight {
  /** In pixels of the picture; undefined: it is not to be seen. */
  readonly rect: Rect | undefined;
  /** From 0 to 1, as whoever looked says. */
  readonly confidence: number;
  /** Who looked: "sampling", "anthropic", "openai", "gemini", "ollama", "mlx", "ocr". */
  readonly backend: string;
  /** Who was asked before and could not say, and why. */
  readonly tried: readonly { readonly backend: string; readonly error: string }[];
}

/** Finds in a picture what somebody describes. */
export interface VisionModel {
  /** Errors: `vision` where nobody could look, `timeout`, `cancelled`. */
  locate(picture: Frame, description: string, call: Call): Promise<Sight>;
}
