import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { Deadline, pause } from "../../src/base/call.ts";
import type { Application, Desktop } from "../../src/desktop/desktop.ts";
import type { Snapshot } from "../../src/desktop/snapshot.ts";
import { untilDeadline } from "../../src/desktop/actions/read-back.ts";
import type { NativeSession } from "../../src/session/open-native.ts";
import {
  closeFixture,
  fixtureCommand,
  fixtureLines,
  type OpenFixture,
  openFixture,
  type ToolkitName,
} from "./fixture.ts";

export { type ToolkitName, TOOLKITS } from "./fixture.ts";

/** A line of a fixture's own account. */
const Line = z.looseObject({ what: z.string(), of: z.string().optional() });
export type Line = z.infer<typeof Line>;

const folder = fileURLToPath(new URL("../../tests/fixtures/truth", import.meta.url));
const TYPELIBS = "/usr/lib/x86_64-linux-gnu/girepository-1.0";
const DIST = "/usr/lib/python3/dist-packages";

/** What must be there, with the Debian package that it comes from. */
const NEEDS: Readonly<Record<ToolkitName, readonly [file: string, from: string]>> = {
  gtk3: [`${TYPELIBS}/Gtk-3.0.typelib`, "gir1.2-gtk-3.0"],
  gtk4: [`${TYPELIBS}/Gtk-4.0.typelib`, "gir1.2-gtk-4.0"],
  qt5: [`${DIST}/PyQt5/QtWidgets.abi3.so`, "python3-pyqt5"],
  qt6: [`${DIST}/PyQt6/QtWidgets.abi3.so`, "python3-pyqt6"],
  chromium: ["/usr/bin/chromium", "chromium"],
};

/** The Debian package that a fixture wants and that is not installed. */
export function missingFor(toolkit: ToolkitName): string | undefined {
  const [file, from] = NEEDS[toolkit];
  return existsSync(file) ? undefined : from;
}

/** Milliseconds that a fixture gets to write what it is waited for. */
const PATIENCE = 20_000;
/** Milliseconds between looks. */
const LOOK = 5;

/** A fixture on a private desktop of its own, and what it has written. */
export class Stage {
  readonly session: NativeSession;
  readonly toolkit: ToolkitName;
  readonly folder: string;
  readonly application: Application;
  #heard = 0;

  private constructor(toolkit: ToolkitName, { session, folder, application }: OpenFixture) {
    this.session = session;
    this.toolkit = toolkit;
    this.folder = folder;
    this.application = application;
  }

  /** Starts the fixture and waits until it is ready. `args`: "--accelerators" gives it ctrl+Z of its own. */
  static open(toolkit: ToolkitName, args: readonly string[] = []): Promise<Stage> {
    const command = (reported: string) => fixtureCommand(folder, toolkit, reported, args);
    return openFixture("truth", command, PATIENCE, async (open) => {
      const stage = new Stage(toolkit, open);
      await stage.until("ready");
      return stage;
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return closeFixture(this);
  }

  get desktop(): Desktop {
    return this.session.desktop;
  }

  snapshot(): Promise<Snapshot> {
    return this.desktop.snapshot(this.application, {
      timeout: PATIENCE,
      fields: ["extents", "text", "value", "id", "selection"],
    });
  }

  /** All that it has written so far. */
  account(): Line[] {
    return fixtureLines(Line, this.folder, this.toolkit, "told.jsonl");
  }

  /** Waits for a line of this kind after those that were heard; resolves with all up to it. */
  async until(what: string): Promise<Line[]> {
    const deadline = Deadline.after(PATIENCE);
    for (;;) {
      const lines = this.account().slice(this.#heard);
      const at = lines.findIndex((line) => line.what === what);
      if (at >= 0) {
        this.#heard += at + 1;
        return lines.slice(0, at);
      }
      if (deadline.passed) throw new Error(`no "${what}" came: ${JSON.stringify(lines)}`);
      await pause(LOOK);
    }
  }

  /**
   * What the fixture wrote while something was done to it. The key F12 comes after all input that was sent before it,
   * and the press of its button *Reset* after all that came over the bus; that restores it, too.
   */
  async during(action: () => Promise<unknown>, { grabs = false } = {}): Promise<Line[]> {
    const deadline = Deadline.after(PATIENCE);
    // Some lists choose what the pointer lies on.
    await this.desktop.pointer({ do: "move", x: 1, y: 1 }, deadline.call());
    await action();
    // An open list has the keyboard: no key reaches the window.
    if (!grabs) await this.desktop.pressKeys(["F12"], deadline.call());
    const before = grabs ? [await this.next()] : await this.until("barrier");
    return before.concat(await this.reset());
  }

  /** Waits for one more line. */
  async next(): Promise<Line> {
    const deadline = Deadline.after(PATIENCE);
    for (;;) {
      const line = this.account()[this.#heard];
      if (line !== undefined) {
        this.#heard += 1;
        return line;
      }
      if (deadline.passed) throw new Error("nothing more was written");
      await pause(LOOK);
    }
  }

  /** Presses its button *Reset*, and waits until all is as it was at first. */
  async reset(): Promise<Line[]> {
    const deadline = Deadline.after(PATIENCE);
    // A page comes after its window.
    const { held, last: tree } = await untilDeadline(
      this.desktop,
      () => this.snapshot(),
      (tree) => find(tree, "Reset") >= 0,
      deadline,
    );
    if (!held) throw new Error(`${this.toolkit}: the fixture has no button Reset`);
    // Its action, and not the pointer: over the bus it comes after all that came over the bus, whatever is open above it.
    await this.desktop.act(tree.element(find(tree, "Reset")), { do: "action", name: "" }, deadline.call());
    return await this.until("reset");
  }
}

/** The first row of this name that is no text inside of another. */
export function named(tree: Snapshot, name: string): number {
  const row = find(tree, name);
  if (row < 0) throw new Error(`nothing is called ${name}`);
  return row;
}

function find(tree: Snapshot, name: string): number {
  for (let row = 0; row < tree.size; row++) if (tree.name(row) === name) return row;
  return -1;
}
