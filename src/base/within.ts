import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type Holding, holding as ofSystem } from "./hold.ts";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
/** Times that a name may turn out to be another thing than a moment before: as many as Linux follows links. */
const MOST_TURNS = 40;

/** The code of an error of what lies, by now, where nothing may be read or written. */
export const OUTSIDE = "EOUTSIDE";

/**
 * A file's bytes, where it lies in one of the folders `roots` (without links; "/" is everywhere). Links are followed, and
 * judged is what was opened, before a byte is read: a link that somebody swaps in meanwhile leads nowhere. `check` sees
 * what it is, and may throw.
 *
 * Throws as the file system does; for what lies elsewhere with the code `EOUTSIDE`.
 *
 * @example
 * ```ts
 * import { readWithin } from "./within.ts";
 * const file = new URL("./within.ts", import.meta.url).pathname;
 * const { bytes } = readWithin(file, ["/"]);
 * if (!new TextDecoder().decode(bytes).startsWith("import")) throw new Error();
 * ```
 */
export function readWithin(
  path: string,
  roots: readonly string[],
  check: (about: Stats) => void = () => {},
  by: Holding = ofSystem,
): { readonly path: string; readonly bytes: Uint8Array } {
  // Where anything may be read, nobody has to be asked where it lies: Deno opens `/proc` with every permission only.
  if (roots.includes("/")) return readAnywhere(path, check);
  return by.hold(path, false, (held) => {
    requireWithin(held.path, roots);
    check(held.about);
    const descriptor = held.open(O_RDONLY | O_NONBLOCK);
    try {
      return { path: held.path, bytes: new Uint8Array(readFileSync(descriptor)) };
    } finally {
      closeSync(descriptor);
    }
  });
}

function readAnywhere(
  path: string,
  check: (about: Stats) => void,
): { readonly path: string; readonly bytes: Uint8Array } {
  const descriptor = openSync(path, O_RDONLY | O_NONBLOCK);
  try {
    check(fstatSync(descriptor));
    return { path: realpathSync(path), bytes: new Uint8Array(readFileSync(descriptor)) };
  } finally {
    closeSync(descriptor);
  }
}

/** What lies at a path, where that is in one of the folders; throws as `readWithin`. */
export function lookWithin(path: string, roots: readonly string[], by: Holding = ofSystem): Stats {
  return by.hold(path, false, (held) => {
    requireWithin(held.path, roots);
    return held.about;
  });
}

/**
 * Writes a file in one of the folders `roots`, in place where it is there: what it is otherwise stays. Judged is what was
 * opened, before a byte is written. Its folder must be there. Throws as `readWithin`.
 */
export function writeWithin(
  path: string,
  roots: readonly string[],
  bytes: Uint8Array,
  by: Holding = ofSystem,
): void {
  let name = path;
  for (let turns = 0; turns < MOST_TURNS; turns++) {
    if (overwrite(name, roots, bytes, by)) return;
    const made = create(name, roots, bytes, by);
    if (made === "made") return;
    // A link to what is not there yet: writing makes that.
    if (made !== "taken") name = made;
  }
  throw coded("ELOOP", `its symbolic links go in a circle: ${path}`);
}

/**
 * Replaces a file in one of the folders `roots` in one step, and makes its folder where that is missing: a link that lies
 * there is replaced, not followed. Throws as `readWithin`.
 */
export function replaceWithin(
  path: string,
  roots: readonly string[],
  bytes: Uint8Array,
  by: Holding = ofSystem,
): void {
  makeFolder(dirname(path), roots, by);
  by.hold(dirname(path), true, (folder) => {
    requireWithin(folder.path, roots);
    // Where only its path holds the folder, nobody elsewhere has a file of this name.
    const fresh = folder.at(`${basename(path)}.${randomBytes(16).toString("hex")}.new`);
    try {
      writeNew(fresh, bytes, 0o644, by);
      renameSync(fresh, folder.at(basename(path)));
    } catch (thrown) {
      rmSync(fresh, { force: true });
      throw thrown;
    }
  });
}

/** Does a path without links lie in one of these folders? */
export function isWithin(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => root === "/" || path === root || path.startsWith(`${root}/`));
}

/** False: there is nothing. */
function overwrite(path: string, roots: readonly string[], bytes: Uint8Array, by: Holding): boolean {
  try {
    by.hold(path, false, (held) => {
      requireWithin(held.path, roots);
      const descriptor = held.open(O_WRONLY | O_NONBLOCK);
      try {
        if (held.about.isFile()) ftruncateSync(descriptor);
        writeFileSync(descriptor, bytes);
      } finally {
        closeSync(descriptor);
      }
    });
    return true;
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") return false;
    throw thrown;
  }
}

/** Where a link leads that lies there; "taken": something is there by now. */
function create(path: string, roots: readonly string[], bytes: Uint8Array, by: Holding): string {
  return by.hold(dirname(path), true, (folder) => {
    requireWithin(folder.path, roots);
    const name = folder.at(basename(path));
    try {
      writeNew(name, bytes, 0o666, by);
      return "made";
    } catch (thrown) {
      if (codeOf(thrown) !== "EEXIST") throw thrown;
      const target = linkAt(name);
      return target === undefined ? "taken" : resolve(folder.path, target);
    }
  });
}

function writeNew(path: string, bytes: Uint8Array, mode: number, { making }: Holding): void {
  const descriptor = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | making, mode);
  try {
    writeFileSync(descriptor, bytes);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes what is missing of a folder in `roots`; those that lead there too. */
function makeFolder(path: string, roots: readonly string[], by: Holding): void {
  const isOnTheWay = (real: string) => isWithin(real, roots) || roots.some((root) => isWithin(root, [real]));
  const require = (real: string) => {
    if (!isOnTheWay(real)) throw outside(path);
  };
  try {
    return by.hold(path, true, ({ path: real }) => require(real));
  } catch (thrown) {
    if (codeOf(thrown) !== "ENOENT" || dirname(path) === path) throw thrown;
  }
  makeFolder(dirname(path), roots, by);
  by.hold(dirname(path), true, (parent) => {
    require(join(parent.path, basename(path)));
    try {
      mkdirSync(parent.at(basename(path)));
    } catch (thrown) {
      if (codeOf(thrown) !== "EEXIST") throw thrown;
    }
  });
}

function requireWithin(real: string, roots: readonly string[]): void {
  if (!isWithin(real, roots)) throw outside(real);
}

function outside(path: string): Error {
  return coded(OUTSIDE, `it lies outside by now: ${path}`);
}

function coded(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** Where a symbolic link leads; undefined: it is none. */
function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code === "EINVAL" || code === "ENOENT") return undefined;
    throw thrown;
  }
}

function codeOf(thrown: unknown): string | undefined {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  return typeof code === "string" ? code : undefined;
}
