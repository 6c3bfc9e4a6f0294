import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { median, type PeerResult } from "./row.ts";

/** A peer that has taken longer than this, in milliseconds, is not run again. */
const SLOW = 2_000;
const SAMPLES = 3;
const TIMEOUT = 120_000;
const PYTHON = "/usr/bin/python3";
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

interface Peer {
  readonly command: readonly string[];
  readonly missing?: string;
}

function pyatspi(): Peer {
  const found = spawnSync(PYTHON, ["-c", "import pyatspi"], { stdio: "ignore" }).status === 0;
  return {
    command: [PYTHON, here("peer_pyatspi.py")],
    ...(found ? {} : { missing: "python3-pyatspi" }),
  };
}

/** Built on demand, beside the native core. */
function libatspi(): Peer {
  const folder = here("../../native/build");
  const source = here("peer_libatspi.c"), program = `${folder}/peer_libatspi`;
  const flags = spawnSync("pkg-config", ["--cflags", "--libs", "atspi-2", "gobject-2.0", "glib-2.0"], {
    encoding: "utf8",
  });
  if (flags.status !== 0) return { command: [], missing: "libatspi2.0-dev" };
  if (!existsSync(program) || statSync(program).mtimeMs < statSync(source).mtimeMs) {
    mkdirSync(folder, { recursive: true });
    const words = flags.stdout.trim().split(/\s+/);
    const built = spawnSync("cc", ["-O2", "-o", program, source, ...words], { encoding: "utf8" });
    if (built.status !== 0) throw new Error(`Cannot build ${source}: ${built.stderr}`);
  }
  return { command: [program] };
}

const peers = { pyatspi: pyatspi(), libatspi: libatspi() };

/** The name of a peer. */
export type PeerName = keyof typeof peers;

/**
 * Has a peer read the tree of a process: in a process of its own each time, so that it starts without what it keeps.
 *
 * @param more `actions`: the values and actions as well.
 */
export async function runPeer(
  name: PeerName,
  pid: number,
  environment: Readonly<Record<string, string>>,
  more: readonly "actions"[] = [],
): Promise<PeerResult> {
  const { command, missing } = peers[name];
  if (missing !== undefined) return { samples: 0, missing };
  const times: number[] = [];
  let nodes = 0, spent = 0;
  do {
    const answer = await once([...command, String(pid), ...more], environment);
    times.push(answer.ms);
    nodes = answer.nodes;
    spent += answer.ms;
  } while (times.length < SAMPLES && spent <= SLOW && more.length === 0);
  return { ms: Math.round(median(times) * 100) / 100, nodes, samples: times.length };
}

function once(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ nodes: number; ms: number }> {
  return new Promise((resolve, reject) => {
    const [program = "", ...args] = command;
    const child = spawn(program, args, {
      env: { ...env },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: TIMEOUT,
    });
    let out = "", error = "";
    child.stdout.on("data", (chunk) => out += chunk);
    child.stderr.on("data", (chunk) => error += chunk);
    child.on("error", reject);
    child.on("close", (code) => {
      if (code !== 0) {
        return reject(new Error(`${command.join(" ")} ended with ${code}: ${error.slice(-500)}`));
      }
      const { nodes, ms } = JSON.parse(out);
      resolve({ nodes: Number(nodes), ms: Number(ms) });
    });
  });
}
