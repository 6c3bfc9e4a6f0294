import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, relative, resolve } from "node:path";
import process from "node:process";
import { z } from "zod";
import { BackstepError } from "../../base/error.ts";
import type { Candidate, HealingStep } from "../../engine/run/healing.ts";
import { keepNewest } from "../newest.ts";
import type { Proof } from "../proof.ts";
import { readPatch, unifiedDiff } from "./diff.ts";
import { patchProgram } from "./program.ts";
import { patchYaml } from "./yaml.ts";

/** Patches that are kept, the newest ones. */
const MOST_PATCHES = 200;
/** Begins the line of a patch that says what it is. */
const HEAD = "# backstep heal: ";

/** What a patch says of itself. */
const Head = z.strictObject({
  version: z.literal(1),
  run: z.string(),
  made: z.string(),
  /** The file, by its full path. */
  file: z.string(),
  /** SHA-256 of the file that it was made for. */
  sha256: z.string(),
  /** The step's path in the file. */
  step: z.string(),
  from: z.string(),
  to: z.string(),
  score: z.number(),
  proof: z.enum(["proved", "unproved"]),
  reason: z.string(),
});

/** A patch of healing, as it was read. */
export interface HealingPatch extends z.infer<typeof Head> {
  /** The patch itself. */
  readonly patch: string;
  /** Its unified diff. */
  readonly text: string;
}

/** SHA-256 of a text. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Where patches lie in a state folder. */
export function patchFolder(state: string): string {
  return join(state, "heal", "patches");
}

/**
 * Writes the patch of a candidate and answers its path. Throws `workflow` where no single string can be changed: its file has
 * it twice, or makes it of variables.
 */
export function writePatch(
  { from, to, score }: Candidate,
  { verdict, reason }: Proof,
  { path, place }: HealingStep,
  { state, run }: { readonly state: string; readonly run: string },
): string {
  const file = realpathSync(place.file);
  const text = readText(file);
  if (from.includes("{{") || to.includes("{{")) {
    throw new BackstepError("workflow", `Cannot patch ${place.file}: braces in a selector are placeholders`, {
      hint: "Change the selector by hand.",
    });
  }
  const patched = isProgram(file) ? patchedProgram(text, { from, to }, place.line) : patchYaml(text, {
    from,
    to,
    key: place,
  });
  const head: z.infer<typeof Head> = {
    version: 1,
    run,
    made: new Date().toISOString(),
    file,
    sha256: digestOf(text),
    step: path,
    from,
    to,
    score,
    proof: verdict === "proved" ? "proved" : "unproved",
    reason,
  };
  const named = relative(process.cwd(), file);
  const diff = unifiedDiff(named.startsWith("..") ? file.slice(1) : named, text, patched, [
    `${HEAD.slice(2)}${JSON.stringify(head)}`,
  ]);
  const folder = patchFolder(state);
  const written = join(folder, `${run}-${path.replace(/[^\w.]+/g, "_")}.patch`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    writeFileSync(written, diff, { mode: 0o600 });
    keepNewest(folder, ".patch", MOST_PATCHES);
  } catch (thrown) {
    throw new BackstepError("io", `Cannot write the patch ${written}`, {
      cause: thrown,
      hint: "Set BACKSTEP_STATE to a writable folder.",
    });
  }
  return written;
}

/** The line of a call is known, that of its string is not: it is this one, or stands in the program once. */
function patchedProgram(text: string, change: { from: string; to: string }, line: number): string {
  try {
    return patchProgram(text, { ...change, line });
  } catch (thrown) {
    if (!(thrown instanceof BackstepError)) throw thrown;
    return patchProgram(text, change);
  }
}

function isProgram(file: string): boolean {
  return /\.[cm]?[jt]s$/.test(file);
}

/** Reads a patch of healing. Throws `io` where it cannot be read, and `invalid` where it is none. */
export function readHealingPatch(patch: string): HealingPatch {
  const text = readText(patch);
  const [first = ""] = text.split("\n", 1);
  const none = (why: string) =>
    new BackstepError("invalid", `Cannot use the patch ${patch}: ${why}`, {
      hint: "`backstep heal list` names the patches that there are.",
    });
  if (!first.startsWith(HEAD)) throw none("`backstep run --heal` did not write it");
  let json: unknown;
  try {
    json = JSON.parse(first.slice(HEAD.length));
  } catch {
    throw none("its first line cannot be read");
  }
  const head = Head.safeParse(json);
  if (!head.success) throw none("its first line is not of this version");
  readPatch(text);
  return { ...head.data, patch, text };
}

/** The patches in a state folder, the newest last. */
export function listPatches(state: string): HealingPatch[] {
  let names: string[];
  try {
    names = readdirSync(patchFolder(state));
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT") return [];
    throw new BackstepError("io", `Cannot list the patches in ${patchFolder(state)}`, { cause: thrown });
  }
  return names.filter((name) => name.endsWith(".patch")).map((name) =>
    readHealingPatch(join(patchFolder(state), name))
  ).sort((a, b) => a.made < b.made ? -1 : a.made > b.made ? 1 : 0);
}

/** A file's text, which must be UTF-8. Throws `io`. */
export function readText(file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new BackstepError("io", `Cannot read ${file}: ${why}`, { cause: thrown });
  }
}

/** Where a patch's file lies: as it is named from here (a patch of another machine), or where it lay. */
export function fileOf({ file, text }: HealingPatch): string {
  const near = resolve(readPatch(text).file);
  return statSync(near, { throwIfNoEntry: false })?.isFile() === true ? near : file;
}

/** Forgets a patch that was applied. Throws `io`. */
export function removePatch(patch: string): void {
  try {
    rmSync(patch);
  } catch (thrown) {
    throw new BackstepError("io", `Cannot remove the patch ${patch}, which is applied`, { cause: thrown });
  }
}
