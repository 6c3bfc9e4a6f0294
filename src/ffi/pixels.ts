import { adapterOfRuntime } from "./adapter.ts";
import { defaultLibraryPath, LIBRARY_VARIABLE } from "./library.ts";
import type { PixelBinding } from "./pixel-symbols.ts";

/** The `BACKSTEP_PIXELS_ABI` these bindings were written for. */
const PIXELS_ABI = 1;

let loaded: Promise<PixelBinding | undefined> | undefined;

/**
 * The core's functions for pictures, loaded once. Undefined where there is no core, none that has them, or no permission:
 * whoever asks has a twin in TypeScript that answers the same, only later.
 */
export function pixelCore(): Promise<PixelBinding | undefined> {
  return loaded ??= load();
}

async function load(): Promise<PixelBinding | undefined> {
  let binding: PixelBinding;
  try {
    const adapter = await adapterOfRuntime();
    binding = adapter.loadPixels(adapter.environment(LIBRARY_VARIABLE) ?? defaultLibraryPath());
  } catch {
    return undefined; // the twin is there for that
  }
  return binding.abi() === PIXELS_ABI ? binding : undefined;
}
