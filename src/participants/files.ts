import type { Stats } from "node:fs";
import { readlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Call, Deadline } from "../base/call.ts";
import { BackstepError, type Json } from "../base/error.ts";
import { isMap } from "../base/json.ts";
import { differences, type Image, type Participant } from "../contract/participant.ts";
import { type FileAttributes, fileAttributes } from "../ffi/attributes.ts";
import type { DeclaredFile } from "./declared-file.ts";
import { type Facts, factsOf, specialOf } from "./files-facts.ts";
import { type Linked, linksOf } from "./files-links.ts";
import { entriesOf, inTime, placeOf, readWhole, stampOf, statOf } from "./files-look.ts";
import { filesBack, type Standing } from "./files-back.ts";

/** What was read of a file, by what tells that it did not change since. */
type Stamps = Map<string, { readonly stamp: string; readonly content: string }>;

/** Milliseconds by which a file must be older than the look at it: file systems count time in steps of some milliseconds. */
const STEP = 50;

/**
 * A declared file or folder: whether it is there, its content, owner, permissions, extended attributes, when it was written and
 * which names are one file. Of a folder everything in it; links are kept as links and never followed. What is larger than its
 * limits is compared by size and time, and not restored; nor are pipes, sockets and devices made again.
 */
export function filesOf(declared: DeclaredFile): Participant {
  const { given, path, late } = declared;
  const label = `files ${given}`;
  const stamps: Stamps = new Map();
  let place: string | undefined;
  let seen: Image | undefined;
  const look = async (call: Call): Promise<Standing> => {
    const place = await stayInPlace();
    const attributes = declared.plain ? undefined : await fileAttributes();
    const walk = new Walk(declared, stamps, Deadline.of(call, LOOK), attributes);
    await walk.visit("");
    return { image: walk.image(), inodes: walk.inodes, place, attributes };
  };
  /** A folder above it that has become a link would lead out of where it was confined to. */
  const stayInPlace = async () => {
    const now = await placeOf(dirname(path));
    place ??= now;
    if (now === place) return now;
    throw new BackstepError("io", `Cannot protect ${given}: it lay in ${place}, and now lies in ${now}`);
  };
  return {
    kind: "files",
    key: `files ${path}`,
    label,
    ...(late ? { late: true as const } : {}),
    capture: async (_desktop, call) => seen = (await look(call)).image,
    async restore(image, _desktop, call) {
      const deadline = Deadline.of(call, LOOK);
      const now = await look(deadline.call());
      // Whoever decided to write has seen it otherwise; where nobody else is, it is the application that saves late.
      if (!late && seen !== undefined && differences("", seen, now.image).length > 0) {
        throw new BackstepError("io", `Cannot restore ${given}: it was changed just now`);
      }
      seen = undefined;
      return await filesBack(declared, image, now, deadline);
    },
    describe: (): Json => ({ kind: "files", given, path, ...(declared.plain ? {} : { facts: true }) }),
  };
}

/** Milliseconds for a look, or for writing back, where the call does not say. */
const LOOK = 30_000;

class Walk {
  readonly #properties: Record<string, Json> = {};
  readonly #unrestorable: Record<string, string> = {};
  readonly #linked: Linked[] = [];
  readonly inodes = new Map<string, number>();
  #count = 0;
  #bytes = 0;
  readonly declared: DeclaredFile;
  readonly stamps: Stamps;
  readonly deadline: Deadline;
  readonly attributes: FileAttributes | undefined;

  constructor(
    declared: DeclaredFile,
    stamps: Stamps,
    deadline: Deadline,
    attributes: FileAttributes | undefined,
  ) {
    this.declared = declared;
    this.stamps = stamps;
    this.deadline = deadline;
    this.attributes = attributes;
  }

  image(): Image {
    for (const [key, links] of linksOf(this.#linked)) {
      const state = this.#properties[key];
      if (isMap(state)) this.#properties[key] = { ...state, links };
    }
    const lost = Object.keys(this.#unrestorable).length > 0;
    return { properties: this.#properties, ...(lost ? { unrestorable: this.#unrestorable } : {}) };
  }

  /** `name` is relative to the declaration; "" is that itself. */
  async visit(name: string): Promise<void> {
    inTime(this.deadline, `protect ${this.declared.given}`);
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
    this.inodes.set(key, found.ino);
    const mode = found.mode & 0o7777;
    const special = specialOf(found);
    const facts = this.#facts(full, found);
    if (found.isSymbolicLink()) this.#properties[key] = { link: await readlink(full), ...facts };
    else if (found.isDirectory()) {
      this.#properties[key] = { folder: true, mode, ...facts };
      for (const entry of await entriesOf(full)) await this.visit(join(name, entry.name));
    } else if (found.isFile()) await this.#file(key, full, found, facts);
    else if (special && !this.declared.plain) this.#properties[key] = { ...special, mode, ...facts };
    else this.#unrestorable[key] = "it is no ordinary file";
  }

  #facts(full: string, found: Stats): Facts {
    const { plain, store } = this.declared;
    return plain ? {} : factsOf(full, found, store, this.attributes);
  }

  async #file(key: string, full: string, found: Stats, facts: Facts): Promise<void> {
    const { limits = {}, store, plain } = this.declared;
    if (found.nlink > 1 && !plain) this.#linked.push({ key, inode: found.ino, count: found.nlink });
    this.#bytes += found.size;
    if (found.size > (limits.file ?? 16 << 20) || this.#bytes > (limits.all ?? 64 << 20)) {
      return this.#lost(key, found, facts, "it is larger than what is kept");
    }
    const stamp = stampOf(found);
    const before = this.stamps.get(key);
    if (before?.stamp === stamp) {
      this.#properties[key] = {
        content: before.content,
        size: found.size,
        mode: found.mode & 0o7777,
        ...facts,
      };
      return;
    }
    const began = Date.now();
    const read = await readWhole(full, limits.file ?? 16 << 20);
    if (read === "gone") {
      if (key === ".") this.#properties[key] = null;
      return;
    }
    if (read === "changing") {
      return this.#lost(key, found, facts, "it was written to all the while it was read");
    }
    const content = store.put(read.bytes);
    const { stats } = read;
    // What was written just now may be written once more within the same step of its clock.
    if (Math.max(stats.mtimeMs, stats.ctimeMs) + STEP < began) {
      this.stamps.set(key, { stamp: stampOf(stats), content });
    } else this.stamps.delete(key);
    const { mode, size } = stats;
    this.inodes.set(key, stats.ino);
    this.#properties[key] = { content, size, mode: mode & 0o7777, ...this.#facts(full, stats) };
  }

  #lost(key: string, { size, mtimeMs, mode }: Stats, facts: Facts, why: string): void {
    // Its time tells whether it changed: that is never restored.
    const { modified: _, ...rest } = facts;
    this.#properties[key] = { size, stamp: `${mtimeMs}`, mode: mode & 0o7777, ...rest };
    this.#unrestorable[`content of ${key}`] = why;
  }
}
