import { randomBytes } from "node:crypto";
import { link, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Json } from "../base/error.ts";
import { isList, isMap } from "../base/json.ts";
import type { Left } from "./files-facts.ts";
import { statOf } from "./files-look.ts";

/** A file that has more names than one. */
export interface Linked {
  readonly key: string;
  readonly inode: number;
  /** Names in all. */
  readonly count: number;
}

/**
 * Names that are one file: how many there are, and which of them are declared. Where others are not, the file itself is held
 * too, by its number: only as long as it stands the other names are names of the same.
 */
export function linksOf(all: readonly Linked[]): Map<string, Json> {
  const links = new Map<string, Json>();
  for (const { key, inode, count } of all) {
    const names = all.filter((one) => one.inode === inode).map((one) => one.key).sort();
    links.set(key, { count, names, ...(names.length < count ? { inode } : {}) });
  }
  return links;
}

/** Makes those names one file again that were one, unless one of them was not restored. */
export async function linksBack(
  path: string,
  properties: { readonly [key: string]: Json },
  faulty: ReadonlySet<string>,
  each: (key: string, action: (full: string, left: Left) => Promise<void>) => Promise<void>,
): Promise<void> {
  for (const [key, state] of Object.entries(properties)) {
    const links = isMap(state) ? state["links"] : undefined;
    if (!isMap(links) || !isList(links["names"])) continue;
    const names = links["names"].filter((name) => typeof name === "string");
    if (names.some((name) => faulty.has(name))) continue;
    await each(key, async (full, left) => {
      const file = await oneOf(path, names, links["inode"]);
      if (file === undefined) return left("links", "its other names are not among the declared files");
      if ((await statOf(full))?.ino === (await statOf(file))?.ino) return;
      const beside = join(dirname(full), `.backstep-${randomBytes(6).toString("hex")}`);
      try {
        await link(file, beside);
        await rename(beside, full);
      } catch (thrown) {
        await rm(beside, { force: true });
        throw thrown;
      }
    });
  }
}

/** A name of the file that is meant; undefined: none of them is any more. */
async function oneOf(
  path: string,
  names: readonly string[],
  inode: Json | undefined,
): Promise<string | undefined> {
  for (const name of names) {
    const full = join(path, name);
    const found = await statOf(full);
    if (found?.isFile() && (inode === undefined || found.ino === inode)) return full;
  }
  return undefined;
}
