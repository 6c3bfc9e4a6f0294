import assert from "node:assert/strict";
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { z } from "zod";
import { ROOT } from "./_command.ts";
import { commandUnderTest } from "./_under-test.ts";

const Line = z.looseObject({
  event: z.string().optional(),
  path: z.string().optional(),
  why: z.string().optional(),
  next: z.string().optional(),
  verdict: z.string().optional(),
  count: z.number().optional(),
  ready: z.boolean().optional(),
  error: z.looseObject({ code: z.string(), message: z.string() }).optional(),
  step: z.looseObject({ path: z.string() }).optional(),
});
type Line = z.infer<typeof Line>;

/** A command that is driven by lines, as a program drives it. */
class Driven {
  readonly closed: Promise<number | null>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #lines: Line[] = [];
  #errors = "";
  #wake = () => {};

  constructor(args: readonly string[], state: string) {
    const [program, ...before] = commandUnderTest(["run", "-A", join(ROOT, "bin.ts")]);
    this.#child = spawn(program, [...before, ...args, "--format", "json"], {
      cwd: ROOT,
      env: { ...process.env, BACKSTEP_STATE: state, NO_COLOR: "1" },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#child.stderr.on("data", (chunk) => this.#errors += chunk);
    createInterface({ input: this.#child.stdout }).on("line", (line) => {
      this.#lines.push(Line.parse(JSON.parse(line)));
      this.#wake();
    });
    this.closed = new Promise((resolve) => this.#child.on("close", resolve));
    void this.closed.then(() => this.#wake());
  }

  say(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  interrupt(): void {
    // Told by its number: what Deno's own kill() ends counts as killed, however it ends.
    if (this.#child.pid !== undefined) process.kill(this.#child.pid, "SIGINT");
  }

  /** All lines up to the first that is meant. */
  async until(meant: (line: Line) => boolean): Promise<Line[]> {
    const deadline = AbortSignal.timeout(60_000);
    for (;;) {
      const at = this.#lines.findIndex(meant);
      if (at >= 0) return this.#lines.splice(0, at + 1);
      if (deadline.aborted || this.#child.exitCode !== null) {
        throw new Error(`it said nothing more: ${JSON.stringify(this.#lines)} ${this.#errors}`);
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        deadline.addEventListener("abort", () => resolve(), { once: true });
      });
    }
  }

  /** The line that says that the run stands, and those before it. */
  stands(): Promise<Line[]> {
    return this.until(({ event }) => event === "stopped");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin.end();
    this.#child.kill("SIGTERM");
    await this.closed;
  }
}

const NAME = `'textfield[name="Name"]'`;
const STEPS = `steps:
  - set: { target: ${NAME}, value: Grace }
  - set: { target: slider, value: 70 }
  - click: 'button[name="Nowhere"]'
    timeout: 200ms
`;
const HEAD = "name: developed\napp: sim.settings\nsession: simulated\nbefore:\n  - launch: sim.settings\n";

/** Somewhere for a file and the state of runs. */
async function somewhere(use: (folder: string, file: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "backstep-dev-"));
  try {
    await use(folder, join(folder, "developed.yaml"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** As editors save: another file is put in its place. */
function save(file: string, text: string): void {
  writeFileSync(`${file}~`, text);
  renameSync(`${file}~`, file);
}

const paths = (lines: readonly Line[]) =>
  lines.flatMap(({ event, step }) => event === "step-finished" && step ? [step.path] : []);

Deno.test("dev: what failed stays, selectors are tried there, and a save goes on from the first step that changed", () =>
  somewhere(async (folder, file) => {
    save(file, HEAD + STEPS);
    await using dev = new Driven(["dev", file], folder);
    const first = (await dev.stands()).at(-1);
    assert.deepEqual([first?.why, first?.next, first?.error?.code], ["failed", "3", "not_found"]);
    dev.say("checkbox:checked");
    assert.equal((await dev.until(({ count }) => count !== undefined)).at(-1)?.count, 1);
    dev.say(`explain button[name="Reset"]`);
    assert.equal((await dev.until(({ ready }) => ready !== undefined)).at(-1)?.ready, true);
    dev.say("button[");
    assert.equal((await dev.until(({ error }) => error !== undefined)).at(-1)?.error?.code, "selector");
    dev.say(`do click: 'checkbox[name="Play sounds"]'`);
    await dev.until(({ event, step }) => event === "step-finished" && step?.path === "try.1");
    save(file, HEAD + STEPS.replace("Nowhere", "Reset"));
    const mended = await dev.stands();
    assert.deepEqual(paths(mended), ["3"]);
    assert.equal(mended.at(-1)?.why, "end");
    assert.equal(mended.find(({ event }) => event === "went-back")?.verdict, "restored");
    assert.ok(mended.some(({ event, path }) => event === "live" && path === "3"));
    save(file, HEAD + STEPS.replace("Nowhere", "Reset").replace("value: 70", "value: 80"));
    const rebuilt = await dev.stands();
    const went = rebuilt.find(({ event }) => event === "went-back");
    assert.deepEqual([went?.path, went?.verdict], ["2", "rebuilt"]);
    assert.match(went?.why ?? "", /^step 3 \(click button "Reset" of Settings\) cannot be rolled back$/);
    save(file, `${HEAD}steps:\n  - nonsense: 1\n`);
    assert.equal((await dev.until(({ error }) => error !== undefined)).at(-1)?.error?.code, "workflow");
    save(file, `# another head\nmode: focus\n${HEAD}${STEPS.replace("Nowhere", "Reset")}`);
    const anew = await dev.stands();
    assert.deepEqual(paths(anew), ["before.1", "1", "2", "3"]);
    dev.say("quit");
    assert.equal(await dev.closed, 0);
  }));

Deno.test("dev: a save of a file that is run goes back into it; forks of the same file agree", () =>
  somewhere(async (folder, file) => {
    const other = join(folder, "other.yaml");
    const inside = (value: number) =>
      `name: other\napp: sim.settings\nsteps:\n  - set: { target: ${NAME}, value: Ada }\n  - set: { target: slider, value: ${value} }\n`;
    save(other, inside(70));
    save(file, `${HEAD}steps:\n  - run: other.yaml\n  - set: { target: ${NAME}, value: Grace }\n`);
    await using dev = new Driven(["dev", file, "--root", folder], folder);
    assert.equal((await dev.stands()).at(-1)?.why, "end");
    save(other, inside(80));
    const lines = await dev.stands();
    assert.deepEqual(paths(lines), ["1.2", "2"]);
    dev.say("fork 1.2");
    const [forked] = (await dev.until(({ event }) => event === "forked")).slice(-1);
    assert.match(JSON.stringify(forked), /"status":"passed"/);
    dev.say("back 1.2");
    assert.equal((await dev.until(({ event }) => event === "went-back")).at(-1)?.path, "1.2");
    dev.say("quit");
    assert.equal(await dev.closed, 0);
  }));

Deno.test("dev: a save stops what runs, and undoes what it had done of the step; it ends at once when it is interrupted", () =>
  somewhere(async (folder, file) => {
    const steps = (name: string) =>
      `${HEAD}steps:\n  - set: { target: ${NAME}, value: Grace }\n  - wait: { target: 'button[name="${name}"]', timeout: 50s }\n`;
    save(file, steps("Never"));
    await using dev = new Driven(["dev", file], folder);
    await dev.until(({ event, path }) => event === "step-started" && path === "2");
    save(file, steps("Reset"));
    assert.equal((await dev.stands()).at(-1)?.why, "cancelled");
    const lines = await dev.stands();
    assert.deepEqual([paths(lines), lines.at(-1)?.why], [["2"], "end"]);
    save(file, steps("Never again"));
    await dev.until(({ event, path }) => event === "step-started" && path === "2");
    dev.interrupt();
    assert.equal(await dev.closed, 0);
  }));

Deno.test("a breakpoint where no step begins is told, with the lines where one does", () =>
  somewhere(async (folder, file) => {
    save(file, HEAD + STEPS);
    await using run = new Driven(["run", "--break", `${file}:1`, file], folder);
    const [line] = await run.until(({ error }) => error !== undefined);
    assert.equal(line?.error?.code, "usage");
    assert.match(JSON.stringify(line), /Steps begin in lines 5, 7, 8, 9/);
    assert.equal(await run.closed, 2);
  }));

Deno.test("a run that is debugged stops at each step, at a line, and before `pause:`; it goes back, and ends as it says", () =>
  somewhere(async (folder, file) => {
    const steps = `steps:
  - set: { target: ${NAME}, value: Grace }
  - transaction:
      name: two
      steps:
        - set: { target: slider, value: 70 }
        - set: { target: slider, value: 75 }
  - pause: look
  - set: { target: slider, value: 80 }
`;
    save(file, HEAD + steps);
    const line = readFileSync(file, "utf8").split("\n").findIndex((text) => text.includes("75")) + 1;
    {
      await using run = new Driven(["run", "--debug", file], folder);
      const next = async () => (await run.stands()).at(-1)?.next;
      assert.equal(await next(), "before.1");
      for (
        const [order, expected] of [["next", "1"], ["next", "2"], ["step", "2.1"], ["next", "2.2"]] as const
      ) {
        run.say(order);
        assert.equal(await next(), expected, order);
      }
      run.say("back");
      const back = await run.stands();
      assert.deepEqual([back.at(-1)?.next, back.find(({ event }) => event === "went-back")?.verdict], [
        "2.1",
        "restored",
      ]);
      run.say("continue");
      assert.equal(await next(), "3");
      run.say("continue");
      assert.equal((await run.stands()).at(-1)?.why, "end");
      assert.equal(await run.closed, 0);
    }
    for (const command of ["run", "test"]) {
      await using run = new Driven([command, "--break", `${file}:${line}`, file], folder);
      assert.equal((await run.stands()).at(-1)?.next, "2.2", command);
      run.say("quit");
      const finished = await run.until(({ event, exit }) => event === undefined && exit !== undefined);
      assert.match(JSON.stringify(finished.at(-1)), /"verdict":"restored"/);
      assert.equal(await run.closed, 130, command);
    }
    // Nobody debugs it: it passes.
    await using run = new Driven(["run", file], folder);
    assert.equal(await run.closed, 0);
  }));
