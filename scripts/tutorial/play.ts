import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Deadline, pause } from "../../src/base/call.ts";
import { type NativeSession, openNative } from "../../src/session/open-native.ts";
import { Injector } from "../recordings/injector.ts";
import { Person } from "../recordings/person.ts";
import { rowOf } from "../recordings/stage.ts";
import { tutorial } from "./page.ts";
import { Terminal } from "./terminal.ts";

const BIN = fileURLToPath(new URL("../../bin.ts", import.meta.url));
const SIZE = { columns: 88, rows: 24 };
/** Milliseconds that an application gets to come up, and between two looks. */
const PATIENCE = 20_000;
const LOOK = 20;
const SHIFT = 0xffe1;

/** What came of the tutorial. */
export interface Played {
  /** What the terminal showed while it was recorded. */
  readonly recording: string;
  /** The file after it was recorded, and after it was recorded on. */
  readonly recorded: string;
  readonly recordedOn: string;
  /** What both runs said. */
  readonly runs: readonly string[];
}

/** Does what the tutorial says, in an empty folder and a real terminal, on a private desktop that stands for a person's own. */
export async function playTutorial(only?: "recording"): Promise<Played> {
  const folder = mkdtempSync(join(tmpdir(), "bs-tutorial-"));
  await using desktop = await openDesktop(join(folder, "state"));
  try {
    const work = join(folder, "work");
    mkdirSync(work);
    mkdirSync(join(folder, "bin"));
    const program = join(folder, "bin", "backstep");
    writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' run -q -A --no-check '${BIN}' "$@"\n`);
    chmodSync(program, 0o755);
    writeFileSync(join(work, "guests.py"), tutorial.program);
    const environment = {
      ...desktop.session.environment,
      BACKSTEP_STATE: join(folder, "own"),
      DENO_DIR: process.env["DENO_DIR"] ?? join(process.env["HOME"] ?? "", ".cache", "deno"),
      PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
    };
    await using terminal = await Terminal.open(work, environment, SIZE);
    await using injector = await Injector.start(desktop.session);
    return await new Reader(desktop.session, terminal, injector, work).play(only);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function openDesktop(state: string) {
  const session = await openNative({ kind: "isolated", state });
  return { session, [Symbol.asyncDispose]: () => session.close() };
}

/** Somebody who follows the tutorial. */
class Reader {
  readonly #session: NativeSession;
  readonly #terminal: Terminal;
  readonly #injector: Injector;
  readonly #person: Person;
  readonly #file: string;
  #at = 0;

  constructor(session: NativeSession, terminal: Terminal, injector: Injector, work: string) {
    this.#session = session;
    this.#terminal = terminal;
    this.#injector = injector;
    this.#person = new Person(injector);
    this.#file = join(work, "guests.yaml");
  }

  async play(only: "recording" | undefined): Promise<Played> {
    const [start = "", record = "", run = "", runWith = "", on = ""] = tutorial.commands;
    this.#terminal.command(start);
    await this.#says("$ ");
    await this.#place("Add");
    const from = Math.max(0, this.#terminal.written.lastIndexOf("$ "));
    await this.#record(record);
    const recording = this.#terminal.written.slice(from);
    const recorded = this.#read();
    if (only !== undefined) return { recording, recorded, recordedOn: "", runs: [] };
    // The window is closed.
    this.#terminal.command("kill %1");
    await this.#says("$ ");
    const [, launch = "", variable = ""] = tutorial.files;
    this.#write((text) => text.replace("app: guests\n", `app: guests\n${launch}`));
    const runs = [await this.#command(run)];
    this.#write((text) =>
      text.replace("app: guests\n", `app: guests\n${variable}`)
        .replace("value: Ada", "value: '{{vars.guest}}'").replace("Ada is", "{{vars.guest}} is")
    );
    runs.push(await this.#command(runWith));
    this.#terminal.command(on);
    await this.#says("recording:");
    await this.#person.click(await this.#place("Vegetarian"));
    await this.#says("Vegetarian");
    await this.#quit();
    return { recording, recorded, recordedOn: this.#read(), runs };
  }

  async #record(command: string): Promise<void> {
    this.#terminal.command(command);
    await this.#says("recording:");
    await this.#person.click(await this.#place("Name"));
    await pause(200);
    await this.#injector.key(SHIFT, true);
    await this.#person.type("a");
    await this.#injector.key(SHIFT, false);
    await this.#person.type("da");
    await this.#says("Ada");
    await this.#person.click(await this.#place("Vegetarian"));
    await this.#says("Vegetarian");
    this.#terminal.type("u");
    await this.#says("undone");
    await this.#person.click(await this.#place("Vegetarian"));
    await this.#says("Vegetarian");
    await this.#person.click(await this.#place("Add"));
    await this.#says(/click .*Add/);
    const { x, y } = await this.#place("Ada is coming");
    await this.#injector.move(x, y);
    this.#terminal.type("a");
    await this.#says(/assert .*is coming/);
    await this.#quit();
  }

  async #quit(): Promise<void> {
    this.#terminal.type("q");
    await this.#says("Run it");
    await this.#says("$ ");
  }

  async #command(text: string): Promise<string> {
    const from = this.#at;
    this.#terminal.command(text);
    await this.#says(/(passed|failed)/);
    await this.#says("\n$ ");
    return this.#terminal.written.slice(from);
  }

  async #says(text: string | RegExp): Promise<void> {
    this.#at = await this.#terminal.until(text, this.#at);
  }

  #read(): string {
    return readFileSync(this.#file, "utf8");
  }

  #write(change: (text: string) => string): void {
    writeFileSync(this.#file, change(this.#read()));
  }

  /** The middle of what has this name. */
  async #place(name: string): Promise<{ x: number; y: number }> {
    const deadline = Deadline.after(PATIENCE);
    for (;;) {
      for (const application of await this.#session.desktop.applications()) {
        const tree = await this.#session.desktop.snapshot(application);
        const row = rowOf(tree, name);
        const rect = row > 0 ? tree.rect(row) : undefined;
        if (rect !== undefined) return { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 };
      }
      if (deadline.passed) throw new Error(`nothing that shows is called ${name}`);
      await pause(LOOK);
    }
  }
}
