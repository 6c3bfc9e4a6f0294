import { randomBytes } from "node:crypto";
import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { BackstepError } from "../../base/error.ts";
import { applyPatch, readPatch } from "./diff.ts";
import { digestOf, fileOf, type HealingPatch, readText } from "./file.ts";

/** What was applied, or would be. */
export interface Applied {
  readonly patch: string;
  readonly file: string;
  readonly step: string;
  readonly from: string;
  readonly to: string;
  readonly proof: "proved" | "unproved";
  /** The same change was in an earlier patch. */
  readonly repeated?: true;
}

/** How patches are applied. */
export interface ApplyOptions {
  /** Those too whose candidate was not proved. */
  readonly unproved: boolean;
  /** Nothing is written. */
  readonly dryRun: boolean;
}

/**
 * Applies patches: all of them, or none. Throws `invalid` for one that is unproved, or whose file is not the one that it was
 * made for, before any file is written. A file is replaced in one step, and keeps its mode.
 */
export function applyPatches(patches: readonly HealingPatch[], options: ApplyOptions): Applied[] {
  const unproved = patches.find(({ proof }) => proof === "unproved");
  if (unproved !== undefined && !options.unproved) {
    throw new BackstepError("invalid", `Cannot apply ${unproved.patch}: it is unproved: ${unproved.reason}`, {
      hint: "Look at it, and add `--unproved` if it is right.",
      details: { patch: unproved.patch, file: unproved.file, from: unproved.from, to: unproved.to },
    });
  }
  const texts = new Map<string, { readonly before: string; readonly done: Set<string>; text: string }>();
  const applied = patches.map((patch): Applied => {
    const file = realpathOf(patch);
    const before = readText(file);
    const { done, ...state } = texts.get(file) ?? { before, done: new Set<string>(), text: before };
    if (digestOf(state.before) !== patch.sha256) {
      throw new BackstepError(
        "invalid",
        `Cannot apply ${patch.patch}: ${file} is not the file it was made for`,
        {
          hint: "Run the file with --heal again, or change the selector by hand.",
          details: { patch: patch.patch, file, expected: patch.sha256, found: digestOf(state.before) },
        },
      );
    }
    const change = readPatch(patch.text);
    const key = JSON.stringify([change.start, change.before, change.after]);
    const repeated = done.has(key);
    const text = repeated ? state.text : applyPatch(state.text, change);
    texts.set(file, { before: state.before, done: done.add(key), text });
    const { step, from, to, proof } = patch;
    return { patch: patch.patch, file, step, from, to, proof, ...(repeated ? { repeated } : {}) };
  });
  if (!options.dryRun) {
    for (const [file, { text }] of texts) replaceFile(file, text);
  }
  return applied;
}

function realpathOf(patch: HealingPatch): string {
  const file = fileOf(patch);
  try {
    return realpathSync(file);
  } catch (thrown) {
    throw new BackstepError("io", `Cannot apply ${patch.patch}: there is no file ${file}`, {
      cause: thrown,
      hint: "Apply it in the folder that the run was started in.",
    });
  }
}

/** In one step: whoever reads it sees the one text or the other. */
function replaceFile(file: string, text: string): void {
  const draft = `${file}.${randomBytes(4).toString("hex")}.new`;
  try {
    writeFileSync(draft, text, { mode: statSync(file).mode & 0o777, flag: "wx" });
    renameSync(draft, file);
  } catch (thrown) {
    rmSync(draft, { force: true });
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new BackstepError("io", `Cannot write ${file}: ${why}`, { cause: thrown });
  }
}
