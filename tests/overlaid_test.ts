// Widgets of Qt that lie on each other in one window. Qt tells the lowest of them; the program writes which one a press reached.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Stand } from "./_dialogs.ts";
import { KITS } from "./_held.ts";

const FIXTURE = fileURLToPath(new URL("fixtures/overlaid/qt.py", import.meta.url));
const APP = "qt.py";

const COVERED = [
  ["Below", "later"],
  ["Sunk", "raised"],
  ["Inside", "beside the box"],
  ["Bottom", "On the sheet"],
] as const;

for (const name of ["Qt 5", "Qt 6"] as const) {
  for (const display of ["x11", "wayland"] as const) {
    const { version, ignore } = KITS[name];
    Deno.test({
      name: `${name} on ${display}: what lies on top is pressed, and what lies below it is not`,
      ignore,
      async fn() {
        await using stand = await Stand.open(display);
        const log = join(stand.folder, "pressed");
        const pressed = () => readFileSync(log, "utf8").trim().split("\n").slice(1);
        await stand.do("launch", { app: "/usr/bin/python3", args: [FIXTURE, version, log] });
        await stand.do("wait", { target: 'button "Show"' }, APP);
        const refused = (target: string, cover: string) =>
          assert.rejects(stand.do("click", { target }, APP, 800), {
            code: "not_actionable",
            message: new RegExp(`is covered by \\w+ "${cover}"`),
          });
        for (const [button, cover] of COVERED) await refused(`button "${button}"`, cover);
        await refused('cell "cell 00"', "over the table");
        assert.deepEqual(pressed(), []);
        for (const button of ["Above", "On the sheet", "Late", "Show"]) {
          await stand.click(`button "${button}"`, APP);
        }
        await refused('button "Late"', "late");
        await stand.click('cell "cell 11"', APP);
        const buttons = ["button Above", "button On the sheet", "button Late", "button Show"];
        assert.deepEqual(pressed(), [...buttons, "cell 11"]);
      },
    });
  }
}
