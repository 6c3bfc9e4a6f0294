import { isDeno } from "../base/runtime.ts";
import type { AttributesBinding } from "./attributes-binding.ts";
import type { Binding } from "./binding.ts";
import type { PixelBinding } from "./pixel-symbols.ts";

/** What calls native code: `deno.ts` on Deno, `node.ts` on Node and Bun. */
export interface Adapter {
  /** Loads the native core; throws where there is none. */
  load(path: string): Binding;
  /** The core's functions for pictures, for as long as the process lives. */
  loadPixels(path: string): PixelBinding;
  /** The C library's functions for extended attributes, for as long as the process lives. */
  loadAttributes(): AttributesBinding;
  /** An environment variable, undefined as well where the permission to read it was not given: nothing is asked. */
  environment(variable: string): string | undefined;
}

/** The adapter of the runtime at hand. Rejects where its package for native code has no build for this machine. */
export function adapterOfRuntime(): Promise<Adapter> {
  return isDeno ? import("./deno.ts") : import("./node.ts");
}
