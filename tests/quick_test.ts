// Programs of Qt Quick, with Qt 5 and 6. Judged by what they write down themselves.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Deadline, pause } from "../src/base/call.ts";
import { failing, Stand } from "./_dialogs.ts";
import { isInstalled } from "./_installed.ts";

const fixture = (name: string) => fileURLToPath(new URL(`fixtures/quick/${name}`, import.meta.url));
const APP = "host.py";

/** A program of Qt Quick on a desktop of its own, and what it writes. */
class Program implements AsyncDisposable {
  readonly stand: Stand;
  readonly #log: string;
  #seen = 0;

  private constructor(stand: Stand, log: string) {
    this.stand = stand;
    this.#log = log;
  }

  static async start(version: string, page: string, display: "x11" | "wayland" = "x11"): Promise<Program> {
    const stand = await Stand.open(display);
    const log = join(stand.folder, "account");
    const args = [fixture("host.py"), version, fixture(page), log];
    await stand.do("launch", { app: "/usr/bin/python3", args });
    return new Program(stand, log);
  }

  /** What was written since, up to a line that is waited for. */
  async news(last: string): Promise<string[]> {
    const deadline = Deadline.after(5_000);
    const all = () => readFileSync(this.#log, "utf8").trim().split("\n");
    while (!all().slice(this.#seen).includes(last)) {
      if (deadline.passed) assert.fail(`no ${last} in ${JSON.stringify(all().slice(this.#seen))}`);
      await pause(20);
    }
    const lines = all().slice(this.#seen);
    this.#seen += lines.length;
    return lines;
  }

  async [Symbol.asyncDispose]() {
    await this.stand[Symbol.asyncDispose]();
  }
}

for (const version of ["5", "6"]) {
  const ignore = !isInstalled(`/usr/lib/python3/dist-packages/PyQt${version}/QtQuick.abi3.so`);
  for (const display of ["x11", "wayland"] as const) {
    Deno.test({
      name: `a form of Qt Quick ${version} is filled and rolled back, on ${display}`,
      ignore,
      async fn() {
        await using program = await Program.start(version, "form.qml", display);
        const { stand } = program;
        await stand.do("wait", { target: 'textfield "Name"' }, APP);
        await stand.do("set", { target: 'combobox "Town"', value: "Rome" }, APP);
        await program.news("town at 1");
        const { error, rollback } = await stand.run(
          failing(
            APP,
            `set: { target: 'textfield "Name"', value: Grace }`,
            `set: { target: 'spinbutton "Number"', value: 75 }`,
            `set: { target: 'slider "Volume"', value: 80 }`,
            `set: { target: 'dial "Gain"', value: 8 }`,
            `click: 'checkbox "Box"'`,
            `set: { target: 'checkbox "Power"', value: true }`,
            `click: 'checkbox "Bold"'`,
            `click: 'radio "Second"'`,
            `set: { target: 'combobox "Colour"', value: Blue }`,
            `set: { target: 'combobox "Year"', value: year 9 }`,
            `set: { target: 'combobox "Town"', value: Oslo }`,
            `click: 'tab "Two"'`,
          ),
        );
        assert.match(error?.message ?? "", /nothing says this/);
        assert.equal(rollback.verdict, "restored", JSON.stringify(rollback));
        // The first step is the last that is restored. What was typed comes letter by letter: the last of each counts.
        const lines = await program.news("name Ada");
        const last = new Map(lines.map((line) => [line.replace(/ \S+$/, ""), line]));
        assert.deepEqual([...last.values()].toSorted(), [
          "bold false",
          "box false",
          "colour 0",
          "first true",
          "gain 5",
          "name Ada",
          "number 3",
          "power false",
          "second false",
          "tab 0",
          "town Rome",
          "town at 1",
          "volume 40",
          "year 0",
        ]);
      },
    });
  }

  Deno.test({
    name: `what is around a view of Qt Quick ${version} is not taken for what is in it`,
    ignore,
    async fn() {
      await using program = await Program.start(version, "around.qml");
      const { stand } = program;
      const go = (name: string) => stand.click(`button "${name}"`, APP);
      const written: string[] = [];
      await stand.do("wait", { target: 'button "Top"' }, APP);
      const acts = [
        ...["Go 0", "Go 11", "Top", "Middle", "Go 5", "Top", "Bottom", "Go 0", "Go 8", "Go 3", "Top"],
        ...["Row 0", "Row 8", "Middle", "Bottom", "Row 5", "Row 6", "Middle", "Row 1", "Bottom"],
      ];
      for (const name of acts) {
        await go(name);
        written.push(...await program.news(name.toLowerCase()));
      }
      // What lies right behind the buttons around the views.
      const behind = [["Go 8", "Go 5"], ["Go 3", "Go 6"], ["Go 8", "Top"], ["Go 3", "Middle"], [
        "Row 6",
        "Row 4",
      ]] as const;
      for (
        const [scrolled, name] of [...behind, ["Row 6", "Middle"], ["Row 4", "Row 6"], [
          "Row 4",
          "Bottom",
        ]] as const
      ) {
        await stand.do("scroll", { target: `button "${scrolled}"` }, APP);
        await go(name);
        acts.push(name);
        written.push(...await program.news(name.toLowerCase()));
      }
      // Not one click went elsewhere, and no number heard of the wheel.
      assert.deepEqual(written, acts.map((name) => name.toLowerCase()));
    },
  });

  Deno.test({
    name: `a box of Qt Quick ${version} that hides a third state is clicked once`,
    ignore,
    async fn() {
      await using program = await Program.start(version, "form.qml");
      await program.stand.do("wait", { target: 'textfield "Name"' }, APP);
      const clicked = () => program.stand.click('checkbox "Partly"', APP);
      await assert.rejects(clicked, /no_effect|third state|Cannot check/);
      await program.stand.click('checkbox "Box"', APP);
      const lines = await program.news("box true");
      assert.deepEqual(lines.filter((line) => line.startsWith("partly")), ["partly 1"]);
    },
  });

  for (const display of ["x11", "wayland"] as const) {
    Deno.test({
      name: `each of several clicks on one button of Qt Quick ${version} is one, on ${display}`,
      ignore,
      async fn() {
        await using program = await Program.start(version, "counter.qml", display);
        const { stand } = program;
        await stand.do("wait", { target: 'button "Count"' }, APP);
        for (let i = 0; i < 4; i++) await stand.click('button "Count"', APP);
        assert.deepEqual(await program.news("pressed 4"), [
          "pressed 1",
          "pressed 2",
          "pressed 3",
          "pressed 4",
        ]);
      },
    });
  }

  Deno.test({
    name: `a button of Qt Quick ${version} is pressed in the background, or that is refused`,
    ignore,
    async fn() {
      await using program = await Program.start(version, "form.qml");
      const { stand } = program;
      await stand.do("wait", { target: 'textfield "Name"' }, APP);
      const press = () => stand.do("click", { target: 'button "Count"', background: true }, APP);
      if (version === "5") {
        await press();
        await program.news("pressed 1");
      } else {
        await assert.rejects(
          press,
          (thrown: unknown) => thrown instanceof Error && /needs|focus/.test(thrown.message),
        );
      }
    },
  });
}
