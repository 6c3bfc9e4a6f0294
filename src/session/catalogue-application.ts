import type { DesktopEntry } from "./desktop-entry.ts";
import type { CatalogueEntry } from "./session.ts";

/** An application that can be launched: one with a desktop entry, a bundle of macOS, or a mere program on PATH. */
export interface CatalogueApplication extends CatalogueEntry {
  readonly entry: DesktopEntry | undefined;
  /** The program and its arguments. */
  readonly command: readonly string[];
}
