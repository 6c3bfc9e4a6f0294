// Cells of tables and trees that are edited where they lie. Judged by the application's own account.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { json, onKept } from "./cli/kept.ts";
import { Stand } from "./_dialogs.ts";
import { isInstalled } from "./_installed.ts";

const VICTIM = fileURLToPath(new URL("../scripts/crash/run.ts", import.meta.url));
const fixture = (name: string) => fileURLToPath(new URL(`fixtures/cells/${name}`, import.meta.url));
const Answer = z.looseObject({ method: z.string(), verified: z.boolean(), warning: z.string().optional() });

/** What is claimed in docs/reference/toolkits.md. */
const ON = [
  { claim: "gtk3/set-cell", method: "XTEST click and keys", name: "GTK 3", file: "gtk3.py", args: [] },
  { claim: "qt5/set-cell", method: "XTEST click and keys", name: "Qt 5", file: "qt.py", args: ["5"] },
  { claim: "qt6/set-cell", method: "XTEST click and keys", name: "Qt 6", file: "qt.py", args: ["6"] },
];
const view = 'table "Plan"';

const INSTALLED: Readonly<Record<string, string>> = {
  "Qt 5": "/usr/lib/python3/dist-packages/PyQt5",
  "Qt 6": "/usr/lib/python3/dist-packages/PyQt6",
};

for (const display of ["x11", "wayland"] as const) {
  for (const { name, method, file, args } of ON) {
    // Of Qt one version is enough there.
    if (display === "wayland" && name === "Qt 5") continue;
    const ignore = INSTALLED[name] !== undefined && !isInstalled(INSTALLED[name]);
    const of = `cells are edited, and as before after a rollback: ${name} on ${display}`;
    Deno.test({ name: of, ignore }, async (t) => {
      await using stand = await Stand.open(display);
      await stand.do("launch", { app: fixture(file), args: [...args, stand.folder] });
      const set = async (target: string, value: string) =>
        Answer.parse(await stand.do("set", { target, value }, "cells"));
      const edits = () => stand.account().filter((line) => line.startsWith("edited"));

      await t.step("one after the other, in a transaction that fails", async () => {
        const { error, rollback, steps } = await stand.run(failing(
          `set: { target: '${view} cell "Rent"', value: Lodging }`,
          `set: { target: '${view} cell "900"', value: "950" }`,
          `set: { target: '${view} cell "300"', value: "310" }`,
        ));
        assert.match(error?.message ?? "", /nothing says this/, JSON.stringify(steps.at(-1)));
        assert.equal(rollback.verdict, "restored", JSON.stringify(rollback));
        assert.deepEqual(edits(), [
          "edited 0 0 Lodging",
          "edited 0 1 950",
          "edited 1 1 310",
          "edited 1 1 300",
          "edited 0 1 900",
          "edited 0 0 Rent",
        ]);
      });

      await t.step("one that lies below is scrolled to", async () => {
        const done = await set(`${view} cell "Item 39"`, "Last");
        assert.deepEqual([done.method, done.verified], [
          display === "x11" ? method : "Wayland click and keys",
          true,
        ]);
        assert.equal(edits().at(-1), "edited 40 0 Last");
      });

      await t.step("its number is set with a spin button", async () => {
        assert.equal((await set(`${view} cell:in-row("Food"):in-column("Count")`, "7")).verified, true);
        assert.equal(edits().at(-1), "edited 1 3 7");
      });

      await t.step("of which the application makes something else, that is warned of", async () => {
        const { verified, warning = "" } = await set(`${view} cell "300"`, "0320");
        assert.equal(verified, false);
        assert.match(warning, /shows "320"/);
      });

      await t.step("whose row moves, goes back where it is by then", async () => {
        const { error, rollback } = await stand.run(
          failing(`set: { target: '${view} cell "Rent"', value: Moves }`),
        );
        assert.match(error?.message ?? "", /nothing says this/);
        assert.equal(rollback.steps[0]?.verdict, "restored", JSON.stringify(rollback));
        assert.deepEqual(edits().slice(-2), ["edited 0 0 Moves", "edited 1 0 Rent"]);
      });

      await t.step("that somebody else changed meanwhile is left alone", async () => {
        const { rollback } = await stand.run(failing(
          `set: { target: '${view} cell "Rent"', value: Contested }`,
          `assert: { target: '${view} cell "Taken"', exists: true }`,
        ));
        const [conflict] = rollback.steps.filter(({ verdict }) => verdict === "conflict");
        assert.match(conflict?.what ?? "", /text of cell/, JSON.stringify(rollback));
        assert.equal(edits().at(-1), "edited 1 0 Contested");
      });

      await t.step(
        "what cannot be edited, or is chosen from a list, is refused, and no editor stays",
        async () => {
          const before = edits();
          await assert.rejects(set(`${view} cell "weekly"`, "daily"), {
            code: "unsupported",
            message: /no editor/,
          });
          const chosen = set(`${view} cell:in-row("Food"):in-column("Kind")`, "fixed");
          await assert.rejects(chosen, { code: "unsupported", message: /takes no text/ });
          await assert.rejects(set(`${view} cell "Food"`, "two\nlines"), { code: "unsupported" });
          assert.deepEqual(edits().filter((line) => !before.includes(line)), []);
          assert.equal((await set(`${view} cell "Food"`, "Meals")).verified, true);
        },
      );

      await t.step("in the background nothing is sent", async () => {
        await using beside = await stand.beside("background");
        const before = stand.account();
        const set = beside.do("set", { target: `${view} cell "Meals"`, value: "Food" }, "cells");
        await assert.rejects(set, { code: "needs_focus" });
        assert.deepEqual(stand.account(), before);
      });

      await t.step("to the text that it has, nothing is done", async () => {
        assert.equal((await set(`${view} cell "Meals"`, "Meals")).method, "none");
      });
    });
  }
}

Deno.test("a cell of a run that was killed has its text again after recover, where its row is by then", () =>
  onKept(async (place, desktop) => {
    await json(place, ["launch", fixture("gtk3.py"), "--arg", place.work, "--session", desktop]);
    const file = join(
      place.work,
      place.file("cells.yaml", failing(`set: { target: 'cell "Rent"', value: Moves }`)),
    );
    const killed = {
      state: place.state,
      desktop,
      file,
      root: place.work,
      run: "cells",
      at: "after a line: outcome",
    };
    const through = [Deno.execPath(), "run", "-A", "--no-check", VICTIM];
    const { code, out, err } = await place.run([JSON.stringify(killed)], { through });
    assert.deepEqual([code, out], [null, ""], err);
    const edits = () =>
      readFileSync(join(place.work, "account"), "utf8").split("\n").filter((line) =>
        line.startsWith("edited")
      );
    assert.deepEqual(edits(), ["edited 0 0 Moves"]);
    const recovered = JSON.stringify(await json(place, ["recover", "cells", "--rollback"]));
    assert.match(recovered, /"verdict":"restored","what":"text of cell/);
    assert.deepEqual(edits(), ["edited 0 0 Moves", "edited 1 0 Rent"]);
  }));

/** A transaction of these steps that fails after them. */
function failing(...steps: readonly string[]): string {
  return [
    "name: cells",
    "app: cells",
    "steps:",
    "  - transaction:",
    "      name: edit",
    "      steps:",
    ...steps.map((step) => `        - ${step}`),
    `        - assert: { target: 'label "nothing says this"', exists: true, timeout: 0 }`,
    "",
  ].join("\n");
}
