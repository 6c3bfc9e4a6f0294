import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Desktop } from "../../src/desktop/desktop.ts";
import { openSession } from "../../src/session/open-session.ts";
import { Application } from "./application.ts";
import { CommandColumn } from "./command-column.ts";
import type { Act, Actor, Answer, Column } from "./columns.ts";
import type { Row, Stage } from "./rows.ts";
import { ServerColumn } from "./server-column.ts";
import { queryFor, type Toolkit } from "./toolkits.ts";

/** One way to a control under one rule: nothing may be lost. */
export interface Cell {
  readonly column: string;
  /** What the application lost, by its own account. */
  readonly lost: readonly string[];
  /** What each act was answered; "done" where nothing stood in its way. */
  readonly answers: readonly string[];
}

/** A row in all of its columns, and its twin. */
export interface Ran {
  readonly row: Row;
  readonly cells: readonly Cell[];
  /** Where the act may happen: a person says yes, and where that is not enough, nobody is asked. */
  readonly twin: Cell;
  /** What a yes was answered where it was not enough. */
  readonly yes: string | undefined;
  /** The control itself was lost in the twin. */
  readonly proved: boolean;
}

/** Milliseconds after an act that was not refused: GTK 3 presses a button 250 ms after its key. */
const GRACE = 350;
/** Milliseconds after what was let happen. */
const SETTLE = 40;
/** Milliseconds until a menu stands open. */
const MENU = 60;

/** Whether an act may happen in a cell. */
type Rule = "may not" | "yes" | "unasked";

/** Everything of a matrix on one toolkit. */
export class MatrixRun {
  readonly #application: Application;
  readonly #stage: Stage;
  readonly #server: readonly ServerColumn[];
  readonly #allowing: ServerColumn;
  readonly #commands: readonly CommandColumn[];
  readonly #toolkit: Toolkit;
  readonly #desktop: Desktop;
  /** What was lost in the cell before. */
  #before: string[] = [];

  private constructor(parts: {
    readonly application: Application;
    readonly stage: Stage;
    readonly server: readonly ServerColumn[];
    readonly allowing: ServerColumn;
    readonly commands: readonly CommandColumn[];
    readonly toolkit: Toolkit;
    readonly desktop: Desktop;
  }) {
    this.#application = parts.application;
    this.#stage = parts.stage;
    this.#server = parts.server;
    this.#allowing = parts.allowing;
    this.#commands = parts.commands;
    this.#toolkit = parts.toolkit;
    this.#desktop = parts.desktop;
  }

  /** Opens a private desktop with the application on it, does the work, and ends both. */
  static async on<T>(toolkit: Toolkit, work: (run: MatrixRun) => Promise<T>): Promise<T> {
    const folder = mkdtempSync(join(tmpdir(), "bs-matrix-"));
    const session = await openSession({ kind: "isolated" });
    const columns: Column[] = [];
    try {
      const application = await Application.start(session, toolkit);
      const { app } = toolkit;
      const server = (
        name: string,
        mode: "normal" | "safe" | "sandboxed",
        person: "yes" | "no" | "nobody",
      ) => {
        const column = new ServerColumn(session, { name, mode, person, app, folder: join(folder, name) });
        columns.push(column);
        return column;
      };
      const run = new MatrixRun({
        application,
        stage: { app, place: (key) => application.place(key), query: (key) => queryFor(toolkit, key) },
        server: [
          server("no", "normal", "no"),
          server("safe", "safe", "nobody"),
          server("sandboxed", "sandboxed", "nobody"),
        ],
        allowing: server("yes", "normal", "yes"),
        commands: (["safe", "sandboxed"] as const).map((mode) =>
          new CommandColumn(session, { name: mode, mode, app, folder })
        ),
        toolkit,
        desktop: session.desktop,
      });
      return await work(run);
    } finally {
      for (const column of columns) await column.close();
      await session.close();
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** The tools of the server, as it has them. */
  get tools(): ServerColumn["tools"] {
    return this.#allowing.tools;
  }

  /** What is lost while every server looks at all that there is to see: nothing may be. */
  async look(): Promise<readonly string[]> {
    await this.#application.reset({ focus: "button" });
    for (const server of this.#server) await server.look();
    return await this.#application.lost(GRACE);
  }

  /** Does a row in each of its columns, then where it may happen. */
  async row(row: Row): Promise<Ran> {
    const command = row.by === "command" || row.by === "workflow file";
    const cells: Cell[] = [];
    for (const column of command ? this.#commands : this.#server) {
      cells.push(await this.#cell(row, column, "may not"));
    }
    const allowing = command ? this.#commands[0] ?? this.#allowing : this.#allowing;
    const agreed = await this.#cell(row, allowing, "yes");
    const stopped = agreed.answers.find((answer) => answer !== "done");
    if (command || agreed.lost.includes(row.control) || stopped === undefined) {
      return { row, cells, twin: agreed, yes: undefined, proved: agreed.lost.includes(row.control) };
    }
    const twin = await this.#cell(row, allowing, "unasked");
    const proved = twin.lost.includes(row.control);
    return { row, cells, twin, yes: proved ? stopped : undefined, proved };
  }

  async #cell(row: Row, column: Column, rule: Rule): Promise<Cell> {
    const late = await this.#application.reset(row.scene);
    // What is lost when the next cell begins is that of the one before.
    this.#before.push(...late);
    await this.#open(row);
    const actor = await column.begin();
    try {
      const answers: Answer[] = [];
      const doing = { "may not": actor.act, yes: actor.permitted, unasked: actor.unasked };
      if (row.first) await this.#first(actor, row.first(this.#stage));
      for (const act of row.acts(this.#stage)) {
        answers.push(await doing[rule](act));
      }
      const refused = answers.every((answer) => answer?.refused === true);
      let lost = await this.#application.lost(refused || rule !== "may not" ? 0 : GRACE);
      if (rule !== "may not" && !lost.includes(row.control)) lost = await this.#application.lost(GRACE);
      // A second click of the twin must not land in the next cell.
      if (rule !== "may not") lost = await this.#application.lost(SETTLE);
      this.#before = [...lost];
      return {
        column: rule === "may not" ? column.name : rule,
        lost: this.#before,
        answers: answers.map((answer) => answer?.why ?? "done"),
      };
    } finally {
      await actor.end();
    }
  }

  /** Opens the menu, and waits until it stands open. */
  async #open({ before }: Row): Promise<void> {
    if (before === undefined) return;
    const { menu } = this.#toolkit;
    if (menu === "alt+f") await this.#desktop.pressKeys(["alt", "f"]);
    else {
      const { x, y } = this.#application.place("file");
      await this.#desktop.pointer({ do: "click", x, y, button: "left", count: 1 });
    }
    await this.#application.lost(MENU);
    if (before === "open") return;
    // Opened by a key, its first item is chosen.
    for (const chord of menu === "alt+f" ? ["Down"] : ["Down", "Down"]) {
      await this.#desktop.pressKeys([chord]);
      await this.#application.lost(MENU);
    }
  }

  /** What a person has agreed to before, and what is lost by it. */
  async #first(actor: Actor, acts: readonly Act[]): Promise<void> {
    for (const act of acts) await actor.permitted(act);
    await this.#application.lost(GRACE);
    this.#application.forget();
  }
}
