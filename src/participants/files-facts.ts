import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { lchown, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Json } from "../base/error.ts";
import { isMap } from "../base/json.ts";
import type { FileAttributes } from "../ffi/attributes.ts";
import type { FileStore } from "./declared-file.ts";

/** What the kernel writes by itself whenever a content changes. */
const KERNELS: ReadonlySet<string> = new Set(["security.ima", "security.evm"]);

/** What of a file is neither name nor content, as an image holds it. */
export type Facts = Readonly<Record<string, Json>>;

/** Owner, group and extended attributes (access control lists are such); of an ordinary file when it was last written. */
export function factsOf(path: string, found: Stats, store: FileStore, attributes?: FileAttributes): Facts {
  const own = attributesOf(path, store, attributes);
  return {
    uid: found.uid,
    gid: found.gid,
    ...(found.isFile() ? { modified: Math.floor(found.mtimeMs) } : {}),
    ...(Object.keys(own).length > 0 ? { attributes: own } : {}),
  };
}

function attributesOf(path: string, store: FileStore, attributes: FileAttributes | undefined): Facts {
  const found: Record<string, Json> = {};
  for (const name of attributes?.list(path) ?? []) {
    const value = KERNELS.has(name) ? undefined : attributes?.read(path, name);
    // By its digest: a report shows what an image holds.
    if (value) found[name] = store.put(value);
  }
  return found;
}

/** The other kinds, by what they are called; undefined: an ordinary file, a folder or a link. */
export function specialOf(found: Stats): Facts | undefined {
  const kind = found.isFIFO()
    ? "fifo"
    : found.isSocket()
    ? "socket"
    : found.isCharacterDevice()
    ? "character device"
    : found.isBlockDevice()
    ? "block device"
    : undefined;
  if (kind === undefined) return undefined;
  return kind.endsWith("device") ? { special: kind, device: found.rdev } : { special: kind };
}

/** Hears what could not be restored, and why. */
export type Left = (what: string, why: string) => void;

/** What is written back with. */
export interface FactTools {
  readonly store: FileStore;
  readonly attributes: FileAttributes | undefined;
  readonly left: Left;
}

/** Owner, attributes, permissions and time of an open file or folder, in the order in which none undoes another. */
export async function factsBack(
  file: FileHandle,
  path: string,
  wanted: Facts,
  tools: FactTools,
): Promise<void> {
  const { uid, gid, modified } = wanted;
  const stats = await file.stat();
  let owned = true;
  if (typeof uid === "number" && typeof gid === "number" && (stats.uid !== uid || stats.gid !== gid)) {
    owned = await file.chown(uid, gid).then(() => true, () => false);
    if (!owned) tools.left("owner", OWNER);
  }
  await attributesBack(file, path, wanted["attributes"], tools);
  const mode = typeof wanted["mode"] === "number" ? wanted["mode"] : undefined;
  if (mode !== undefined) {
    // A program that runs as its owner must not do so for another one.
    const safe = owned ? mode : mode & 0o1777;
    if (safe !== mode) tools.left("permissions", "they hold for its owner alone");
    if (((await file.stat()).mode & 0o7777) !== safe) await file.chmod(safe);
  }
  if (typeof modified !== "number") return;
  // In the middle of its millisecond: what is cut off on the way is not the one before.
  const seconds = (modified + 0.5) / 1_000;
  if (Math.floor((await file.stat()).mtimeMs) !== modified) await file.utimes(seconds, seconds);
}

const OWNER = "only root may give a file to another user";

/** The owner of what cannot be opened: a link, a pipe, a device. */
export async function ownerBack(path: string, wanted: Facts, there: Json, left: Left): Promise<void> {
  const { uid, gid } = wanted;
  if (typeof uid !== "number" || typeof gid !== "number") return;
  if (isMap(there) && there["uid"] === uid && there["gid"] === gid) return;
  await lchown(path, uid, gid).catch(() => left("owner", OWNER));
}

async function attributesBack(
  file: FileHandle,
  path: string,
  wanted: Json | undefined,
  { store, attributes, left }: FactTools,
): Promise<void> {
  if (!attributes) return;
  const before = isMap(wanted) ? wanted : {};
  // Read where the file stands now: beside its place, while it is being replaced.
  const now = attributesOf(path, store, attributes);
  const changed = [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .filter((name) => before[name] !== now[name]);
  if (changed.length === 0) return;
  const open = await isOpen(file, path);
  for (const name of changed) {
    const value = before[name];
    const done = open &&
      (typeof value === "string"
        ? attributes.write(file.fd, name, store.get(value))
        : attributes.remove(file.fd, name));
    if (!done) left(`attribute ${name}`, "it may not be written");
  }
}

/** Whether the number of an open file is the system's own, and means this path. */
async function isOpen(file: FileHandle, path: string): Promise<boolean> {
  try {
    return await readlink(`/proc/self/fd/${file.fd}`) === join(await realpath(dirname(path)), basename(path));
  } catch {
    return false; // no /proc: attributes are named as what was left
  }
}
