import { fileURLToPath } from "node:url";
import { BackstepError } from "../base/error.ts";
import { type Adapter, adapterOfRuntime } from "./adapter.ts";
import type { Binding } from "./binding.ts";
import { ABI } from "./symbols.ts";

/** The environment variable that names another build of the native core. */
export const LIBRARY_VARIABLE = "BACKSTEP_CORE";

/** Where the native core is looked for when `BACKSTEP_CORE` does not say: `native/build/libbackstep.so`. */
export function defaultLibraryPath(): string {
  return fileURLToPath(new URL("../../native/build/libbackstep.so", import.meta.url));
}

/**
 * Loads the native core with the adapter of the runtime at hand and checks its version.
 *
 * @param path The library; default: `BACKSTEP_CORE`, else `native/build/libbackstep.so` beside this source tree.
 * @throws {BackstepError} `missing`: the runtime cannot call native code, the file is absent, unreadable or of another version.
 */
export async function loadLibrary(path?: string): Promise<Binding> {
  let adapter: Adapter;
  try {
    adapter = await adapterOfRuntime();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BackstepError(
      "missing",
      `Cannot load the native core: this runtime cannot call native code: ${reason.slice(0, 500)}`,
      { cause, hint: "Use a simulated session, or a machine that koffi has a build for." },
    );
  }
  const file = path ?? adapter.environment(LIBRARY_VARIABLE) ?? defaultLibraryPath();
  let binding: Binding;
  try {
    binding = adapter.load(file);
  } catch (cause) {
    throw missing(file, cause);
  }
  const abi = binding.abi();
  if (abi !== ABI) {
    binding.unload();
    throw new BackstepError(
      "missing",
      `Cannot load the native core ${file}: it speaks version ${abi}, this program version ${ABI}`,
      {
        hint: "Run tools/setup.sh to build the core again.",
        details: { path: file, found: abi, wanted: ABI },
      },
    );
  }
  return binding;
}

function missing(file: string, cause: unknown): BackstepError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const denied = cause instanceof Error && cause.name === "NotCapable";
  return new BackstepError("missing", `Cannot load the native core ${file}: ${reason.slice(0, 500)}`, {
    cause,
    hint: denied
      ? `Allow it: --allow-ffi=${file}`
      : `Run tools/setup.sh, which builds it, or let ${LIBRARY_VARIABLE} name another build.`,
    details: { path: file },
  });
}
