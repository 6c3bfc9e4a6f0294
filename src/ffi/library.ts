import process from "node:process";
import { BackstepError } from "../base/error.ts";
import { type Adapter, adapterOfRuntime } from "./adapter.ts";
import type { Binding } from "./binding.ts";
import { corePath, fromSource, thisMachine, whyNoCalls, whyNoCore } from "./prebuilt.ts";
import { ABI } from "./symbols.ts";

/** The environment variable that names another build of the native core. */
export const LIBRARY_VARIABLE = "BACKSTEP_CORE";

/** Where the native core is looked for when `BACKSTEP_CORE` does not say: what was built here, else what the package brought. */
export function defaultLibraryPath(): string {
  return corePath();
}

/**
 * Loads the native core with the adapter of the runtime at hand and checks its version.
 *
 * @param path The library; default: `BACKSTEP_CORE`, else what was built here, else what the npm package brought.
 * @throws {BackstepError} `missing`: the runtime cannot call native code, the file is absent, unreadable or of another version.
 */
export async function loadLibrary(path?: string): Promise<Binding> {
  let adapter: Adapter;
  try {
    adapter = await adapterOfRuntime();
  } catch (cause) {
    const { says, fix } = whyNoCalls(cause instanceof Error ? cause.message : String(cause), process);
    throw new BackstepError("missing", `Cannot load the native core: ${says}`, { cause, hint: fix });
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
        hint: `Build it again: ${fromSource()}`,
        details: { path: file, found: abi, wanted: ABI },
      },
    );
  }
  return binding;
}

function missing(file: string, cause: unknown): BackstepError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const denied = cause instanceof Error && cause.name === "NotCapable";
  const { says, fix } = denied
    ? { says: reason.slice(0, 500), fix: `Allow it: --allow-ffi=${file}` }
    : whyNoCore(reason, thisMachine(), file.includes("/native/prebuilt/"));
  return new BackstepError("missing", `Cannot load the native core ${file}: ${says}`, {
    cause,
    hint: fix,
    details: { path: file },
  });
}
