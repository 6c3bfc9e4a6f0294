import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { BackstepError } from "../../base/error.ts";
import { replaceWithin } from "../../base/within.ts";
import { readSource } from "../read-source.ts";
import { KeptRun } from "./facts.ts";

/** The file beside a workflow that says what a run of it found. */
export function keptFile(workflow: string): string {
  return `${workflow}.recording.json`;
}

/** SHA-256 of a file. */
export function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** What is kept beside a workflow file; undefined: nothing is. Throws `workflow` for what is no recording. */
export function readKept(file: string): KeptRun | undefined {
  let text: string;
  try {
    text = new TextDecoder().decode(readSource(file));
  } catch (thrown) {
    const missing = thrown instanceof BackstepError && thrown.cause instanceof Error &&
      "code" in thrown.cause &&
      thrown.cause.code === "ENOENT";
    if (missing) return undefined;
    throw thrown;
  }
  const parsed = KeptRun.safeParse(jsonIn(text, file));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw broken(file, `${issue?.path.map(String).join(".") ?? ""}: ${issue?.message ?? "not a recording"}`);
}

/** Writes it, in the folder of the workflow and nowhere else. Throws `io` where that cannot be. */
export function writeKept(file: string, kept: KeptRun): void {
  try {
    const folder = realpathSync(dirname(resolve(file)));
    const bytes = new TextEncoder().encode(`${JSON.stringify(kept, null, 2)}\n`);
    replaceWithin(join(folder, basename(file)), [folder], bytes);
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new BackstepError("io", `Cannot write ${file}: ${why}`, { cause: thrown });
  }
}

function jsonIn(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw broken(file, thrown instanceof Error ? thrown.message : String(thrown));
  }
}

function broken(file: string, why: string): BackstepError {
  return new BackstepError("workflow", `Cannot read the recording ${file}: ${why}`, {
    place: { file, line: 1, column: 1 },
    hint: "Remove it, and make it again with `backstep replay FILE --save`.",
  });
}
