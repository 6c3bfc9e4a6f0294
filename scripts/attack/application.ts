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
import { pause } from "../../src/base/call.ts";
import { BackstepError, type Json, toBackstepError } from "../../src/base/error.ts";
import type { Session } from "../../src/session/session.ts";
import { saidOnConsole, Tail } from "../histories/real/account.ts";
import { Account, lineOf } from "./account.ts";
import { FIXTURES, type Toolkit } from "./toolkits.ts";
import type { Trait } from "./plan.ts";

/** Id of its desktop entry. */
const ID = "attack";
/** Milliseconds that it gets to do what it is told: it may be asleep for three seconds. */
const PATIENCE = 15_000;
/** Milliseconds between looks whether it has. */
const LOOK = 1;

/** Exchanges by which a clock is compared: the quickest counts. */
const EXCHANGES = 6;

/** What a clock is behind ours, in milliseconds: the nearest that was seen. */
interface Clock {
  behind: number;
}

/** Every process but a page has the same one. */
const MONOTONIC: Clock = { behind: Infinity };

/** A nasty application on a private desktop. It is started when there is a play, and again where it died. */
export class Application {
  readonly #session: Session;
  readonly #toolkit: Toolkit;
  readonly #folder: string;
  readonly #tail: Tail;
  #pid: number | undefined;
  #commands = 0;
  readonly #clock: Clock;
  #account = new Account({});
  #acknowledged = 0;
  #state: Record<string, Json> = {};

  private constructor(session: Session, toolkit: Toolkit, folder: string) {
    this.#session = session;
    this.#toolkit = toolkit;
    this.#folder = folder;
    this.#clock = toolkit.channel === "pipe" ? MONOTONIC : { behind: Infinity };
    this.#tail = toolkit.channel === "pipe"
      ? new Tail(join(folder, "account.jsonl"))
      : new Tail(join(folder, "console.log"), saidOnConsole);
  }

  /** Makes it known on a private desktop. */
  static prepare(session: Session, toolkit: Toolkit): Application {
    const { home } = session;
    if (home === undefined) throw new Error("a nasty application needs a private desktop");
    const folder = join(home, "attack");
    mkdirSync(folder, { recursive: true });
    if (toolkit.channel === "script") {
      copyFileSync(join(FIXTURES, "page.html"), join(folder, "page.html"));
      writeFileSync(join(folder, "commands.js"), "");
    }
    const entries = join(home, ".local/share/applications");
    mkdirSync(entries, { recursive: true });
    const command = toolkit.command.replaceAll("FOLDER", folder);
    writeFileSync(
      join(entries, `${ID}.desktop`),
      `[Desktop Entry]\nType=Application\nName=Attack\nExec=${command}\n`,
    );
    return new Application(session, toolkit, folder);
  }

  /** Begins a play: everything is as at first, and it misbehaves from now on. */
  async begin(traits: readonly Trait[]): Promise<void> {
    await this.#session.desktop.releaseInput();
    if (this.#pid === undefined || this.#account.died !== undefined || this.#account.lost) {
      await this.#start();
    }
    const plan: Json = JSON.parse(JSON.stringify(traits));
    try {
      await this.#tell({ do: "play", traits: plan });
    } catch (thrown) {
      if (toBackstepError(thrown).code !== "timeout") throw thrown;
      // Whatever became of it: a new one is as good.
      await this.#start();
      await this.#tell({ do: "play", traits: plan });
    }
    this.#account = new Account(this.#state);
  }

  /** Ends a play: it behaves again, and its account of the play is complete. */
  async end(): Promise<Account> {
    const account = this.#account;
    this.#drain();
    if (account.died !== undefined) return account;
    try {
      await this.#tell({ do: "rest" });
    } catch (thrown) {
      if (toBackstepError(thrown).code !== "app_gone") throw thrown;
      account.lost = true;
      this.#drain();
    }
    return account;
  }

  async #start(): Promise<void> {
    if (this.#pid !== undefined) await this.#kill(this.#pid);
    this.#account = new Account({});
    if (this.#clock !== MONOTONIC) this.#clock.behind = Infinity;
    const { processId } = await this.#session.launcher.launch(ID);
    this.#pid = processId;
    for (let n = 0; n < EXCHANGES; n++) await this.#tell({ do: "rest" });
  }

  async #kill(pid: number): Promise<void> {
    try {
      process.kill(pid, "SIGKILL");
    } catch (thrown) {
      const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
      if (code !== "ESRCH") throw thrown;
    }
    await this.#until(
      async () => !(await this.#session.desktop.applications()).some((one) => one.pid === pid),
      {
        what: "leave",
      },
    );
  }

  /** Sends a command and waits until it was obeyed. */
  async #tell(command: { readonly [key: string]: Json }): Promise<void> {
    const n = ++this.#commands;
    const line = JSON.stringify({ n, ...command });
    if (this.#toolkit.channel === "pipe") {
      const end = this.#pipe();
      try {
        writeSync(end, `${line}\n`);
      } finally {
        closeSync(end);
      }
    } else {
      const file = join(this.#folder, "commands.js");
      writeFileSync(`${file}.new`, `command(${line});`);
      renameSync(`${file}.new`, file);
    }
    await this.#until(() => {
      this.#drain();
      return Promise.resolve(this.#acknowledged >= n || this.#account.died !== undefined);
    }, { what: `answer to ${line}` });
  }

  #pipe(): number {
    try {
      return openSync(join(this.#folder, "commands"), constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (cause) {
      throw new BackstepError("app_gone", "Cannot go on: nobody reads the commands, the application died", {
        cause,
      });
    }
  }

  async #until(holds: () => Promise<boolean>, { what }: { readonly what: string }): Promise<void> {
    const end = performance.now() + PATIENCE;
    while (!await holds()) {
      if (performance.now() > end) {
        throw new BackstepError(
          "timeout",
          `Cannot go on: the ${this.#toolkit.name} application does not ${what}`,
        );
      }
      await pause(LOOK);
    }
  }

  #drain(): void {
    const lines = this.#tail.read().map(lineOf);
    const now = performance.now();
    // A line is read after it was written: the least difference is the nearest.
    for (const { t } of lines) this.#clock.behind = Math.min(this.#clock.behind, now - t);
    for (const line of lines) {
      this.#account.add(line, this.#clock.behind);
      if ("ack" in line) this.#acknowledged = line.ack;
      if ("state" in line) this.#state = line.state;
    }
  }
}
