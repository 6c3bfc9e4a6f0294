import { type ChildProcess, spawn } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import process from "node:process";
import { BackstepError, type ErrorJson, toBackstepError } from "../base/error.ts";
import { isDeno } from "../base/runtime.ts";
import type { RunEvent, RunResult } from "../contract/events.ts";
import { BUDGETS } from "../engine/model/budgets.ts";
import type { Claims } from "../engine/run/claims.ts";
import { endDesktopsOf } from "../session/traces.ts";
import type { Description } from "./description.ts";
import { type Job, Lines, type Order, Report } from "./wire.ts";

/** Milliseconds that a worker gets for each part of its work before it is taken for hung. */
export interface Patience {
  /** To start, and to read a file, whose own code runs by that. */
  readonly read: number;
  /** From being told to run a file to its first event: reading it and opening its desktop. */
  readonly open: number;
  /** Beyond the time of the file's flow, before it is asked to stop. */
  readonly late: number;
  /** To say that it still listens, once it was asked to stop. */
  readonly answer: number;
  /** To undo, to do `after:`, and to be done with it. */
  readonly finish: number;
  /** To stop undoing, once it was told to. */
  readonly stop: number;
  /** To close its desktop and go. */
  readonly leave: number;
}

/** What a worker gets where nobody says otherwise. */
export const PATIENCE: Patience = {
  read: 30_000,
  open: 60_000,
  late: 5_000,
  answer: 5_000,
  finish: BUDGETS.rollback + BUDGETS.after + 10_000,
  stop: 3_000,
  leave: 15_000,
};

/** How one try ended, seen from outside. */
export type Outcome =
  | { readonly kind: "ended"; readonly result: RunResult }
  | { readonly kind: "failed"; readonly error: ErrorJson }
  /** It died, or was killed: whether its last action happened is not known. */
  | { readonly kind: "lost"; readonly error: ErrorJson };

/** The last of what a worker printed that is kept: 64 KiB. */
const MOST_PRINTED = 1 << 16;
/** Milliseconds that a worker's pipes may stay open after it has ended: programs that it started have them, too. */
const LAST_WORDS = 500;
/** Beside this file, and in the same language: what is emitted lies beside what is emitted. */
const WORKER = fileURLToPath(new URL(`./worker${extname(import.meta.url)}`, import.meta.url));

/** One worker, from outside: a child process that this one starts, asks, and ends. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #pid: number;
  readonly #patience: Patience;
  readonly #note: (message: string) => void;
  readonly #shown: (url: string) => void;
  /** Settles when the process has ended, with how. */
  readonly #gone: Promise<string>;
  #over = false;
  #printed = "";
  #cut = false;
  #listener: ((report: Report) => void) | undefined;

  constructor(options: {
    readonly patience: Patience;
    readonly note: (message: string) => void;
    /** Told where its desktop is shown. */
    readonly shown?: ((url: string) => void) | undefined;
  }) {
    this.#patience = options.patience;
    this.#note = options.note;
    this.#shown = options.shown ?? (() => {});
    // A session of its own: a terminal's Ctrl-C is the runner's alone, which asks the workers to stop.
    this.#child = spawn(process.execPath, [...(isDeno ? ["run", "-A", "--quiet"] : []), WORKER], {
      stdio: ["pipe", "pipe", "pipe", "pipe"],
      detached: true,
    });
    this.#pid = this.#child.pid ?? 0;
    const { stdin, stdout, stderr } = this.#child;
    this.#gone = new Promise((resolve) => {
      this.#child.on("error", (error) => resolve(`it could not be started: ${error.message}`));
      this.#child.on("exit", (code, signal) => {
        const how = signal === null ? `exit ${code}` : signal;
        // What it printed last, which says why, may come after that; who has its pipes yet is not waited for.
        const timer = setTimeout(() => resolve(how), LAST_WORDS);
        this.#child.on("close", () => {
          clearTimeout(timer);
          resolve(how);
        });
      });
    });
    void this.#gone.then(() => this.#over = true);
    // What is written to a process that has just died is lost, as it would be a moment later.
    stdin?.on("error", () => {});
    for (const stream of [stdout, stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        const all = this.#printed + text;
        this.#printed = all.slice(-MOST_PRINTED);
        this.#cut ||= this.#printed.length < all.length;
      });
    }
    const lines = new Lines();
    this.#child.stdio[3]?.on("data", (bytes: Uint8Array) => {
      for (const line of lines.push(bytes)) this.#hear(line);
    });
  }

  /** Has it ended? Then another one has to take its place. */
  get over(): boolean {
    return this.#over;
  }

  /** What it printed since this was asked last. */
  printed(): string {
    // From a whole line on: the end of a secret cannot be told from other text.
    const text = this.#cut ? this.#printed.slice(this.#printed.indexOf("\n") + 1) : this.#printed;
    [this.#printed, this.#cut] = ["", false];
    return text;
  }

  /** What a file says of itself. A worker that does not answer in time is killed. */
  async describe(file: string): Promise<Description> {
    const { promise, resolve, reject } = Promise.withResolvers<Description>();
    const timer = setTimeout(() => {
      reject(lost(file, `it was not read within ${seconds(this.#patience.read)}: its own code hangs`));
    }, this.#patience.read);
    this.#listener = (report) => {
      if (report.say === "described") resolve(report.description);
      if (report.say === "failed") reject(fromJson(report.error));
    };
    void this.#gone.then((how) => reject(lost(file, `its own code ended the worker (${how})`)));
    this.#tell({ do: "describe", file });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#listener = undefined;
    }
  }

  /** The worker's process: it leads a group of its own. */
  get pid(): number {
    return this.#pid;
  }

  /**
   * Runs one try. It never rejects; a worker that hangs is killed first. `timeout`: milliseconds of the file's flow.
   * `claims` is asked where the job says that it is to be.
   */
  async run(
    job: Job,
    timeout: number,
    reported: (event: RunEvent) => void,
    claims?: Claims,
  ): Promise<Outcome> {
    const { open, late, answer, finish } = this.#patience;
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const within = (milliseconds: number, then: () => void) => {
      clearTimeout(timer);
      timer = setTimeout(then, milliseconds);
    };
    const give = (why: string) => () => resolve({ kind: "lost", error: lost(job.file, why).toJSON() });
    const stop = () => {
      this.#tell({ do: "stop" });
      this.#tell({ do: "ping" });
      within(answer, give(`its worker hangs: no answer for ${seconds(timeout + late + answer)}`));
    };
    this.#listener = (report) => {
      switch (report.say) {
        case "told":
          if (report.event.event === "run-started") within(timeout + late, stop);
          return reported(report.event);
        case "pong":
          return within(finish, give(`it did not end within ${seconds(finish)} of being asked to`));
        case "ended":
          return resolve({ kind: "ended", result: report.result });
        case "failed":
          return resolve({ kind: "failed", error: report.error });
        case "claim":
          return void this.#claim(report.id, () => claims?.claim(report.claim));
        case "claim-finished":
          return claims?.finished(report.path, report.outcome);
        default:
      }
    };
    void this.#gone.then((how) => give(`its worker died (${how})`)());
    within(open, give(`it did not begin within ${seconds(open)}`));
    this.#tell({ do: "run", job });
    try {
      const outcome = await promise;
      if (outcome.kind === "lost") await this.kill();
      return outcome;
    } finally {
      clearTimeout(timer);
      this.#listener = undefined;
    }
  }

  /** Asks it to stop what runs and to undo it. */
  stop(): void {
    this.#tell({ do: "stop" });
  }

  /** Asks it to stop undoing, too; it is killed when it does not. */
  hardStop(): void {
    this.#tell({ do: "hard-stop" });
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), this.#patience.stop);
    void this.#gone.then(() => clearTimeout(timer));
  }

  /** Lets it close its desktop and go; it is killed when that takes too long. */
  async end(): Promise<void> {
    this.#tell({ do: "end" });
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, this.#patience.leave);
    await Promise.race([this.#gone, late.promise]);
    clearTimeout(timer);
    await this.kill();
  }

  /** Ends it now, and the desktops that it leaves. */
  async kill(): Promise<void> {
    if (!this.#over) this.#child.kill("SIGKILL");
    await this.#gone;
    this.#child.stdin?.destroy();
    for (const stream of [this.#child.stdout, this.#child.stderr, this.#child.stdio[3]]) stream?.destroy();
    try {
      await endDesktopsOf(this.#pid);
    } catch (thrown) {
      this.#note(thrown instanceof Error ? thrown.message : String(thrown));
    }
  }

  async #claim(id: number, claim: () => Promise<void> | undefined): Promise<void> {
    try {
      await claim();
      this.#tell({ do: "claimed", id });
    } catch (thrown) {
      this.#tell({ do: "claimed", id, error: toBackstepError(thrown).toJSON() });
    }
  }

  #tell(order: Order): void {
    if (!this.#over) this.#child.stdin?.write(`${JSON.stringify(order)}\n`);
  }

  #hear(line: string): void {
    let json: unknown;
    try {
      json = JSON.parse(line);
    } catch {
      json = undefined; // torn by its death, or written by somebody else
    }
    const report = Report.safeParse(json);
    if (!report.success) return;
    if (report.data.say === "note") this.#note(report.data.message);
    else if (report.data.say === "shown") this.#shown(report.data.url);
    else this.#listener?.(report.data);
  }
}

function lost(file: string, why: string): BackstepError {
  return new BackstepError("timeout", `Cannot run ${file}: ${why}`, {
    hint: "Its worker and desktop were ended; the other files ran on other workers.",
  });
}

function fromJson({ code, message, ...rest }: ErrorJson): BackstepError {
  return new BackstepError(code, message, rest);
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`;
}
