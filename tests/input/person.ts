import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { keyNamed } from "../../src/desktop/keys.ts";

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Builds the program beside the native core, when it is older than its source. */
function build(): string {
  const source = here("inject.c"), program = here("../../native/build/inject");
  if (existsSync(program) && statSync(program).mtimeMs >= statSync(source).mtimeMs) return program;
  const flags = spawnSync("pkg-config", ["--cflags", "--libs", "xcb", "xcb-xtest"], { encoding: "utf8" });
  const words = flags.stdout.trim().split(/\s+/);
  const { status, stderr } = spawnSync("cc", ["-O2", "-Wall", "-o", program, source, ...words], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`Cannot build ${source}: ${stderr}`);
  return program;
}

/** Somebody at the keyboard and the pointer of a display: an X client of its own. */
export class Person implements AsyncDisposable {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: Interface;
  readonly #codes = new Map<string, number>();

  /** `environment` leads to the display. */
  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.#child = spawn(build(), [], { env: { ...environment }, stdio: ["pipe", "pipe", "inherit"] });
    this.#lines = createInterface({ input: this.#child.stdout });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exit = once(this.#child, "exit");
    this.#child.stdin.end();
    await exit;
    this.#lines.close();
  }

  async click(x: number, y: number): Promise<void> {
    await this.#say(`move ${x} ${y}`);
    await this.#say("press 1");
    await this.#say("release 1");
  }

  /** Presses keys together, by their names. */
  async chord(...names: readonly string[]): Promise<void> {
    const codes = [];
    for (const name of names) codes.push(await this.#code(name));
    for (const code of codes) await this.#say(`down ${code}`);
    for (const code of codes.reverse()) await this.#say(`up ${code}`);
  }

  async type(letters: string): Promise<void> {
    for (const letter of letters) await this.chord(letter);
  }

  async #code(name: string): Promise<number> {
    const code = this.#codes.get(name) ?? Number(await this.#say(`symbol ${keyNamed(name).keysym}`));
    if (!(code > 0)) throw new Error(`no key gives ${name}`);
    this.#codes.set(name, code);
    return code;
  }

  async #say(line: string): Promise<string> {
    const answer = once(this.#lines, "line", { signal: AbortSignal.timeout(10_000) });
    this.#child.stdin.write(`${line}\n`);
    const [text] = await answer;
    return String(text);
  }
}
