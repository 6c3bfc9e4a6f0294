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
import process from "node:process";
import { fileURLToPath } from "node:url";
import { BackstepError, type Json } from "../../../src/base/error.ts";
import { processStat } from "../../../src/base/process-stat.ts";
import type { Interference } from "../../../src/desktop/simulated/faults.ts";
import type { Change, LogEntry } from "../../../src/desktop/simulated/log.ts";
import type { Session } from "../../../src/session/session.ts";
import { FORM, OTHER } from "../form.ts";
import type { Truth } from "../watched.ts";
import { AccountReader, asText, saidOnConsole } from "./account.ts";
import type { Toolkit } from "./toolkits.ts";

type Entry = LogEntry & { readonly changes: readonly Change[] };

/** Milliseconds that a fixture gets to do what it is told. */
const PATIENCE = 20_000;
/** Milliseconds between looks whether it has. */
const LOOK = 2;

const nap = new Int32Array(new SharedArrayBuffer(4));

/**
 * The form as a real application on a private desktop. What is true is what it wrote itself; the tree is never asked. All
 * but starting it is done without letting anything else run, so that a moment is a moment.
 */
export class Fixture {
  readonly #session: Session;
  readonly #toolkit: Toolkit;
  readonly #folder: string;
  readonly #readers: readonly AccountReader[];
  readonly #acks = new Set<number>();
  #log: Entry[] = [];
  #truth = new Map<string, string>();
  #pid: number | undefined;
  #commands = 0;
  #clipboard: Json = null;

  private constructor(session: Session, toolkit: Toolkit, home: string) {
    this.#session = session;
    this.#toolkit = toolkit;
    this.#folder = join(home, "fixture");
    this.#readers = [
      new AccountReader(join(this.#folder, "account.jsonl")),
      ...(toolkit.channel === "script"
        ? [new AccountReader(join(this.#folder, "console.log"), saidOnConsole)]
        : []),
    ];
  }

  /** Makes both applications known on a private desktop; `reset` starts the form. */
  static prepare(session: Session, toolkit: Toolkit): Fixture {
    const { home } = session;
    if (home === undefined) throw new Error("a fixture needs a private desktop");
    const fixture = new Fixture(session, toolkit, home);
    const folder = fixture.#folder;
    mkdirSync(folder, { recursive: true });
    if (toolkit.channel === "script") {
      copyFileSync(
        fileURLToPath(new URL("../../../tests/fixtures/histories/form.html", import.meta.url)),
        join(folder, "form.html"),
      );
      writeFileSync(join(folder, "commands.js"), "");
    }
    const entries = join(home, ".local/share/applications");
    mkdirSync(entries, { recursive: true });
    for (
      const [id, name, command] of [[FORM, "Form", toolkit.form], [OTHER, "Other", toolkit.other]] as const
    ) {
      const lines = [
        "[Desktop Entry]",
        "Type=Application",
        `Name=${name}`,
        `Exec=${command.replaceAll("FOLDER", folder)}`,
      ];
      writeFileSync(join(entries, `${id}.desktop`), `${lines.join("\n")}\n`);
    }
    return fixture;
  }

  /** What happened since the last reset. */
  get log(): readonly Entry[] {
    this.#drain();
    return this.#log;
  }

  /** What is true now, as far as it has been written. */
  truth(): Truth {
    this.#drain();
    return new Map(this.#truth);
  }

  /** Waits until all that was sent to the form before has been done and written. */
  flush(): void {
    if (this.#pid !== undefined) this.#command({ do: "sync" });
    else this.#drain();
  }

  /** A person changes something. */
  person(key: string, set: Interference): void {
    if (this.#pid === undefined) return;
    this.#command({ do: "person", key, set: JSON.parse(JSON.stringify(set)) });
  }

  /** The form dies, and has left the accessibility bus. */
  async die(): Promise<void> {
    const pid = this.#pid;
    if (pid === undefined) return;
    process.kill(pid, "SIGKILL");
    // What it wrote before is read before; read later, it would be taken for the account of the next one.
    this.#until(() => processStat(pid) === undefined, `die, process ${pid}`);
    this.#drain();
    this.#add({ by: "simulator", did: "die", app: FORM }, {
      app: FORM,
      element: "",
      what: "running",
      before: true,
      after: false,
    });
    await this.#gone(pid);
  }

  /** Our own action puts something on the clipboard. */
  clipboard(text: string | undefined): void {
    const [before, after] = [this.#clipboard, text ?? null];
    this.#clipboard = after;
    this.#truth.set("clipboard", asText(after));
    if (before !== after) {
      this.#add({ by: "caller", did: "writeClipboard", app: "" }, {
        app: "",
        element: "",
        what: "clipboard",
        before,
        after,
      });
    }
  }

  /** Everything as at first: both applications, the clipboard, what was written. */
  async reset(): Promise<void> {
    const { launcher, desktop } = this.#session;
    this.#drain();
    await desktop.releaseInput();
    if (this.#truth.get("process") === "true") await launcher.quit(OTHER);
    this.#truth.set("process", "false");
    if (this.#pid === undefined) {
      // A page does not know its process; the number of the one that shows it is.
      this.#pid = (await launcher.launch(FORM)).processId;
    }
    this.#command({ do: "reset" });
    const name = "c0";
    await desktop.writeClipboard(name);
    this.#clipboard = name;
    this.#truth.set("clipboard", asText(name));
    this.#log = [];
  }

  /** Sends a command and waits until the form has done it. */
  #command(command: { readonly [key: string]: Json }): void {
    const n = ++this.#commands;
    const line = JSON.stringify({ n, ...command });
    if (this.#toolkit.channel === "pipe") {
      const pipe = openSync(join(this.#folder, "commands"), constants.O_WRONLY | constants.O_NONBLOCK);
      try {
        writeSync(pipe, `${line}\n`);
      } finally {
        closeSync(pipe);
      }
    } else {
      const file = join(this.#folder, "commands.js");
      writeFileSync(`${file}.new`, `command(${line});`);
      renameSync(`${file}.new`, file);
    }
    this.#until(() => this.#acks.has(n), line);
  }

  #until(holds: () => boolean, what: string): void {
    const end = performance.now() + PATIENCE;
    for (;;) {
      this.#drain();
      if (holds()) return;
      if (performance.now() > end) {
        throw new BackstepError(
          "timeout",
          `Cannot go on: the form of ${this.#toolkit.name} did not answer to ${what}`,
        );
      }
      Atomics.wait(nap, 0, 0, LOOK);
    }
  }

  async #gone(pid: number): Promise<void> {
    const end = performance.now() + PATIENCE;
    for (;;) {
      const standing = await this.#session.desktop.applications();
      if (!standing.some((one) => one.pid === pid)) return;
      if (performance.now() > end) {
        throw new BackstepError("timeout", `Cannot go on: process ${pid} does not leave`);
      }
      Atomics.wait(nap, 0, 0, LOOK);
    }
  }

  #drain(): void {
    for (const line of this.#readers.flatMap((reader) => reader.read())) {
      if ("ack" in line) this.#acks.add(line.ack);
      else if ("state" in line) this.#agree(line.state);
      else if ("key" in line) {
        const { app, key, what, before, after, by } = line;
        this.#truth.set(key, asText(after));
        if (by === "reset") continue;
        this.#add({
          by: by === "person" ? "person" : "caller",
          did: by === "person" ? "interfere" : "act",
          app,
        }, {
          app,
          element: key,
          what,
          before,
          after,
        });
      } else if (line.app === OTHER) {
        this.#truth.set("process", String(line.running));
        this.#add({ by: "caller", did: line.running ? "launch" : "quit", app: OTHER }, {
          app: OTHER,
          element: "",
          what: "running",
          before: !line.running,
          after: line.running,
        });
      } else if (line.running) this.#pid ??= line.pid || undefined;
      else {this.#add({ by: "caller", did: "quit", app: FORM }, {
          app: FORM,
          element: "",
          what: "running",
          before: true,
          after: false,
        });}
    }
  }

  /** What the form holds is what its account says: else the account is not worth anything. */
  #agree(state: { readonly [key: string]: Json }): void {
    for (const [key, value] of Object.entries(state)) {
      const [is, reported] = [asText(value), this.#truth.get(key)];
      if (reported !== undefined && reported !== is) {
        throw new Error(`the account of ${key} is ${reported}, and it is ${is}`);
      }
      this.#truth.set(key, is);
    }
  }

  #add(
    happening: { readonly by: LogEntry["by"]; readonly did: string; readonly app: string },
    change: Change,
  ): void {
    const { by, did, app } = happening;
    const { element } = change;
    this.#log.push({
      n: this.#log.length + 1,
      by,
      did,
      app,
      element,
      detail: null,
      reported: "",
      changes: [change],
    });
    if (change.what === "running" && app === FORM && change.after === false) {
      this.#pid = undefined;
      for (const key of [...this.#truth.keys()]) {
        if (key !== "clipboard" && key !== "process") this.#truth.delete(key);
      }
    }
  }
}
