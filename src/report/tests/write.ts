import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { BackstepError } from "../../base/error.ts";

/** Writes a report whole, or not at all; missing folders are made. Throws `io`. */
export function writeReport(path: string, text: string | Uint8Array): void {
  const draft = join(dirname(path), `.${basename(path)}.new`);
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(draft, text);
    renameSync(draft, path);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new BackstepError("io", `Cannot write ${path}: ${why}`, {
      cause,
      hint: "Give a writable folder with --output.",
    });
  }
}
