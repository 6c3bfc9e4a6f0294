import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { Stand } from "./_dialogs.ts";
import { isInstalled } from "./_installed.ts";

/** A fixture with a table whose cells can be edited. */
export const cellsFixture = (name: string) =>
  fileURLToPath(new URL(`fixtures/cells/${name}`, import.meta.url));
const Answer = z.looseObject({ method: z.string(), verified: z.boolean(), warning: z.string().optional() });
const view = 'table "Plan"';

/** A toolkit with the fixture that is made with it. */
export interface CellsOf {
  readonly name: string;
  /** What sets a cell there. */
  readonly method: string;
  readonly file: string;
  readonly args: readonly string[];
}

const INSTALLED: Readonly<Record<string, string>> = {
  "Qt 5": "/usr/lib/python3/dist-packages/PyQt5",
  "Qt 6": "/usr/lib/python3/dist-packages/PyQt6",
};

/** One test for a toolkit: cells are set and restored, by the application's own account. */
export function verifyCells(display: "x11" | "wayland", { name, method, file, args }: CellsOf): void {
  const needs = INSTALLED[name];
  Deno.test({
    name: `cells are edited, and as before after a rollback: ${name} on ${display}`,
    ignore: needs !== undefined && !isInstalled(needs),
    async fn(t) {
      await using stand = await Stand.open(display);
      await stand.do("launch", { app: cellsFixture(file), args: [...args, stand.folder] });
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
          method,
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
          const done = await set(`${view} cell "Food"`, "Meals");
          assert.equal(done.verified, true, JSON.stringify([done, edits()]));
        },
      );

      await t.step("in the background nothing is sent", async () => {
        await using beside = await stand.beside("background");
        const before = stand.account();
        const set = beside.do("set", { target: `${view} cell "Meals"`, value: "Food" }, "cells");
        await assert.rejects(set, { code: "needs_focus" });
        assert.deepEqual(stand.account(), before);
      });

      if (name === "GTK 3") {
        await t.step("what a cell shows for a moment only is not what was made of it", async () => {
          const { verified, warning } = await set(`${view} cell "Item 2"`, "Slowly");
          assert.deepEqual([verified, warning], [true, undefined]);
          assert.match(edits().at(-1) ?? "", / 0 Slowly$/);
        });

        await t.step("beside a picture in one column", async () => {
          const { rollback } = await stand.run(
            failing(`set: { target: '${view} cell "food.txt"', value: meals.txt }`),
          );
          assert.equal(rollback.verdict, "restored", JSON.stringify(rollback));
          const files = edits().slice(-2).map((line) => line.split(" ").slice(2).join(" "));
          assert.deepEqual(files, ["5 meals.txt", "5 food.txt"]);
        });

        await t.step("typed into, its table would search for the text", async () => {
          const typed = stand.do("type", { into: `${view} cell "Meals"`, text: "Food" }, "cells");
          await assert.rejects(typed, { code: "unsupported", message: /search of its table/ });
        });
      }

      await t.step("to the text that it has, nothing is done", async () => {
        assert.equal((await set(`${view} cell "Meals"`, "Meals")).method, "none");
      });
    },
  });
}

/** A transaction of these steps that fails after them. */
export function failing(...steps: readonly string[]): string {
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
