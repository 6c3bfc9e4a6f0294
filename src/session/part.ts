import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { type Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import { before } from "../base/within-deadline.ts";
import { tailOf } from "./log-file.ts";
import { identify } from "./processes.ts";
import type { ProcessIdentity } from "../base/process-stat.ts";

/** How to start one part of a private desktop. */
export interface PartPlan {
  /** For messages and for the name of its log: "xvfb". */
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Folder of its log. */
  readonly logs: string;
  /** Does it tell something on its standard output (a display number, an address)? Otherwise that goes to its log. */
  readonly speaks?: boolean;
  /** The number of the user, and of the group, that it runs as; default: ours. */
  readonly user?: number;
}

/** A part that was started: in a session of its own, so that it outlives us, with its standard error in a log. */
export class Part {
  readonly name: string;
  readonly identity: ProcessIdentity;
  /** Settles when it ends, with how it ended: "exit code 1", "signal SIGTRAP". */
  readonly finished: Promise<string>;
  readonly #child: ChildProcess;
  readonly #log: string;

  private constructor(name: string, child: ChildProcess, identity: ProcessIdentity, log: string) {
    this.name = name;
    this.identity = identity;
    this.#child = child;
    this.#log = log;
    this.finished = endOf(child);
  }

  /** Starts it. Rejects with `no_desktop` when the system refuses or it dies at once. */
  static async start(plan: PartPlan): Promise<Part> {
    const file = join(plan.logs, `${plan.name}.log`);
    const log = openSync(file, "a", 0o600);
    try {
      const child = spawn(plan.program, [...plan.args], {
        detached: true,
        env: plan.environment,
        stdio: ["ignore", plan.speaks ? "pipe" : log, log],
        ...defined({ uid: plan.user, gid: plan.user }),
      });
      const pid = await spawned(child, plan.name);
      child.unref();
      const identity = identify(pid) ?? { pid, start: -1 };
      return new Part(plan.name, child, identity, file);
    } finally {
      closeSync(log);
    }
  }

  /** The first line it writes on its standard output. Rejects with `no_desktop` when it ends first. */
  firstLine(deadline: Deadline): Promise<string> {
    const output = this.#child.stdout;
    const line = new Promise<string>((resolve) => {
      let text = "";
      output?.on("data", (chunk: Uint8Array) => {
        text += new TextDecoder().decode(chunk);
        const end = text.indexOf("\n");
        if (end >= 0) resolve(text.slice(0, end).trim());
      });
    });
    // An open pipe would keep this process alive as long as the part; the part is to outlive it anyway.
    return this.whileAlive(line, deadline, "it said nothing in time").finally(() => output?.destroy());
  }

  /** The promise's result; rejects with `no_desktop` and its last words when it ends first, or the deadline passes. */
  async whileAlive<T>(promise: Promise<T>, deadline: Deadline, otherwise: string): Promise<T> {
    const death = this.finished.then((how): never => {
      throw this.failure(`it ended with ${how}`);
    });
    // The loser of the race below must not become an unhandled rejection.
    death.catch(() => {});
    promise.catch(() => {});
    try {
      return await before(Promise.race([promise, death]), deadline, `start ${this.name}`);
    } catch (error) {
      if (error instanceof BackstepError && error.code === "timeout") throw this.failure(otherwise, error);
      throw error;
    }
  }

  /** Why the desktop cannot be had on account of this part. */
  failure(why: string, cause?: unknown): BackstepError {
    const said = tailOf(this.#log);
    return new BackstepError(
      "no_desktop",
      `Cannot start a private desktop: ${this.name}: ${why}${said === "" ? "" : `\n${said}`}`,
      {
        ...defined({ cause }),
        ...(/schema/i.test(said)
          ? { hint: "Install the schemas: apt-get install gsettings-desktop-schemas" }
          : {}),
        details: { part: this.name, stderr: said },
      },
    );
  }
}

/** Resolves with the pid, or rejects with `no_desktop` when the system could not run the program. */
function spawned(child: ChildProcess, name: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", (error) => {
      reject(
        new BackstepError("no_desktop", `Cannot start a private desktop: ${name}: ${error.message}`, {
          cause: error,
          hint: "Run `backstep check` to see what is missing.",
        }),
      );
    });
    if (child.pid !== undefined) resolve(child.pid);
  });
}

/** How a child ended, in words. */
export function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
}
