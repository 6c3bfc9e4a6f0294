import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const Answer = z.object({ value: z.json().optional(), error: z.string().optional() });
const Reported = z.object({ requests: z.array(z.string()), faults: z.array(z.string()) });

/** Headless Chromium, driven by playwright-core in a process of its own. */
export class Browser implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #lines: Interface;
  readonly #waiting: { resolve(line: string): void; reject(error: Error): void }[] = [];
  #last: Promise<unknown> = Promise.resolve();

  private constructor(child: ChildProcess) {
    this.#child = child;
    if (child.stdout === null) throw new Error("the browser has no output");
    this.#lines = createInterface({ input: child.stdout });
    this.#lines.on("line", (line) => this.#waiting.shift()?.resolve(line));
    child.on("close", () => {
      for (const one of this.#waiting.splice(0)) one.reject(new Error("the browser has ended"));
    });
  }

  static async start(): Promise<Browser> {
    const args = [here("fixtures/inspect/browser.mjs"), here("../tools/references")];
    const browser = new Browser(spawn("node", args, { stdio: ["pipe", "pipe", "inherit"] }));
    await browser.#answer(() => {});
    return browser;
  }

  /** Does one thing, once those before it are over; see the fixture. */
  do(...what: readonly [string, ...unknown[]]): Promise<z.infer<typeof Answer>["value"]> {
    const answer = this.#last.then(() =>
      this.#answer(() => this.#child.stdin?.write(`${JSON.stringify(what)}\n`))
    );
    this.#last = answer.catch(() => {});
    return answer;
  }

  /** What a page says of itself, read by a schema. */
  async read<T>(page: string, expression: string, schema: z.ZodType<T>): Promise<T> {
    return schema.parse(await this.do("evaluate", page, expression));
  }

  /** Every request of all pages, and what they complained of. */
  async reported(): Promise<z.infer<typeof Reported>> {
    return Reported.parse(await this.do("reported"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = once(this.#child, "close");
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 10_000);
    await gone;
    clearTimeout(timer);
  }

  async #answer(ask: () => void): Promise<z.infer<typeof Answer>["value"]> {
    const line = new Promise<string>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    ask();
    const { value, error } = Answer.parse(JSON.parse(await line));
    if (error !== undefined) throw new Error(error);
    return value;
  }
}
