import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { cancelled, type Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";

/** Bytes kept of what it prints, of each kind. */
const MOST = 1024 * 1024;
/** Milliseconds for reading the rest once it has ended: what it started may hold its pipes open. */
const REST = 200;
/** What of our own environment a script gets: nothing that could be a key. */
const INHERITED = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "TMPDIR",
  "TZ",
  // Whose it is: a worker of a fleet ends what an earlier life of it left.
  "BACKSTEP_FLEET_LIFE",
];

/** What came of a program. */
export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  /** Null: a signal ended it. */
  readonly code: number | null;
  /** It printed more than is kept. */
  readonly cut: boolean;
}

/**
 * Runs a program that reads from its input, in a process group of its own: at the deadline, or when it is cancelled, the
 * whole group is killed. Errors: `timeout`, `cancelled`, `missing` (it cannot be started).
 */
export async function runScript(
  program: string,
  args: readonly string[],
  input: string,
  deadline: Deadline,
): Promise<Ran> {
  deadline.check("run the script");
  const child = spawn(program, args, {
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
    env: Object.fromEntries(
      INHERITED.flatMap((name) => {
        const value = process.env[name];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  });
  const stdout = new Kept(child.stdout), stderr = new Kept(child.stderr);
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(), Math.ceil(deadline.remaining()));
  const given = () => stop.abort();
  deadline.signal?.addEventListener("abort", given, { once: true });
  stop.signal.addEventListener("abort", () => killGroup(child), { once: true });
  try {
    const code = await finished(child, input, program);
    if (deadline.signal?.aborted) throw cancelled("run the script", deadline.signal.reason);
    if (stop.signal.aborted) {
      throw new BackstepError("timeout", "Cannot run the script: its time was over, and it was ended", {
        hint: "Give it a longer timeout, or do less in one script.",
        details: { script: true, outcome: "unknown" },
      });
    }
    await Promise.all([stdout.rest(), stderr.rest()]);
    return { stdout: stdout.text, stderr: stderr.text, code, cut: stdout.cut || stderr.cut };
  } finally {
    clearTimeout(late);
    deadline.signal?.removeEventListener("abort", given);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

function finished(child: ChildProcess, input: string, program: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", (error) =>
      reject(
        new BackstepError("missing", `Cannot run the script: ${program} cannot be started`, {
          cause: error,
          details: { script: true },
        }),
      ));
    child.once("exit", (code) => resolve(code));
    // Who ends without reading all of it has said enough by ending.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (thrown) {
    // It has ended by itself.
    if (!(thrown instanceof Error && "code" in thrown && thrown.code === "ESRCH")) throw thrown;
  }
}

/** The beginning of what a stream tells. */
class Kept {
  readonly #chunks: Uint8Array[] = [];
  readonly #closed: Promise<void>;
  #bytes = 0;

  constructor(stream: NodeJS.ReadableStream | null) {
    this.#closed = new Promise((resolve) => {
      if (stream === null) return resolve();
      stream.on("data", (chunk: Uint8Array) => {
        const room = MOST - this.#bytes;
        if (room > 0) this.#chunks.push(chunk.subarray(0, room));
        this.#bytes += chunk.length;
      });
      stream.once("close", resolve);
      stream.once("error", () => resolve());
    });
  }

  get cut(): boolean {
    return this.#bytes > MOST;
  }

  get text(): string {
    const all = new Uint8Array(this.#chunks.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const chunk of this.#chunks) {
      all.set(chunk, at);
      at += chunk.length;
    }
    return new TextDecoder().decode(all);
  }

  async rest(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    await Promise.race([this.#closed, new Promise((resolve) => timer = setTimeout(resolve, REST))]);
    clearTimeout(timer);
  }
}
