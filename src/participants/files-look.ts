import { constants, type Dirent, type Stats } from "node:fs";
import { lstat, open, readdir, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";

/** Tries to read a file that is written to meanwhile. */
const TRIES = 3;

/** What is at a path itself, links not followed; undefined: nothing. Throws `io`. */
export async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw fault(thrown, "protect", path);
  }
}

/** What is in a folder, by name; nothing when it is gone. Throws `io`. */
export async function entriesOf(path: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.sort((a, b) => a.name < b.name ? -1 : 1);
  } catch (thrown) {
    if (isMissing(thrown)) return [];
    throw fault(thrown, "protect", path);
  }
}

/** Where a folder really lies: the links of what there is of it followed. Throws `io`. */
export async function placeOf(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (thrown) {
    const up = dirname(folder);
    if (!isMissing(thrown) || up === folder) throw fault(thrown, "protect", folder);
    return join(await placeOf(up), basename(folder));
  }
}

/** Tells a file that did not change from one that did. */
export function stampOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [ino, size, mtimeMs, ctimeMs].join(" ");
}

/**
 * A file as it was at one moment, of `most` bytes; "changing": it was written to, or became something else, at each try.
 * Links are not followed, and a pipe that took its place is not waited for. Throws `io`.
 */
export async function readWhole(
  path: string,
  most: number,
): Promise<{ readonly bytes: Uint8Array; readonly stats: Stats } | "changing" | "gone"> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      try {
        const stats = await file.stat();
        if (!stats.isFile() || stats.size > most) continue;
        const bytes = new Uint8Array(stats.size);
        let at = 0;
        while (at < stats.size) {
          const { bytesRead } = await file.read(bytes, at, stats.size - at, at);
          if (bytesRead === 0) break;
          at += bytesRead;
        }
        if (at === stats.size && stampOf(stats) === stampOf(await file.stat())) return { bytes, stats };
      } finally {
        await file.close();
      }
    } catch (thrown) {
      if (isMissing(thrown)) return "gone";
      if (codeOf(thrown) !== "ELOOP") throw fault(thrown, "protect", path);
    }
  }
  return "changing";
}

/** Throws `cancelled` or `timeout`: the work on files is many small calls. */
export function inTime(deadline: Deadline, doing: string): void {
  deadline.check(doing);
  if (deadline.passed) {
    throw new BackstepError("timeout", `Cannot ${doing}: the time is over`, {
      hint: "Declare less in `files:`, or give the step a longer `timeout`.",
    });
  }
}

/** Is this the error of a file that is not there? */
export function isMissing(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return code === "ENOENT" || code === "ENOTDIR";
}

function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
}

/** What the file system says, as an error of ours. */
export function fault(cause: unknown, doing: string, path: string): BackstepError {
  if (cause instanceof BackstepError) return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new BackstepError("io", `Cannot ${doing} ${path}: ${why}`, { cause });
}
