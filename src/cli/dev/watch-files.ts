import { type FSWatcher, readFileSync, realpathSync, statSync, watch } from "node:fs";
import { createHash } from "node:crypto";
import { dirname } from "node:path";

/** Milliseconds without another change until a save counts as over: editors truncate, write and rename. */
const QUIET = 15;

/** A save of a watched file. */
export interface Save {
  readonly path: string;
  /** When it was written, in milliseconds since 1970. */
  readonly at: number;
}

/** Tells when the content of a file changes. Folders are watched and not files, since an editor may put a new one in its place. */
export class WatchedFiles {
  readonly #saved: (save: Save) => void;
  readonly #folders = new Map<string, FSWatcher>();
  /** What each file holds, as a digest. */
  readonly #contents = new Map<string, string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(saved: (save: Save) => void) {
    this.#saved = saved;
  }

  /** These are the files from here on, as they are now. */
  set(paths: Iterable<string>): void {
    const wanted = new Set([...paths].map(realOf));
    for (const path of this.#contents.keys()) if (!wanted.has(path)) this.#contents.delete(path);
    for (const path of wanted) this.#contents.set(path, digestOf(path));
    const folders = new Set([...wanted].map((path) => dirname(path)));
    for (const [folder, watcher] of this.#folders) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.#folders.delete(folder);
    }
    for (const folder of folders) {
      if (!this.#folders.has(folder)) this.#folders.set(folder, watch(folder, () => this.#later()));
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#folders.values()) watcher.close();
    this.#folders.clear();
  }

  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), QUIET);
  }

  #look(): void {
    for (const [path, before] of this.#contents) {
      const now = digestOf(path);
      if (now === before || now === "") continue;
      this.#contents.set(path, now);
      return this.#saved({ path, at: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now() });
    }
  }
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // it may come again: an editor is about to put a new one there
  }
}

/** Empty: it cannot be read, or nothing is in it yet. */
function digestOf(path: string): string {
  try {
    const bytes = readFileSync(path);
    return bytes.length === 0 ? "" : createHash("sha256").update(bytes).digest("hex");
  } catch {
    return "";
  }
}
