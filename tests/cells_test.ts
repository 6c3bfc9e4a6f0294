// Cells of tables that are edited where they lie. Judged by the application's own account.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cellsFixture, failing, verifyCells } from "./_cells.ts";
import { Stand } from "./_dialogs.ts";
import { json, onKept } from "./cli/kept.ts";

const VICTIM = fileURLToPath(new URL("../scripts/crash/run.ts", import.meta.url));
/** What is claimed in docs/reference/toolkits.md. */
const ON = [
  { claim: "gtk3/set-cell", method: "XTEST click and keys", name: "GTK 3", file: "gtk3.py", args: [] },
  { claim: "qt5/set-cell", method: "XTEST click and keys", name: "Qt 5", file: "qt.py", args: ["5"] },
  { claim: "qt6/set-cell", method: "XTEST click and keys", name: "Qt 6", file: "qt.py", args: ["6"] },
];

for (const one of ON) verifyCells("x11", one);

Deno.test("a cell is edited also where the application gets to a click late", async () => {
  await using stand = await Stand.open();
  await stand.do("launch", { app: cellsFixture("gtk3.py"), args: [stand.folder], env: { SLOW: "1" } });
  await stand.do("set", { target: 'cell "Food"', value: "Late" }, "cells", 20_000);
  assert.equal(stand.account().at(-1), "edited 1 0 Late");
});

Deno.test("a cell of a run that was killed has its text again after recover, where its row is by then", () =>
  onKept(async (place, desktop) => {
    await json(place, ["launch", cellsFixture("gtk3.py"), "--arg", place.work, "--session", desktop]);
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
