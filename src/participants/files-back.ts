import { randomBytes } from "node:crypto";
import { chmod, mkdir, open, rename, rm, rmdir, symlink, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Deadline } from "../base/call.ts";
import type { Json } from "../base/error.ts";
import { isMap } from "../base/json.ts";
import type { Image } from "../contract/participant.ts";
import type { DeclaredFile } from "./files.ts";
import { fault, inTime, isMissing } from "./files-look.ts";

/**
 * Writes back what differs: first what is too many goes, the deepest first, then what is missing or otherwise comes. What
 * cannot be written does not keep the rest from it; the first fault is thrown at the end.
 */
export async function filesBack(
  { path, given, store }: DeclaredFile,
  image: Image,
  now: Image,
  deadline: Deadline,
): Promise<void> {
  const faults: unknown[] = [];
  const each = async (key: string, deed: (full: string) => Promise<void>) => {
    inTime(deadline, `put back ${given}`);
    const full = join(path, key);
    try {
      await deed(full);
    } catch (thrown) {
      faults.push(fault(thrown, "put back", full));
    }
  };
  // What was not captured whole is not known to be absent.
  const whole = image.unrestorable?.["…"] === undefined && now.unrestorable?.["…"] === undefined;
  for (const key of Object.keys(now.properties).sort().reverse()) {
    const wanted = image.properties[key];
    const there = now.properties[key] ?? null;
    if (there === null || (wanted !== undefined && wanted !== null && kindOf(wanted) === kindOf(there))) {
      continue;
    }
    if (!whole && wanted === undefined) continue;
    await each(key, (full) => remove(full, kindOf(there)));
  }
  const modes: [key: string, mode: number][] = [];
  for (const key of Object.keys(image.properties).sort()) {
    const wanted = image.properties[key] ?? null;
    if (!isMap(wanted)) continue;
    const there = now.properties[key] ?? null;
    const mode = typeof wanted["mode"] === "number" ? wanted["mode"] : undefined;
    const { link, content } = wanted;
    const same = isMap(there) && there["content"] === content && there["link"] === link &&
      kindOf(there) === kindOf(wanted);
    if (typeof link === "string") {
      if (same) continue;
      await each(key, async (full) => {
        await remove(full, "link");
        await symlink(link, full);
      });
    } else if (wanted["folder"] === true) {
      await each(key, async (full) => void await mkdir(full, { recursive: true }));
      if (mode !== undefined) modes.push([key, mode]);
    } else if (typeof content === "string") {
      if (!same) await each(key, (full) => replace(full, store.get(content), mode ?? 0o600));
      else if (mode !== undefined && there["mode"] !== mode) await each(key, (full) => chmod(full, mode));
    }
  }
  // Last and from the inside out: a folder that may not be written to could not take its files.
  for (const [key, mode] of modes.reverse()) await each(key, (full) => chmod(full, mode));
  if (faults.length > 0) throw faults[0];
}

function kindOf(state: Json): "file" | "folder" | "link" {
  return !isMap(state) ? "file" : state["folder"] === true ? "folder" : "link" in state ? "link" : "file";
}

/** A file is there whole or as it was: written beside, made durable, and put in its place at once. */
async function replace(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  const beside = join(folder, `.backstep-${randomBytes(6).toString("hex")}`);
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
  // That it has its name is durable only with its folder.
  const within = await open(folder, "r");
  try {
    await within.sync();
  } finally {
    await within.close();
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
