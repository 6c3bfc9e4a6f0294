import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { BackstepError } from "../base/error.ts";
import { type Facts, factsBack, type FactTools } from "./files-facts.ts";

const { O_RDONLY, O_WRONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * A file is there whole or as it was: written beside, made durable, and put in its place at once, where a
 * folder around it still leads there.
 */
export async function replace(
  path: string,
  bytes: Uint8Array,
  wanted: Facts,
  tools: FactTools & { readonly inPlace: () => Promise<void> },
): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  const beside = join(folder, `.backstep-${randomBytes(6).toString("hex")}`);
  try {
    const file = await open(beside, "wx", 0o600);
    try {
      await file.writeFile(bytes);
      await factsBack(file, beside, wanted, tools);
      await file.sync();
    } finally {
      await file.close();
    }
    await tools.inPlace();
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

/**
 * Writes into the file that stands there, where another one in its place would cut what hangs on it: other names, an owner that
 * we cannot give. A crash in between leaves it half written; its content is kept with the run.
 */
export async function rewrite(path: string, bytes: Uint8Array, inode: number | undefined): Promise<void> {
  const file = await writable(path, inode);
  try {
    let at = 0;
    while (at < bytes.length) at += (await file.write(bytes, at, bytes.length - at, at)).bytesWritten;
    await file.truncate(bytes.length);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function writable(path: string, inode: number | undefined): Promise<FileHandle> {
  try {
    return await opened(path, O_WRONLY, inode);
  } catch (thrown) {
    if (!(thrown instanceof Error && "code" in thrown && thrown.code === "EACCES")) throw thrown;
  }
  // Its owner may write to it once it says so; its permissions come back with the rest.
  await withOpen(path, inode, async (file) => await file.chmod((await file.stat()).mode & 0o7777 | 0o200));
  return await opened(path, O_WRONLY, inode);
}

/** Does something to the very file that was looked at. */
export async function withOpen(
  path: string,
  inode: number | undefined,
  action: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const file = await opened(path, O_RDONLY, inode);
  try {
    await action(file);
  } finally {
    await file.close();
  }
}

/** Opens what stands at a path, links not followed; another file than was looked at is not touched. */
async function opened(path: string, how: number, inode: number | undefined): Promise<FileHandle> {
  const file = await open(path, how | O_NOFOLLOW | O_NONBLOCK);
  const stats = await file.stat();
  if ((stats.isFile() || stats.isDirectory()) && (inode === undefined || stats.ino === inode)) return file;
  await file.close();
  throw new BackstepError("io", `Cannot restore ${path}: another file took its place`);
}
