import { realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { Context } from "../contract/operation.ts";
import { BackstepError } from "../base/error.ts";

/**
 * A path from an input as an absolute one: "~/…" is in the session's HOME, a relative one in the gate's folder. Throws
 * `invalid` for what lies outside of both, symbolic links followed as far as the path exists.
 */
export async function confine(context: Context, path: string, doing: string): Promise<string> {
  const { home } = context.session;
  const folder = resolve(context.folder);
  if ((path === "~" || path.startsWith("~/")) && home === undefined) {
    throw new BackstepError("invalid", `Cannot ${doing} ${path}: this desktop has no HOME`);
  }
  const absolute = home !== undefined && (path === "~" || path.startsWith("~/"))
    ? join(home, path.slice(1))
    : resolve(folder, path);
  const bases = [folder, ...(home === undefined ? [] : [resolve(home)])];
  const real = await realOf(absolute);
  for (const base of bases) {
    if (inside(base, absolute) && inside(await realOf(base), real)) return absolute;
  }
  throw new BackstepError("invalid", `Cannot ${doing} ${path}: it lies outside of ${bases.join(" and ")}`, {
    hint: 'Give a path relative to the workflow\'s folder, or one that starts with "~/".',
  });
}

function inside(base: string, path: string): boolean {
  const way = relative(base, path);
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith("../"));
}

/** The path with the links of its existing part followed. */
async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (thrown) {
    const up = dirname(path);
    if (!isMissing(thrown) || up === path) throw thrown;
    return join(await realOf(up), relative(up, path));
  }
}

/** Is this the error of a file that is not there? */
export function isMissing(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown &&
    (thrown.code === "ENOENT" || thrown.code === "ENOTDIR");
}
