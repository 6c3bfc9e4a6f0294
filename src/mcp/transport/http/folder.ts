import { lstat, mkdtemp, readdir, rmdir, unlink } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { identify, isAlive } from "../../../session/processes.ts";

const NAME = /^backstep-http-(\d{1,10})-(\d{1,20})-[A-Za-z0-9]{6}$/;
const SOCKET = "socket";
/** Folders that one start looks at. */
const MOST = 200;
/** A folder without a socket is somebody's who is about to listen, for so long, in milliseconds. */
const YOUNG_MS = 60_000;
/** Who does not answer on a socket of this machine in so many milliseconds is not asked again; it counts as there. */
const ANSWER_MS = 1_000;

/** Where one server listens behind its proxy. */
export interface SocketFolder {
  readonly socket: string;
  remove(): Promise<void>;
}

/** Makes a folder of mode 0700 whose name says which process it belongs to. */
export async function makeSocketFolder(parent: string = tmpdir()): Promise<SocketFolder> {
  const own = identify(process.pid);
  const owner = own === undefined ? "" : `${own.pid}-${own.start}-`;
  const folder = await mkdtemp(join(parent, `backstep-http-${owner}`));
  return { socket: join(folder, SOCKET), remove: () => removeFolder(folder) };
}

/**
 * Removes what servers left behind that were killed: folders of this user whose process is gone, and on whose socket nobody
 * answers (a process of another container is not seen, but is heard). Nothing in them but the socket is touched. Answers
 * what it removed.
 */
export async function sweepSocketFolders(parent: string = tmpdir()): Promise<readonly string[]> {
  const names = (await readdir(parent)).filter((name) => NAME.test(name)).slice(0, MOST);
  const removed = await Promise.all(names.map(async (name) => {
    const [, pid, start] = NAME.exec(name) ?? [];
    if (isAlive({ pid: Number(pid), start: Number(start) })) return [];
    const folder = join(parent, name);
    try {
      if (!await isLeft(folder)) return [];
      await removeFolder(folder);
      return [folder];
    } catch (thrown) {
      // Another server that starts now sweeps too; and what holds more than a socket is not ours to remove.
      if (codeOf(thrown) === "ENOENT" || codeOf(thrown) === "ENOTEMPTY") return [];
      throw thrown;
    }
  }));
  return removed.flat();
}

async function isLeft(folder: string): Promise<boolean> {
  const about = await lstat(folder);
  if (!about.isDirectory() || about.uid !== process.getuid?.()) return false;
  const heard = await listens(join(folder, SOCKET));
  return heard === "nobody" || (heard === "no socket" && Date.now() - about.mtimeMs > YOUNG_MS);
}

function listens(path: string): Promise<"somebody" | "nobody" | "no socket"> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    const say = (what: "somebody" | "nobody" | "no socket") => {
      clearTimeout(late);
      socket.destroy();
      resolve(what);
    };
    const late = setTimeout(() => say("somebody"), ANSWER_MS);
    socket.on("connect", () => say("somebody"));
    socket.on("error", (error) => {
      const code = codeOf(error);
      say(code === "ENOENT" ? "no socket" : code === "ECONNREFUSED" ? "nobody" : "somebody");
    });
  });
}

async function removeFolder(folder: string): Promise<void> {
  for (const remove of [() => unlink(join(folder, SOCKET)), () => rmdir(folder)]) {
    try {
      await remove();
    } catch (thrown) {
      // A server that ends in order takes its socket away by itself.
      if (codeOf(thrown) !== "ENOENT") throw thrown;
    }
  }
}

function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
}
