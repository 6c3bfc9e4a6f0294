// Two who click one thing right after another, as two commands do. GTK 3 activates a row at the second half of a double click.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Stand } from "./_dialogs.ts";

const ROWS = fileURLToPath(new URL("fixtures/rows.py", import.meta.url));
const APP = "rows.py";

for (const display of ["x11", "wayland"] as const) {
  Deno.test(`a click of one process and one of another are no double click, on ${display}`, async () => {
    await using stand = await Stand.open(display);
    const log = join(stand.folder, "rows");
    await stand.do("launch", { app: "/usr/bin/python3", args: [ROWS, log] });
    await using beside = await stand.beside("focus");
    await beside.do("wait", { target: 'cell "row 2"' }, APP);
    for (const one of [stand, beside, stand, beside]) await one.click('cell "row 2"', APP);
    await stand.do("click", { target: 'cell "row 4"' }, APP);
    const lines = readFileSync(log, "utf8").trim().split("\n");
    assert.deepEqual(lines.filter((line) => line.startsWith("activated")), []);
    assert.equal(lines.filter((line) => line === "pressed").length, 5);
  });
}
