import { closeSync, constants, fstatSync, openSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import process from "node:process";
import { join } from "node:path";

const { O_DIRECTORY, O_NONBLOCK, O_RDONLY } = constants;
/** Linux: a hold on a file that neither reads nor writes it, nor waits for anybody. Node names no constant for it. */
const O_PATH = 0o10000000;
/** macOS: to open fails where any part of the path is a link (`man 2 open`, since macOS 11). Node names no constant for it. */
const O_NOFOLLOW_ANY = 0x20000000;
/** Times that a path may turn out to hold a link where a moment before it held none. */
const MOST_TURNS = 40;

/** Something that was found: whatever becomes of its name, this is it. */
export interface Held {
  /** Where it lies, without links. */
  readonly path: string;
  readonly about: Stats;
  /** Opens the very same once more; the descriptor is the caller's. */
  open(flags: number): number;
  /** What a name in it is called, if it is a folder. */
  at(name: string): string;
}

/** How a system holds what it found; `folder`: anything else is an error. Throws as the file system does. */
export interface Holding {
  hold<T>(path: string, folder: boolean, use: (held: Held) => T): T;
  /** More flags for what is made in a folder that is held. */
  readonly making: number;
}

/** By a descriptor that neither reads nor writes, whose name in `/proc` leads to the very same. */
export const linuxHolding: Holding = {
  making: 0,
  hold(path, folder, use) {
    const descriptor = openSync(path, O_PATH | (folder ? O_DIRECTORY : 0));
    try {
      const via = `/proc/self/fd/${descriptor}`;
      return use({
        path: readlinkSync(via),
        about: fstatSync(descriptor),
        open: (flags) => openSync(via, flags),
        at: (name) => join(via, name),
      });
    } finally {
      closeSync(descriptor);
    }
  },
};

/**
 * By its path without links, which is opened only while it has none: a link that somebody swaps in is an error, and leads
 * nowhere. So what is held must be readable, which Linux does not ask for.
 */
export function pathHolding(noLinks: number): Holding {
  const hold: Holding["hold"] = (path, folder, use) => {
    const descriptorOf = (real: string, flags: number) => openSync(real, flags | O_NONBLOCK | noLinks);
    const [real, descriptor] = opened(
      path,
      (real) => descriptorOf(real, O_RDONLY | (folder ? O_DIRECTORY : 0)),
    );
    try {
      const about = fstatSync(descriptor);
      return use({
        path: real,
        about,
        open(flags) {
          const again = descriptorOf(real, flags);
          const { dev, ino } = fstatSync(again);
          if (dev === about.dev && ino === about.ino) return again;
          closeSync(again);
          throw Object.assign(new Error(`it was replaced meanwhile: ${real}`), { code: "ESTALE" });
        },
        at: (name) => join(real, name),
      });
    } finally {
      closeSync(descriptor);
    }
  };
  return { making: noLinks, hold };
}

/** The path without links and what opening that answers. */
function opened(path: string, open: (real: string) => number): [real: string, descriptor: number] {
  for (let turns = 1;; turns++) {
    const real = realpathSync(path);
    try {
      return [real, open(real)];
    } catch (thrown) {
      const swapped = thrown instanceof Error && "code" in thrown && thrown.code === "ELOOP";
      if (!swapped || turns === MOST_TURNS) throw thrown;
    }
  }
}

/** This system's. */
export const holding: Holding = process.platform === "darwin" ? pathHolding(O_NOFOLLOW_ANY) : linuxHolding;
