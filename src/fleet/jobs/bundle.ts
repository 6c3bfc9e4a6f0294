import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { BackstepError } from "../../base/error.ts";
import type { FoundFile } from "../../testing/find-files.ts";
import { filesOf } from "../../testing/changed/sources.ts";
import { LIMITS } from "../schema/tables.ts";
import type { Manifest } from "./spec.ts";

/** The files of a job, as they are stored. */
export interface Bundle {
  readonly files: Manifest;
  /** What the job's variables file is called among them. */
  readonly varsFile?: string;
}

/** Where a variables file lies among a job's files. */
const VARS = ".backstep-vars";

/** Collects what jobs are made of; the same bytes once, by their hash. */
export class Bundles {
  /** By hash. */
  readonly blobs = new Map<string, Uint8Array>();
  readonly #hashes = new Map<string, { readonly hash: string; readonly size: number }>();
  readonly #root: string;
  readonly #more: readonly string[];

  /**
   * `root`: the project's folder, to which paths are relative; `more`: files and folders of it that every job gets, too.
   * Throws `usage` for one that lies outside.
   */
  constructor(root: string, more: readonly string[] = []) {
    this.#root = realpathSync(root);
    this.#more = more.flatMap((path) => allBelow(path));
  }

  /** Everything that a file is made of. Throws `workflow`, and `limit` where that is too much. */
  of(found: FoundFile, varsFile: string | undefined): Bundle {
    const files: Record<string, string> = {};
    let size = 0;
    const add = (path: string, name = this.#nameOf(path)) => {
      const one = this.#add(path);
      files[name] = one.hash;
      size += one.size;
    };
    for (const path of [...filesOf(found, this.#root), ...this.#more]) add(path);
    const vars = varsFile === undefined ? undefined : `${VARS}/${basename(varsFile)}`;
    if (varsFile !== undefined && vars !== undefined) add(varsFile, vars);
    const count = Object.keys(files).length;
    if (count > LIMITS.fileCount || size > LIMITS.files) {
      throw new BackstepError(
        "limit",
        `Cannot submit ${found.file}: its ${count} files have ${size} bytes; a job has at most ${LIMITS.fileCount} files and ${LIMITS.files} bytes`,
      );
    }
    return { files, ...(vars === undefined ? {} : { varsFile: vars }) };
  }

  #nameOf(path: string): string {
    const name = relative(this.#root, realpathSync(path)).split(sep).join("/");
    if (name !== "" && !name.startsWith("../") && name !== "..") return name;
    throw new BackstepError(
      "usage",
      `Cannot submit ${path}: it lies outside of the project's folder ${this.#root}`,
      {
        hint: "Say with --root which folder the project is.",
      },
    );
  }

  #add(path: string): { readonly hash: string; readonly size: number } {
    const existing = this.#hashes.get(path);
    if (existing) return existing;
    if (statSync(path).size > LIMITS.blob) {
      throw new BackstepError("limit", `Cannot submit ${path}: it has more than ${LIMITS.blob} bytes`);
    }
    const bytes = readFileSync(path);
    const found = { hash: createHash("sha256").update(bytes).digest("hex"), size: bytes.length };
    this.#hashes.set(path, found);
    this.blobs.set(found.hash, bytes);
    return found;
  }
}

/** A file, or every file below a folder. */
function allBelow(path: string): string[] {
  if (!existsSync(path)) throw new BackstepError("usage", `Cannot submit ${path}: it is not there`);
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)).sort();
}
