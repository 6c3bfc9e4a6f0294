import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { BackstepError } from "../../base/error.ts";

/** Milliseconds for one call of git. */
const PATIENCE = 60_000;
/** Bytes of the names of changed files. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * The files that differ from a commit of the repository around `folder`, those that git does not know included; absolute paths.
 * Default: from the last commit. Throws `usage` outside of a repository and for a commit that is not there, `missing` without git.
 */
export function changedFiles(folder: string, ref: string = "HEAD"): ReadonlySet<string> {
  const top = git(folder, ["rev-parse", "--show-toplevel"], "this is no git repository");
  const root = top.trimEnd();
  // Never an option, whatever it begins with.
  const commit = git(
    root,
    ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`],
    `there is no commit ${JSON.stringify(ref)} in this repository`,
  ).trim();
  const changed = git(root, ["diff", "--name-only", "--no-renames", "-z", commit, "--"], "git diff failed");
  const unknown = git(root, ["ls-files", "--others", "--exclude-standard", "-z"], "git ls-files failed");
  return new Set(
    [...changed.split("\0"), ...unknown.split("\0")].filter((one) => one !== "")
      .map((one) => join(root, one)),
  );
}

function git(folder: string, args: readonly string[], why: string): string {
  const { status, stdout, stderr, error } = spawnSync("git", args, {
    cwd: folder,
    encoding: "utf8",
    timeout: PATIENCE,
    maxBuffer: MOST_BYTES,
  });
  if (error) {
    const missing = "code" in error && error.code === "ENOENT";
    throw new BackstepError(
      missing ? "missing" : "io",
      `Cannot find the changed files: ${missing ? "git is not installed" : error.message}`,
      { hint: missing ? "Install it: apt install git" : "Run without --only-changed." },
    );
  }
  if (status === 0) return stdout;
  const said = stderr.trim().split("\n")[0] ?? "";
  throw new BackstepError("usage", `Cannot find the changed files: ${why}`, {
    hint: said === ""
      ? "--only-changed=REF takes a branch, a tag or a commit; --only-changed the last commit."
      : said,
  });
}
