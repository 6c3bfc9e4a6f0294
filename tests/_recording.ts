import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Person } from "../scripts/recordings/person.ts";
import type { Plan } from "../scripts/recordings/plan.ts";
import type { RecordStage } from "../scripts/recordings/stage.ts";
import { commandUnderTest } from "./_under-test.ts";

/** Where programs are compiled to: below another HOME it is none. */
const DENO_DIR = process.env["DENO_DIR"] ?? join(process.env["HOME"] ?? "", ".cache", "deno");
const root = fileURLToPath(new URL("..", import.meta.url));

/** The command `record` on the desktop of a fixture. */
export class Recording implements AsyncDisposable {
  readonly #child;
  readonly #lines: string[] = [];
  readonly #exit: Promise<unknown[]>;
  #wake: () => void = () => {};
  errors = "";

  /** `more`: instead of a new file of the stage's application. `through`: what starts it. */
  constructor(
    stage: RecordStage,
    output: string,
    more?: readonly string[],
    through: readonly string[] = [],
  ) {
    const command = commandUnderTest(["run", "-A", "--no-check", join(root, "bin.ts")]);
    const [program = "", ...args] = [...through, ...command];
    const named = more ?? ["--app", stage.application.name, "--output", output];
    const options = ["--session", stage.session.id ?? "", ...named];
    this.#child = spawn(program, [...args, "record", ...options, "--format", "json"], {
      env: {
        ...process.env,
        ...(through.length > 0 ? { ...stage.session.environment, DENO_DIR } : {}),
        BACKSTEP_STATE: stage.folder,
        NO_COLOR: "1",
      },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#exit = once(this.#child, "close");
    createInterface({ input: this.#child.stdout }).on("line", (line) => {
      this.#lines.push(line);
      this.#wake();
    });
    this.#child.stderr.on("data", (chunk) => this.errors += String(chunk));
  }

  /** The same, once it records. */
  static async begin(...options: ConstructorParameters<typeof Recording>): Promise<Recording> {
    const recording = new Recording(...options);
    try {
      await recording.until((line) => line.includes('"what":"recording"'));
    } catch (error) {
      await recording[Symbol.asyncDispose]();
      throw error;
    }
    return recording;
  }

  /** Does what a person does, and waits for its step, which says this. */
  async does(plan: Plan, said: string, stage: RecordStage, person: Person): Promise<void> {
    const from = this.count;
    await plan.run(person, stage.sight);
    await this.until((line) => line.includes('"what":"step"') && line.includes(said), from);
  }

  get output(): string {
    return this.#lines.join("\n");
  }

  /** Gives an order, and resolves with the first line after it that says what came of it. */
  async order(line: string, what: string): Promise<string> {
    const from = this.#lines.length;
    this.#child.stdin?.write(`${line}\n`);
    await this.until((one) => one.includes(`"what":"${what}"`), from);
    return this.#lines.slice(from).find((one) => one.includes(`"what":"${what}"`)) ?? "";
  }

  /** How many lines there are. */
  get count(): number {
    return this.#lines.length;
  }

  /** Resolves once one of the lines says this. */
  async until(holds: (line: string) => boolean, from = 0): Promise<void> {
    const limit = performance.now() + 15_000;
    while (!this.#lines.slice(from).some(holds)) {
      const left = limit - performance.now();
      if (left <= 0) throw new Error(`it did not come: ${this.output}\n${this.errors}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** Resolves with its exit code once it ends by itself. */
  async finished(): Promise<unknown> {
    const [code, signal] = await this.#exit;
    return signal ?? code;
  }

  async end(): Promise<unknown> {
    // Deno's ChildProcess takes the signal that is sent for the one that ended it.
    process.kill(this.#child.pid ?? NaN, "SIGTERM");
    const [code, signal] = await this.#exit;
    return signal ?? code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill("SIGKILL");
    await this.#exit;
  }
}
