import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { stopDesktop } from "../../src/session/reap.ts";

/** The folder of the project. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const BIN = join(ROOT, "bin.ts");

/** How the program is started. */
export interface StartOptions {
  /** Added to the environment; undefined takes away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Instead of `-A`. */
  readonly permissions?: readonly string[];
  /** Milliseconds until it is killed; default 60 s. */
  readonly timeout?: number;
  /** Instead of Deno and bin.ts: a program and the arguments before the command line's. */
  readonly through?: readonly string[];
  /** Leave standard input open, to be written to; else it is empty. */
  readonly typing?: boolean;
}

/** How a program ended. */
export interface Finished {
  /** null: a signal ended it. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** Milliseconds. */
  readonly took: number;
}

/** A program that runs. */
export interface Running {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
  /** Settles when standard output holds the text; rejects when the program ends without it. */
  says(text: string): Promise<void>;
}

/** A state folder and a folder for temporary files of its own: whatever the program leaves behind is in there. */
export class Place {
  readonly folder = mkdtempSync("/tmp/bsc-");
  readonly state = join(this.folder, "state");
  readonly temporary = join(this.folder, "t");
  readonly work = join(this.folder, "work");

  constructor() {
    // The compositor of a Wayland desktop is no root, and its folders lie below.
    chmodSync(this.folder, 0o711);
    for (const folder of [this.state, this.temporary, this.work]) mkdirSync(folder);
  }

  /** Writes a file into the folder where the program is started, and answers its name. */
  file(name: string, text: string | Uint8Array): string {
    writeFileSync(join(this.work, name), text);
    return name;
  }

  start(args: readonly string[], options: StartOptions = {}): Running {
    const began = performance.now();
    const { permissions = ["-A"], timeout = 60_000 } = options;
    const [program = "", ...before] = options.through ??
      [Deno.execPath(), "run", ...permissions, "--config", join(ROOT, "deno.json"), BIN];
    const child = spawn(program, [...before, ...args], {
      cwd: options.cwd ?? this.work,
      env: this.#environment(options.env ?? {}),
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
    if (!options.typing) child.stdin.end();
    const pid = child.pid ?? 0;
    // A group of its own, so that whoever it started is reached too.
    const killer = setTimeout(() => process.kill(-pid, "SIGKILL"), timeout);
    let out = "";
    let err = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => out += text);
    child.stderr.setEncoding("utf8").on("data", (text: string) => err += text);
    const finished = once(child, "close").then((): Finished => {
      clearTimeout(killer);
      return { code: child.exitCode, out, err, took: performance.now() - began };
    });
    const says = async (text: string) => {
      let over = false;
      const end = finished.then(() => over = true);
      while (!out.includes(text)) {
        if (over) throw new Error(`it ended without saying ${JSON.stringify(text)}:\n${out}\n${err}`);
        await Promise.race([once(child.stdout, "data"), end]);
      }
    };
    return { pid, child, finished, says };
  }

  run(args: readonly string[], options?: StartOptions): Promise<Finished> {
    return this.start(args, options).finished;
  }

  /** Desktops' folders, leases and processes that are there now. Empty: nothing is left. */
  traces(): string[] {
    const leases = join(this.state, "desktops");
    return [
      ...readdirSync(this.temporary).map((name) => `folder ${name}`),
      ...listed(leases).map((name) => `lease ${name}`),
      ...this.#processes().map((pid) => `process ${pid} ${textOf(`/proc/${pid}/comm`).trim()}`),
    ];
  }

  /** Runs that left a folder. */
  runs(): string[] {
    return listed(join(this.state, "runs"));
  }

  /** Every process that lives on one of our desktops: its HOME lies in our folder, and it bears the mark. */
  #processes(): string[] {
    return readdirSync("/proc").filter((name) => {
      if (!/^\d+$/.test(name)) return false;
      const environment = textOf(`/proc/${name}/environ`);
      return environment.includes("BACKSTEP_DESKTOP=") && environment.includes(`${this.temporary}/bs-`);
    });
  }

  #environment(more: Readonly<Record<string, string | undefined>>): Record<string, string> {
    const all: Record<string, string | undefined> = {
      ...process.env,
      BACKSTEP_STATE: this.state,
      TMPDIR: this.temporary,
      DISPLAY: undefined,
      DBUS_SESSION_BUS_ADDRESS: undefined,
      NO_COLOR: undefined,
      BACKSTEP_CORE: process.env["BACKSTEP_CORE"],
      ...more,
    };
    return Object.fromEntries(
      Object.entries(all).flatMap(([name, value]) => value === undefined ? [] : [[name, value] as const]),
    );
  }

  async clear(): Promise<void> {
    for (const name of listed(join(this.state, "desktops"))) {
      await stopDesktop(name.replace(/\.json$/, ""), { state: this.state, evenRunning: true });
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Runs a test with a place of its own, and clears it away whatever happened. */
export async function withPlace(action: (place: Place) => Promise<void>): Promise<void> {
  const place = new Place();
  try {
    await action(place);
  } finally {
    await place.clear();
  }
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** A file of /proc; empty when the process is gone, or another user's. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // gone between being listed and being read
  }
}
