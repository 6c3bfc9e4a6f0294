import { type ChildProcessByStdio, spawn } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Milliseconds for what a save leads to. */
const PATIENCE = 90_000;

const Line = z.looseObject({
  event: z.string().optional(),
  path: z.string().optional(),
  verdict: z.string().optional(),
  why: z.string().optional(),
  ms: z.number().optional(),
  error: z.looseObject({ code: z.string(), message: z.string() }).optional(),
});

/** A line that `backstep dev --format json` wrote. */
export type DevLine = z.infer<typeof Line>;

/** `backstep dev` as a program that is driven. */
export class Developing {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #lines: DevLine[] = [];
  readonly #closed: Promise<number | null>;
  #errors = "";
  #wake = () => {};

  constructor(file: string, args: readonly string[], state: string) {
    this.#child = spawn(process.execPath, [
      "run",
      "-A",
      `${ROOT}bin.ts`,
      "dev",
      file,
      "--format",
      "json",
      ...args,
    ], {
      cwd: ROOT,
      env: { ...process.env, BACKSTEP_STATE: state, NO_COLOR: "1" },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#child.stderr.on("data", (chunk) => this.#errors += chunk);
    createInterface({ input: this.#child.stdout }).on("line", (line) => {
      if (!line.startsWith("{")) return;
      this.#lines.push(Line.parse(JSON.parse(line)));
      this.#wake();
    });
    this.#closed = new Promise((resolve) => this.#child.on("close", resolve));
    void this.#closed.then(() => this.#wake());
  }

  /** All lines up to the one that says that the run stands. */
  async stands(): Promise<DevLine[]> {
    const end = performance.now() + PATIENCE;
    for (;;) {
      const at = this.#lines.findIndex(({ event, error }) =>
        event === "stopped" || event === undefined && error !== undefined
      );
      if (at >= 0) return this.#lines.splice(0, at + 1);
      const left = end - performance.now();
      if (left <= 0 || this.#child.exitCode !== null) {
        throw new Error(
          `dev said nothing more: ${JSON.stringify(this.#lines.slice(-5))} ${this.#errors.slice(-2_000)}`,
        );
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  say(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  async quit(): Promise<number | null> {
    this.say("quit");
    return await this.#closed;
  }
}
