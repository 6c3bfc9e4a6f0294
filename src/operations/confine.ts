import { readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { Context } from "../contract/operation.ts";
import { BackstepError } from "../base/error.ts";
import { OUTSIDE } from "../base/within.ts";

/** A path that was judged, and the folders in which it must lie still when it is opened. */
export interface Confined {
  /** Absolute, its links not followed. */
  readonly path: string;
  /** Without links. For `readWithin` and its like, which judge once more what they opened. */
  readonly roots: readonly string[];
}

/**
 * A path from an input as an absolute one: "~/…" is in the session's HOME, a relative one in the gate's folder. Throws
 * `invalid` for what lies outside of both, symbolic links followed as far as the path exists.
 */
export async function confine(
  context: { readonly session: Pick<Context["session"], "home">; readonly folder: string },
  path: string,
  doing: string,
): Promise<string> {
  return (await confined(context, path, doing)).path;
}

/** The same, for what is opened here: between judging a path and opening it somebody can put a link there. */
export async function confined(
  context: { readonly session: Pick<Context["session"], "home">; readonly folder: string },
  path: string,
  doing: string,
): Promise<Confined> {
  const { home } = context.session;
  const folder = resolve(context.folder);
  if ((path === "~" || path.startsWith("~/")) && home === undefined) {
    throw new BackstepError("invalid", `Cannot ${doing} ${path}: this desktop has no HOME`);
  }
  const absolute = home !== undefined && (path === "~" || path.startsWith("~/"))
    ? join(home, path.slice(1))
    : resolve(folder, path);
  const bases = [folder, ...(home === undefined ? [] : [resolve(home)])];
  try {
    const real = await realOf(absolute);
    for (const base of bases) {
      const root = await realOf(base);
      if (inside(base, absolute) && inside(root, real)) return { path: absolute, roots: [root] };
    }
  } catch (thrown) {
    throw asFault(thrown, doing, path);
  }
  throw new BackstepError("invalid", `Cannot ${doing} ${path}: it lies outside of ${bases.join(" and ")}`, {
    hint: 'Give a path relative to the workflow\'s folder, or one that starts with "~/".',
  });
}

function inside(base: string, path: string): boolean {
  const way = relative(base, path);
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith("../"));
}

/** Links that lead to links followed at most: as many as Linux does. */
const MOST_LINKS = 40;

/** The path with the links of its existing part followed, and those that lead to nothing yet: writing would make that. */
async function realOf(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch (thrown) {
    const up = dirname(path);
    if (!isMissing(thrown) || up === path || links > MOST_LINKS) throw thrown;
    const real = join(await realOf(up, links), basename(path));
    const target = await linkAt(real);
    return target === undefined ? real : await realOf(resolve(dirname(real), target), links + 1);
  }
}

/** Where a symbolic link leads; undefined: there is none. */
async function linkAt(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (thrown) {
    if (isMissing(thrown) || codeOf(thrown) === "EINVAL") return undefined;
    throw thrown;
  }
}

/** What the file system says, as an error of ours: `io`. */
export function asFault(thrown: unknown, doing: string, path: string): BackstepError {
  if (thrown instanceof BackstepError) return thrown;
  const code = codeOf(thrown);
  if (code === OUTSIDE) {
    return new BackstepError("invalid", `Cannot ${doing} ${path}: a link leads out of its folder by now`, {
      cause: thrown,
    });
  }
  const why = (code === undefined ? undefined : WHY.get(code)) ??
    (thrown instanceof Error ? thrown.message : String(thrown));
  return new BackstepError("io", `Cannot ${doing} ${path}: ${why}`, { cause: thrown });
}

const WHY: ReadonlyMap<string, string> = new Map([
  ["EACCES", "it may not be used: look at its permissions"],
  ["EPERM", "it may not be used: look at its permissions"],
  ["EISDIR", "it is a folder"],
  ["ELOOP", "its symbolic links go in a circle"],
  ["ENOSPC", "the disk is full"],
  ["EROFS", "the disk is read-only"],
]);

function codeOf(thrown: unknown): string | undefined {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** Is this the error of a file that is not there? */
export function isMissing(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return code === "ENOENT" || code === "ENOTDIR";
}
