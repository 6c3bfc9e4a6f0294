import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { allProcesses } from "../../src/session/processes.ts";

const ROOT = resolve(import.meta.dirname ?? ".", "../..");

/** What a machine of the experiment is made with. */
export interface MachineOptions {
  readonly name: string;
  readonly folder: string;
  readonly url: string;
  readonly desktops: number;
  /** Goes before its PATH. */
  readonly programs: string;
}

/** One machine: a worker with a state of its own, which dies and comes back. */
export class Machine {
  readonly name: string;
  readonly #options: MachineOptions;
  #child: ChildProcess | undefined;
  #gone: Promise<void> = Promise.resolve();

  constructor(options: MachineOptions) {
    this.name = options.name;
    this.#options = options;
  }

  get runs(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  start(): void {
    const { name, folder, url, desktops, programs } = this.#options;
    const state = join(folder, name);
    mkdirSync(state, { recursive: true });
    const child = spawn(
      process.execPath,
      [
        "run",
        "-A",
        "--quiet",
        join(ROOT, "bin.ts"),
        "fleet",
        "worker",
        "--name",
        name,
        "--desktops",
        String(desktops),
      ],
      {
        cwd: folder,
        stdio: ["ignore", "ignore", "pipe"],
        env: {
          ...process.env,
          BACKSTEP_STATE: state,
          BACKSTEP_FLEET_URL: url,
          PATH: `${programs}:${process.env["PATH"] ?? ""}`,
        },
      },
    );
    child.stderr?.pipe(createWriteStream(join(folder, `${name}.log`), { flags: "a" }));
    this.#child = child;
    this.#gone = new Promise((done) => child.once("exit", () => done()));
  }

  /** The worker's own process, those that do its jobs, and those that these have started. */
  pids(): {
    readonly own: number;
    readonly children: readonly number[];
    readonly further: readonly number[];
  } {
    const own = this.#child?.pid ?? 0;
    const all = allProcesses();
    const below = (parents: readonly number[]) =>
      all.filter(({ parent }) => parents.includes(parent)).map(({ pid }) => pid);
    const children = below([own]);
    const further: number[] = [];
    for (let next = below(children); next.length > 0; next = below(next)) further.push(...next);
    return { own, children, further };
  }

  /** Sends a signal to some of its processes, or to all, as where the machine dies; what is gone already is fine. */
  signal(which: "all" | "own" | "children", signal: "SIGKILL" | "SIGSTOP" | "SIGCONT" | "SIGTERM"): void {
    const { own, children, further } = this.pids();
    const pids = which === "own" ? [own] : which === "children" ? children : [own, ...children, ...further];
    for (const pid of pids.filter((one) => one > 0)) {
      try {
        process.kill(pid, signal);
      } catch (thrown) {
        if (!(thrown instanceof Error && "code" in thrown && thrown.code === "ESRCH")) throw thrown;
      }
    }
  }

  async gone(): Promise<void> {
    await this.#gone;
  }

  /** Ends it in order; what does not is killed. */
  async stop(): Promise<void> {
    if (!this.runs) return;
    this.signal("all", "SIGCONT");
    this.signal("own", "SIGTERM");
    const timer = setTimeout(() => this.signal("all", "SIGKILL"), 30_000);
    await this.#gone;
    clearTimeout(timer);
  }
}
