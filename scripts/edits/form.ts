import {
  closeSync,
  constants,
  copyFileSync,
  mkdirSync,
  openSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Json } from "../../src/base/error.ts";
import { type AccountLine, AccountReader, saidOnConsole } from "../histories/real/account.ts";
import type { Session } from "../../src/session/session.ts";
import { FORM } from "../histories/form.ts";
import type { Toolkit } from "../histories/real/toolkits.ts";

const FIXTURES = fileURLToPath(new URL("../../tests/fixtures/histories", import.meta.url));
/** Milliseconds that a form gets to answer. */
const PATIENCE = 20_000;
/** Milliseconds between looks whether it has. */
const LOOK = 5;

/** Milliseconds in which it must hold the same. */
const SAME = 100;

/** What a form holds, by the names of its parts, as it says itself. */
export type State = Readonly<Record<string, Json>>;

/** The form of a toolkit, launched by a workflow, and its own account, which outlives its process and its desktop. */
export class Form {
  readonly toolkit: Toolkit;
  readonly folder: string;
  readonly #readers: readonly AccountReader[];
  readonly #acks = new Set<number>();
  #state: State = {};
  #changes: (AccountLine & { key: string })[] = [];
  #commands = 0;
  readonly #installed: boolean;

  constructor(toolkit: Toolkit, folder: string, installed = false) {
    this.#installed = installed;
    this.toolkit = toolkit;
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
    this.#readers = [
      new AccountReader(join(folder, "account.jsonl")),
      ...(toolkit.channel === "script"
        ? [new AccountReader(join(folder, "console.log"), saidOnConsole)]
        : []),
    ];
    if (toolkit.channel === "script") {
      copyFileSync(join(FIXTURES, "form.html"), join(folder, "form.html"));
      writeFileSync(join(folder, "commands.js"), "");
    }
  }

  /** The form as an application of a private desktop, which is launched by its id; its account goes with the desktop. */
  static installedOn({ home }: Pick<Session, "home">, toolkit: Toolkit): Form {
    if (home === undefined) throw new Error("a form needs a private desktop");
    const form = new Form(toolkit, join(home, "fixture"), true);
    const entries = join(home, ".local/share/applications");
    mkdirSync(entries, { recursive: true });
    const command = toolkit.form.replaceAll("FOLDER", form.folder);
    const lines = ["[Desktop Entry]", "Type=Application", "Name=Form", `Exec=${command}`, ""];
    writeFileSync(join(entries, `${FORM}.desktop`), lines.join("\n"));
    return form;
  }

  /** The name that steps have for it. */
  get app(): string {
    if (this.#installed) return this.toolkit.name === "chromium" ? "chromium" : FORM;
    const [program = ""] = this.toolkit.form.split(" ");
    return this.toolkit.name === "chromium" ? "chromium" : program;
  }

  /** The step that launches it. */
  get launch(): Json {
    if (this.#installed) return { launch: FORM };
    const [, ...args] = this.toolkit.form.replaceAll("FOLDER", this.folder).split(" ");
    return { launch: { app: this.app, args } };
  }

  /** Steps in the words of its toolkit. */
  words(steps: Json): string {
    return this.toolkit.words.filter(([from]) => !from.startsWith('"app"'))
      .reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify(steps));
  }

  /** What it holds, once it holds the same for a while: a click may reach it later than a command. */
  async state(): Promise<State> {
    for (let before = "";;) {
      await this.#command({ do: "sync" });
      const now = JSON.stringify(this.#state);
      if (now === before) return this.#state;
      before = now;
      await new Promise((resolve) => setTimeout(resolve, SAME));
    }
  }

  /** As at first. */
  async reset(): Promise<void> {
    await this.#command({ do: "reset" });
  }

  /** What changed since the last call, in order, as it says. */
  changes(): string[] {
    this.#drain();
    const keys = this.#changes.map(({ key }) => key);
    this.#changes = [];
    return keys;
  }

  async #command(command: { readonly [key: string]: Json }): Promise<void> {
    const n = ++this.#commands + Date.now();
    const line = JSON.stringify({ n, ...command });
    if (this.toolkit.channel === "pipe") {
      const pipe = openSync(join(this.folder, "commands"), constants.O_WRONLY | constants.O_NONBLOCK);
      try {
        writeSync(pipe, `${line}\n`);
      } finally {
        closeSync(pipe);
      }
    } else {
      const file = join(this.folder, "commands.js");
      writeFileSync(`${file}.new`, `command(${line});`);
      renameSync(`${file}.new`, file);
    }
    const end = performance.now() + PATIENCE;
    for (;;) {
      this.#drain();
      if (this.#acks.has(n)) return;
      if (performance.now() > end) {
        throw new Error(`the form of ${this.toolkit.name} did not answer to ${line}`);
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK));
    }
  }

  #drain(): void {
    for (const line of this.#readers.flatMap((reader) => reader.read())) {
      if ("ack" in line) this.#acks.add(line.ack);
      else if ("state" in line) this.#state = line.state;
      else if ("key" in line && line.by === "app") this.#changes.push(line);
    }
  }
}
