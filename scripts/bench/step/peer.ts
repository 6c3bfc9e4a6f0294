import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** Milliseconds for a peer to be ready, and for a round of it. */
const PATIENCE = 600_000;
/** Seconds after which no act of a round is begun: in GTK 4 and Qt one search of pyatspi takes several. */
const BUDGET = 45;
const PYTHON = "/usr/bin/python3";
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const references = here("../../../tools/references");

/** What a peer is told to do in each act, in its own terms; null: it cannot, and why is in the table. */
export type PyatspiAct = { readonly [key: string]: unknown };

/** A round of a peer: its milliseconds for each act, or why it has none. */
const Round = z.object({
  acts: z.array(z.object({ ms: z.number() }).or(z.object({ cannot: z.string() }))),
});
/** A round of a peer. */
export type PeerRound = z.infer<typeof Round>;

/** Something that does the same on the same application, in a process of its own. */
export interface Peer {
  readonly name: string;
  /** Does all acts once, each verified, and then undoes them, which is not measured. */
  round(): Promise<PeerRound>;
  /** The same as lean as it gets, where that differs from how people write it. */
  readonly lean?: () => Promise<PeerRound>;
  close(): Promise<void>;
}

/** Why a peer cannot be run here. */
export interface Missing {
  readonly name: string;
  readonly missing: string;
}

/** A straightforward pyatspi program. */
export function pyatspi(
  process: number,
  acts: readonly PyatspiAct[],
  environment: Readonly<Record<string, string>>,
): Promise<Peer> | Missing {
  const name = "pyatspi";
  if (spawnSync(PYTHON, ["-c", "import pyatspi"], { stdio: "ignore" }).status !== 0) {
    return { name, missing: "apt-get install python3-pyatspi" };
  }
  const command = [PYTHON, here("peer_pyatspi.py"), String(process), JSON.stringify(acts)];
  return start(name, command, environment, { lean: true });
}

/** Playwright, over the Chrome DevTools Protocol, on a browser that listens at this port. */
export function playwright(
  port: number,
  environment: Readonly<Record<string, string>>,
): Promise<Peer> | Missing {
  const name = "playwright";
  if (!existsSync(`${references}/node_modules/playwright-core`)) {
    return { name, missing: "tools/setup.sh --references" };
  }
  // Run by Node: what Playwright is made for.
  return start(name, ["node", here("peer_playwright.mjs"), references, String(port)], environment);
}

async function start(
  name: string,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  { lean = false }: { readonly lean?: boolean } = {},
): Promise<Peer> {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { env: { ...env }, stdio: ["pipe", "pipe", "pipe"] });
  const finished = once(child, "close");
  let said = "";
  child.stderr.on("data", (chunk) => said = `${said}${chunk}`.slice(-2_000));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const line = async () => {
    // A timer that is cleared: one that is not keeps this process from ending.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const expired = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`${name} did not answer in ${PATIENCE} ms`)), PATIENCE);
    });
    const next = await Promise.race([lines.next(), expired]).finally(() => clearTimeout(timer));
    if (next.done) throw new Error(`${name} ended: ${said}`);
    return next.value;
  };
  const close = async () => {
    child.kill("SIGKILL");
    await finished;
  };
  try {
    await line();
  } catch (error) {
    await close();
    throw error;
  }
  const ask = async (what: string) => {
    child.stdin.write(`${what} ${BUDGET}\n`);
    return Round.parse(JSON.parse(await line()));
  };
  return { name, round: () => ask("round"), ...(lean ? { lean: () => ask("lean") } : {}), close };
}
