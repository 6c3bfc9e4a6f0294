import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Deadline, pause } from "../src/base/call.ts";
import { failing, Stand } from "./_dialogs.ts";
import { isInstalled } from "./_installed.ts";
import { json, onKept } from "./cli/kept.ts";

const VICTIM = fileURLToPath(new URL("../scripts/crash/run.ts", import.meta.url));

/** A toolkit that a fixture is written for: `gtk.py` and `qt.py` of its folder, which take its version. */
export interface Kit {
  readonly file: "gtk.py" | "qt.py";
  readonly version: string;
  /** Not all that it needs is installed. */
  readonly ignore: boolean;
}

const gtk = (version: string): Kit => ({
  file: "gtk.py",
  version,
  ignore: !isInstalled(`/usr/lib/x86_64-linux-gnu/girepository-1.0/Gtk-${version}.0.typelib`),
});
const qt = (version: string): Kit => ({
  file: "qt.py",
  version,
  ignore: !isInstalled(`/usr/lib/python3/dist-packages/PyQt${version}/QtWidgets.abi3.so`),
});

/** By their names. */
export const KITS = {
  "GTK 3": gtk("3"),
  "GTK 4": gtk("4"),
  "Qt 5": qt("5"),
  "Qt 6": qt("6"),
};

/** Where the fixture of a kit lies, in a folder of tests/fixtures. */
function fixtureOf(folder: string, kit: Kit): string {
  return fileURLToPath(new URL(`fixtures/${folder}/${kit.file}`, import.meta.url));
}

/** A fixture on a desktop of its own that writes all that it holds as a line of JSON, at the start and at each change. */
export class Holder<Held> implements AsyncDisposable {
  readonly app: string;
  readonly stand: Stand;
  readonly #log: string;

  private constructor(app: string, stand: Stand, log: string) {
    this.app = app;
    this.stand = stand;
    this.#log = log;
  }

  /** Starts it, with `more` arguments, and waits for an element of it. */
  static async start<Held>(
    folder: string,
    kit: Kit,
    element: string,
    display: "x11" | "wayland" = "x11",
    more: readonly string[] = [],
  ): Promise<Holder<Held>> {
    const stand = await Stand.open(display);
    const log = join(stand.folder, "account");
    const args = [fixtureOf(folder, kit), kit.version, log, ...more];
    await stand.do("launch", { app: "/usr/bin/python3", args });
    const app = kit.version === "4" ? "python3" : kit.file;
    await stand.do("wait", { target: element }, app);
    return new Holder<Held>(app, stand, log);
  }

  /** What it holds, once that is as it is waited for, or in the end. */
  async held(wanted: (held: Held) => boolean = () => true): Promise<Held> {
    const deadline = Deadline.after(3_000);
    for (;;) {
      const held = lastOf<Held>(this.#log);
      if (held !== undefined && (wanted(held) || deadline.passed)) return held;
      if (deadline.passed) throw new Error(`nothing was written to ${this.#log}`);
      await pause(20);
    }
  }

  async [Symbol.asyncDispose]() {
    await this.stand[Symbol.asyncDispose]();
  }
}

/** What the last line of an account holds. */
function lastOf<Held>(log: string): Held | undefined {
  const line = readFileSync(log, "utf8").trim().split("\n").at(-1);
  return line === undefined || line === "" ? undefined : JSON.parse(line);
}

/** Kills a run after the last of some steps in a fixture, looks what it holds then, recovers, and sees that all is as before but for `free`. */
export function recoverKilled<Held extends object>(
  folder: string,
  kit: Kit,
  steps: readonly string[],
  between: (held: Held) => void,
  free: readonly string[] = [],
): Promise<void> {
  return onKept(async (place, desktop) => {
    const log = join(place.work, "account");
    const held = () => {
      const all = lastOf<Held>(log);
      assert.ok(all !== undefined, "nothing was written");
      return all;
    };
    const kept = () => Object.entries(held()).filter(([key]) => !free.includes(key)).toSorted();
    const args = [fixtureOf(folder, kit), kit.version, log].flatMap((arg) => ["--arg", arg]);
    await json(place, ["launch", "/usr/bin/python3", ...args, "--session", desktop]);
    const before = kept();
    const file = join(place.work, place.file("killed.yaml", failing(kit.file, ...steps)));
    const at = ["after a line: outcome", steps.length];
    const killed = { state: place.state, desktop, file, root: place.work, run: "killed", at };
    const through = [Deno.execPath(), "run", "-A", "--no-check", VICTIM];
    const { code, out, err } = await place.run([JSON.stringify(killed)], { through });
    assert.deepEqual([code, out], [null, ""], err);
    between(held());
    const recovered = JSON.stringify(await json(place, ["recover", "killed", "--rollback"]));
    assert.match(recovered, /^\{"runs":\[\{[^[]*"verdict":"restored"/);
    assert.deepEqual(kept(), before);
  });
}
