import { mkdir, rmdir, symlink, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import type { Deadline } from "../base/call.ts";
import { BackstepError, type Json } from "../base/error.ts";
import { isMap } from "../base/json.ts";
import { equalJson, type Image, type PartlyRestored } from "../contract/participant.ts";
import type { FileAttributes } from "../ffi/attributes.ts";
import type { DeclaredFile } from "./declared-file.ts";
import { type Facts, factsBack, type Left, ownerBack } from "./files-facts.ts";
import { linksBack } from "./files-links.ts";
import { fault, inTime, isMissing, placeOf } from "./files-look.ts";
import { replace, rewrite, withOpen } from "./files-write.ts";

/** What stands there now, and where. */
export interface Standing {
  readonly image: Image;
  /** The number of each file: what is written to is the one that was looked at. */
  readonly inodes: ReadonlyMap<string, number>;
  /** Where the folder of the declaration really lies. */
  readonly place: string;
  readonly attributes: FileAttributes | undefined;
}

/**
 * Writes back what differs: first what is too many goes, the deepest first, then what is missing or otherwise comes, then names
 * that were one file become one. What cannot be written does not keep the rest from it; the first fault is thrown at the end.
 */
export async function filesBack(
  declared: DeclaredFile,
  image: Image,
  standing: Standing,
  deadline: Deadline,
): Promise<PartlyRestored> {
  const back = new Back(declared, image, standing, deadline);
  await back.remove();
  await back.write();
  return back.over();
}

class Back {
  readonly #faults: unknown[] = [];
  readonly #faulty = new Set<string>();
  readonly #left: Record<string, string> = {};
  readonly declared: DeclaredFile;
  readonly image: Image;
  readonly now: Standing;
  readonly deadline: Deadline;

  constructor(declared: DeclaredFile, image: Image, now: Standing, deadline: Deadline) {
    this.declared = declared;
    this.image = image;
    this.now = now;
    this.deadline = deadline;
  }

  over(): PartlyRestored {
    if (this.#faults.length > 0) throw this.#faults[0];
    return { method: "files", left: this.#left };
  }

  async remove(): Promise<void> {
    const now = this.now.image;
    // What was not captured whole is not known to be absent.
    const whole = this.image.unrestorable?.["…"] === undefined && now.unrestorable?.["…"] === undefined;
    for (const key of Object.keys(now.properties).sort().reverse()) {
      const wanted = this.image.properties[key];
      const there = now.properties[key] ?? null;
      if (there === null || (!whole && wanted === undefined)) continue;
      const kind = isMap(wanted) ? kindOf(wanted) : undefined;
      if (kind === kindOf(there) || kind === "special") continue;
      await this.#each(key, (full) => remove(full, kindOf(there)));
    }
  }

  async write(): Promise<void> {
    const folders: [key: string, wanted: Facts][] = [];
    const keys = Object.keys(this.image.properties).sort();
    for (const key of keys) {
      const wanted = this.image.properties[key] ?? null;
      if (!isMap(wanted)) continue;
      const there = this.now.image.properties[key] ?? null;
      if (kindOf(wanted) === "folder") folders.push([key, wanted]);
      await this.#each(key, (full, left) => this.#one(key, full, wanted, there, left));
    }
    const each = this.#each.bind(this);
    await linksBack(this.declared.path, this.image.properties, this.#faulty, each);
    // Last and from the inside out: a folder that may not be written to could not take its files.
    for (const [key, wanted] of folders.reverse()) {
      await this.#each(key, (full, left) => this.#facts(key, full, wanted, left));
    }
  }

  async #one(key: string, full: string, wanted: Facts, there: Json, left: Left): Promise<void> {
    const { link, content } = wanted;
    const same = isMap(there) && there["content"] === content && there["link"] === link &&
      kindOf(there) === kindOf(wanted);
    switch (kindOf(wanted)) {
      case "folder":
        return void await mkdir(full, { recursive: true });
      case "link":
        if (!same && typeof link === "string") {
          await remove(full, "link");
          await symlink(link, full);
        }
        if (same) asBefore(wanted, there, left);
        return await ownerBack(full, wanted, same ? there : null, left);
      case "special":
        if (isMap(there) && there["special"] === wanted["special"] && there["device"] === wanted["device"]) {
          asBefore(wanted, there, left);
          return await ownerBack(full, wanted, there, left);
        }
        return left("kind", `a ${String(wanted["special"])} is not made again`);
      case "file":
        return await this.#file(key, full, wanted, there, left);
    }
  }

  async #file(key: string, full: string, wanted: Facts, there: Json, left: Left): Promise<void> {
    const { content } = wanted;
    const { store } = this.declared;
    const stands = isMap(there) && kindOf(there) === "file" ? there : undefined;
    const changed = typeof content === "string" && stands?.["content"] !== content;
    if (changed && stands && hangs(wanted, stands)) {
      await rewrite(full, store.get(content), this.now.inodes.get(key));
    } else if (changed) {
      const tools = { store, attributes: this.now.attributes, left, inPlace: () => this.#inPlace(key, full) };
      return await replace(full, store.get(content), { mode: 0o600, ...wanted }, tools);
    }
    // Too large to be kept, and gone: what cannot be restored is named already.
    if (!stands) return;
    if (changed || !equalJson(bare(wanted), bare(stands))) await this.#facts(key, full, wanted, left);
  }

  async #facts(key: string, full: string, wanted: Facts, left: Left): Promise<void> {
    const tools = { store: this.declared.store, attributes: this.now.attributes, left };
    await withOpen(full, this.now.inodes.get(key), (file) => factsBack(file, full, wanted, tools));
  }

  /** A folder around it that has become a link leads elsewhere: nothing is written there. */
  async #inPlace(key: string, full: string): Promise<void> {
    const { place } = this.now;
    const within = key === "." ? place : join(place, basename(this.declared.path), dirname(key));
    if (await placeOf(dirname(full)) === within) return;
    throw new BackstepError("io", `Cannot restore ${full}: a folder around it leads elsewhere now`);
  }

  /** One thing at its place. */
  async #each(key: string, action: (full: string, left: Left) => Promise<void>): Promise<void> {
    const { given, path } = this.declared;
    inTime(this.deadline, `restore ${given}`);
    const full = join(path, key);
    try {
      await this.#inPlace(key, full);
      await action(full, (what, why) => this.#left[`${what} of ${key}`] = why);
    } catch (thrown) {
      this.#faults.push(fault(thrown, "restore", full));
      this.#faulty.add(key);
    }
  }
}

/** What is only written to something that is opened: a link, a pipe or a device is not. */
function asBefore(wanted: Facts, there: Facts, left: Left): void {
  for (const [fact, what] of [["mode", "permissions"], ["attributes", "attributes"]] as const) {
    if (!equalJson(wanted[fact] ?? null, there[fact] ?? null)) {
      left(what, "they are changed only of what can be opened");
    }
  }
}

/** Without what names hang together, which is restored for all of them at once. */
function bare({ links: _, ...rest }: Facts): Facts {
  return rest;
}

/** Whether something hangs on the file that stands there: its other names, or an owner and attributes that we cannot give. */
function hangs(wanted: Facts, there: Facts): boolean {
  if (there["links"] !== undefined && equalJson(there["links"], wanted["links"] ?? null)) return true;
  const own = process.geteuid?.();
  if (own === 0 || own === undefined) return false;
  const attributes = isMap(wanted["attributes"]) ? Object.keys(wanted["attributes"]) : [];
  return (wanted["uid"] !== own && wanted["uid"] === there["uid"]) ||
    attributes.some((name) => !/^(user|system)\./.test(name));
}

function kindOf(state: Json): "file" | "folder" | "link" | "special" {
  if (!isMap(state)) return "file";
  if (state["folder"] === true) return "folder";
  return "link" in state ? "link" : "special" in state ? "special" : "file";
}

/** Never more than one thing: what came into a folder meanwhile keeps it. */
async function remove(path: string, kind: ReturnType<typeof kindOf>): Promise<void> {
  try {
    if (kind === "folder") await rmdir(path);
    else await unlink(path);
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
  }
}
