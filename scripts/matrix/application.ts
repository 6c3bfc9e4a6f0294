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
import { setTimeout } from "node:timers/promises";
import { BackstepError, type Json } from "../../src/base/error.ts";
import { defined } from "../../src/base/defined.ts";
import type { Snapshot } from "../../src/desktop/snapshot.ts";
import type { Session } from "../../src/session/session.ts";
import { AccountReader } from "./account.ts";
import { PAGE, type Toolkit } from "./toolkits.ts";

/** Id of its desktop entry. */
export const LOSSES = "test.losses";
/** Milliseconds that it gets to do what it is told. */
const PATIENCE = 20_000;
/** Milliseconds between looks whether it has. */
const LOOK = 2;

/** Menus that may be open, one from the other. */
const MENUS = 3;

/** How the application stands when an act comes. */
export interface Scene {
  /** The control that has the keys; default: one that does no harm. */
  readonly focus?: string;
  readonly open?: "dialog";
  /** Another window has the keys. */
  readonly beside?: "mute";
}

/** A place of the screen. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** The application of the matrix on a private desktop. What it lost is what its own handlers wrote. */
export class Application {
  readonly #session: Session;
  readonly #toolkit: Toolkit;
  readonly #folder: string;
  readonly #reader: AccountReader;
  readonly #acks = new Set<number>();
  #lost: string[] = [];
  #all = 0;
  #commands = 0;
  #mute: Place | undefined;
  #corner: Place = { x: 0, y: 0 };
  #places: ReadonlyMap<string, readonly [number, number]> = new Map();

  private constructor(session: Session, toolkit: Toolkit, home: string) {
    this.#session = session;
    this.#toolkit = toolkit;
    this.#folder = join(home, "losses");
    const page = toolkit.channel === "script";
    const file = join(this.#folder, page ? "console.log" : "account.jsonl");
    this.#reader = new AccountReader(file, { console: page });
  }

  /** Starts it. */
  static async start(session: Session, toolkit: Toolkit): Promise<Application> {
    const { home } = session;
    if (home === undefined) throw new Error("the matrix needs a private desktop");
    const application = new Application(session, toolkit, home);
    const folder = application.#folder;
    mkdirSync(folder, { recursive: true });
    copyFileSync(PAGE, join(folder, "page.html"));
    writeFileSync(join(folder, "commands.js"), "");
    const entries = join(home, ".local/share/applications");
    mkdirSync(entries, { recursive: true });
    const command = toolkit.command.replaceAll("FOLDER", folder);
    const entry = ["[Desktop Entry]", "Type=Application", "Name=Losses", `Exec=${command}`, ""];
    writeFileSync(join(entries, `${LOSSES}.desktop`), entry.join("\n"));
    await session.launcher.launch(LOSSES);
    await application.reset({});
    await application.#measure();
    if (toolkit.lacks.mute === undefined) await application.#beside();
    return application;
  }

  /** All that was ever lost. */
  get everLost(): number {
    this.#drain();
    return this.#all;
  }

  /** The middle of a control. */
  place(key: string): Place {
    if (key === "mute" && this.#mute) return this.#mute;
    const [x, y] = this.#places.get(key) ?? [];
    if (x === undefined || y === undefined) throw new Error(`the application did not say where ${key} is`);
    return { x: this.#corner.x + x, y: this.#corner.y + y };
  }

  /** Everything as at first; answers what was lost between the last look and now, which is too late for it to be told. */
  async reset({ focus, open, beside }: Scene): Promise<readonly string[]> {
    await this.#session.desktop.releaseInput();
    this.#lost = [];
    await this.#closeMenus();
    await this.#command({
      do: "reset",
      ...defined({ focus, open }),
    });
    if (beside !== undefined) await this.#bring(beside);
    const late = this.#lost;
    this.#lost = [];
    return late;
  }

  /** What was lost since the last reset, once all that was sent before has been handled, and `grace` milliseconds on. */
  async lost(grace = 0): Promise<readonly string[]> {
    await this.#command({ do: "sync", grace });
    return this.#lost;
  }

  /** Forgets what was lost since the last reset. */
  forget(): void {
    this.#lost = [];
  }

  /** Closes what a program has opened for itself, as a browser does for its menu key: a page cannot. */
  async #closeMenus(): Promise<void> {
    const { desktop } = this.#session;
    for (let left = MENUS; left > 0 && (await desktop.windows()).some(({ popup }) => popup); left--) {
      await desktop.pressKeys(["Escape"]);
      if (this.#places.size > 0) await this.#command({ do: "sync", grace: LOOK });
    }
  }

  /** Waits for the window beside it, and sees where it is. */
  async #beside(): Promise<void> {
    await this.#bring("mute");
    const window = (await this.#session.desktop.windows()).find(({ title }) => title === "Mute");
    if (!window) throw new Error("the mute window is gone");
    const { x, y, width, height } = window.rect;
    this.#mute = { x: x + Math.round(width / 2), y: y + Math.round(height / 2) };
  }

  /** Has the window beside the application come to the front. */
  async #bring(which: string): Promise<void> {
    const { desktop } = this.#session;
    const end = performance.now() + PATIENCE;
    for (let asked = false;;) {
      const window = (await desktop.windows()).find(({ title }) => title.toLowerCase() === which);
      if (window?.active) return;
      if (window && !asked) await desktop.window(window.id, { do: "activate" });
      asked ||= window !== undefined;
      if (performance.now() > end) throw new Error(`the window ${which} does not come to the front`);
      await setTimeout(LOOK);
    }
  }

  /** Its places on the screen: where one of them is, as the desktop tells it, says where all are. */
  async #measure(): Promise<void> {
    const { desktop } = this.#session;
    const application = (await desktop.applications()).find(({ name }) => name === this.#toolkit.app);
    if (!application) throw new Error(`no application is called ${this.#toolkit.app}`);
    // A browser tells of its page some time after that runs.
    for (const end = performance.now() + PATIENCE;;) {
      const snapshot = await desktop.snapshot(application, { timeout: PATIENCE, fields: ["extents"] });
      const anchor = this.#anchorIn(snapshot);
      if (anchor) {
        this.#corner = anchor;
        return;
      }
      if (performance.now() > end) throw new Error("the anchor is not in the tree");
      await setTimeout(LOOK);
    }
  }

  /** Where the application's own places begin on the screen, by the one that its tree has; undefined: it has none yet. */
  #anchorIn(snapshot: Snapshot): Place | undefined {
    const [x, y] = this.#places.get("anchor") ?? [];
    if (x === undefined || y === undefined) {
      throw new Error("the application did not say where its anchor is");
    }
    for (let row = 0; row < snapshot.size; row++) {
      const rect = snapshot.name(row) === "Anchor" ? snapshot.rect(row) : undefined;
      if (rect) {
        return { x: Math.round(rect.x + rect.width / 2) - x, y: Math.round(rect.y + rect.height / 2) - y };
      }
    }
    return undefined;
  }

  /** Sends a command, and waits until the application has done it. */
  async #command(command: { readonly [key: string]: Json }): Promise<void> {
    const n = ++this.#commands;
    const line = JSON.stringify({ n, ...command });
    if (this.#toolkit.channel === "pipe") this.#send(`${line}\n`);
    else {
      const file = join(this.#folder, "commands.js");
      writeFileSync(`${file}.new`, `command(${line});`);
      renameSync(`${file}.new`, file);
    }
    const end = performance.now() + PATIENCE;
    while (!this.#acks.has(n)) {
      if (performance.now() > end) {
        throw new BackstepError(
          "timeout",
          `Cannot go on: ${this.#toolkit.name} did not answer to ${line}`,
        );
      }
      await setTimeout(LOOK);
      this.#drain();
    }
  }

  #send(text: string): void {
    const pipe = openSync(join(this.#folder, "commands"), constants.O_WRONLY | constants.O_NONBLOCK);
    try {
      writeSync(pipe, text);
    } finally {
      closeSync(pipe);
    }
  }

  #drain(): void {
    for (const line of this.#reader.read()) {
      if ("ack" in line) {
        this.#acks.add(line.ack);
        if (line.places) this.#places = new Map(Object.entries(line.places));
      } else if ("lost" in line) {
        this.#all++;
        this.#lost.push(line.lost);
      }
    }
  }
}
