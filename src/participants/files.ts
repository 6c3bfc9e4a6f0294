import { randomBytes } from "node:crypto";
import { type Dirent, type Stats } from "node:fs";
import {
  chmod,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  rename,
  rm,
  rmdir,
  symlink,
  unlink,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { BackstepError, type Json } from "../base/error.ts";
import { isMap } from "../base/json.ts";
import type { Image, Participant } from "../contract/participant.ts";

/** Where the content of files is kept until it may have to be written back. */
export interface FileStore {
  /** Keeps bytes and answers their name; durable before it answers. */
  put(bytes: Uint8Array): string;
  /** The bytes of a name. Throws `io` when they are not there, or are not what was kept. */
  get(name: string): Uint8Array;
}

/** What of declared files is kept at most. */
export interface FileLimits {
  /** Bytes of one file; default 16 MiB. */
  readonly file?: number;
  /** Bytes of all files of one declaration; default 64 MiB. */
  readonly all?: number;
  /** Files and folders of one declaration; default 2,000. */
  readonly count?: number;
}

/** A declared file or folder. */
export interface DeclaredFile {
  /** As the workflow writes it, for people. */
  readonly given: string;
  /** Absolute, and confined by whoever made it. */
  readonly path: string;
  readonly store: FileStore;
  /** Applications save late: on a desktop where nobody else is, what changed until the next deed is the deed's own. */
  readonly late: boolean;
  readonly limits?: FileLimits;
}

/** What was read of a file, by what tells that it did not change since. */
type Known = Map<string, { readonly stamp: string; readonly content: string }>;

/**
 * A declared file or folder: whether it is there, its content, and its permissions. Of a folder everything in it; links are
 * kept as links and never followed. What is larger than its limits is compared by size and time, and not put back.
 */
export function filesOf(declared: DeclaredFile): Participant {
  const { given, path, late } = declared;
  const label = `files ${given}`;
  const known: Known = new Map();
  return {
    kind: "files",
    key: `files ${path}`,
    label,
    ...(late ? { late: true as const } : {}),
    async capture(_desktop, call) {
      const walk = new Walk(declared, known, call.signal);
      await walk.visit("");
      return walk.image();
    },
    async restore(image, desktop, call) {
      const now = await this.capture(desktop, call);
      await putBack(declared, image, now);
      return "files";
    },
    describe: (): Json => ({ kind: "files", given, path }),
  };
}

class Walk {
  readonly #properties: Record<string, Json> = {};
  readonly #unrestorable: Record<string, string> = {};
  #count = 0;
  #bytes = 0;

  constructor(
    readonly declared: DeclaredFile,
    readonly known: Known,
    readonly signal: AbortSignal | undefined,
  ) {}

  image(): Image {
    const lost = Object.keys(this.#unrestorable).length > 0;
    return { properties: this.#properties, ...(lost ? { unrestorable: this.#unrestorable } : {}) };
  }

  /** `name` is relative to the declaration; "" is that itself. */
  async visit(name: string): Promise<void> {
    this.signal?.throwIfAborted();
    const { path, limits = {} } = this.declared;
    const key = name === "" ? "." : name;
    const full = join(path, name);
    const found = await statOf(full);
    if (found === undefined) {
      // Absence is a state like another; of a folder's content what is not there is not listed.
      if (name === "") this.#properties[key] = null;
      return;
    }
    if (++this.#count > (limits.count ?? 2_000)) {
      this.#unrestorable["…"] = `there are more than ${limits.count ?? 2_000} files`;
      return;
    }
    const mode = found.mode & 0o7777;
    if (found.isSymbolicLink()) this.#properties[key] = { link: await readlink(full) };
    else if (found.isDirectory()) {
      this.#properties[key] = { folder: true, mode };
      for (const entry of await entriesOf(full)) await this.visit(join(name, entry.name));
    } else if (found.isFile()) await this.#file(key, full, found, mode);
    else this.#unrestorable[key] = "it is no ordinary file";
  }

  async #file(key: string, full: string, found: Stats, mode: number): Promise<void> {
    const { limits = {}, store } = this.declared;
    const stamp = [found.ino, found.size, found.mtimeMs, found.ctimeMs].join(" ");
    this.#bytes += found.size;
    if (found.size > (limits.file ?? 16 << 20) || this.#bytes > (limits.all ?? 64 << 20)) {
      this.#properties[key] = { size: found.size, stamp: `${found.mtimeMs}`, mode };
      this.#unrestorable[`content of ${key}`] = "it is larger than what is kept";
      return;
    }
    const before = this.known.get(key);
    const content = before?.stamp === stamp ? before.content : store.put(await readWhole(full, found.size));
    this.known.set(key, { stamp, content });
    this.#properties[key] = { content, size: found.size, mode };
  }
}

/** Writes back what differs: first what is too many goes, the deepest first, then what is missing or otherwise comes. */
async function putBack(declared: DeclaredFile, image: Image, now: Image): Promise<void> {
  const { path, store } = declared;
  // What was not captured whole is not known to be absent.
  const whole = image.unrestorable?.["…"] === undefined && now.unrestorable?.["…"] === undefined;
  for (const key of Object.keys(now.properties).sort().reverse()) {
    const wanted = image.properties[key];
    const there = now.properties[key] ?? null;
    if (there === null || (wanted !== undefined && wanted !== null && kindOf(wanted) === kindOf(there))) {
      continue;
    }
    if (!whole && wanted === undefined) continue;
    await remove(join(path, key), kindOf(there));
  }
  const modes: [path: string, mode: number][] = [];
  for (const key of Object.keys(image.properties).sort()) {
    const wanted = image.properties[key] ?? null;
    if (!isMap(wanted)) continue;
    const full = join(path, key);
    const there = now.properties[key] ?? null;
    const mode = typeof wanted["mode"] === "number" ? wanted["mode"] : undefined;
    const same = isMap(there) && there["content"] === wanted["content"] && there["link"] === wanted["link"] &&
      kindOf(there) === kindOf(wanted);
    if (typeof wanted["link"] === "string") {
      if (!same) {
        await remove(full, "file");
        await symlink(wanted["link"], full);
      }
    } else if (wanted["folder"] === true) {
      await mkdir(full, { recursive: true });
      if (mode !== undefined) modes.push([full, mode]);
    } else if (typeof wanted["content"] === "string") {
      if (!same) await replace(full, store.get(wanted["content"]), mode ?? 0o600);
      else if (mode !== undefined && there["mode"] !== mode) await chmod(full, mode);
    }
  }
  // Last and from the inside out: a folder that may not be written to could not take its files.
  for (const [full, mode] of modes.reverse()) await chmod(full, mode);
}

function kindOf(state: Json): "file" | "folder" | "link" {
  return !isMap(state) ? "file" : state["folder"] === true ? "folder" : "link" in state ? "link" : "file";
}

/** A file is there whole or as it was: written beside, made durable, and put in its place at once. */
async function replace(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const beside = join(dirname(path), `.backstep-${randomBytes(6).toString("hex")}`);
  try {
    const file = await open(beside, "wx", 0o600);
    try {
      await file.writeFile(bytes);
      await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
  } catch (thrown) {
    await rm(beside, { force: true });
    throw thrown;
  }
}

/** Never more than one thing: what came into a folder meanwhile keeps it. */
async function remove(path: string, kind: "file" | "folder" | "link"): Promise<void> {
  try {
    if (kind === "folder") await rmdir(path);
    else await unlink(path);
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
  }
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw fault(thrown, path);
  }
}

async function entriesOf(path: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.sort((a, b) => a.name < b.name ? -1 : 1);
  } catch (thrown) {
    if (isMissing(thrown)) return [];
    throw fault(thrown, path);
  }
}

/** Never more than what was asked for: a file that grows while it is read is read again at the next look. */
async function readWhole(path: string, size: number): Promise<Uint8Array> {
  try {
    const file = await open(path, "r");
    try {
      const bytes = new Uint8Array(size);
      let at = 0;
      while (at < size) {
        const { bytesRead } = await file.read(bytes, at, size - at, at);
        if (bytesRead === 0) break;
        at += bytesRead;
      }
      return bytes.subarray(0, at);
    } finally {
      await file.close();
    }
  } catch (thrown) {
    throw fault(thrown, path);
  }
}

function isMissing(thrown: unknown): boolean {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  return code === "ENOENT" || code === "ENOTDIR";
}

function fault(cause: unknown, path: string): BackstepError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new BackstepError("io", `Cannot protect ${path}: ${why}`, { cause });
}
