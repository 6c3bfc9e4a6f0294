// The combo row of libadwaita shows its choice in a list of one item, and has no button. Judged by what is in the settings file.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Deadline, pause } from "../src/base/call.ts";
import { Answer, failing, Stand } from "./_dialogs.ts";
import { isInstalled } from "./_installed.ts";

const APP = "gnome-calculator";
const INTERVAL = 'combobox[name="Exchange rate refresh interval"]';

for (const display of ["x11", "wayland"] as const) {
  Deno.test({
    name: `a combo row is set, and a rollback sets what it showed, gnome-calculator on ${display}`,
    ignore: !isInstalled("/usr/bin/gnome-calculator"),
    async fn() {
      await using stand = await Stand.open(display);
      await stand.do("launch", { app: APP, env: { GSETTINGS_BACKEND: "keyfile" } });
      /** Seconds between two updates of exchange rates, as the program has written them; undefined: as at first. */
      const interval = () => {
        const file = join(stand.session.home ?? "", ".config/glib-2.0/settings/keyfile");
        const text = existsSync(file) ? readFileSync(file, "utf8") : "";
        return /^refresh-interval=(.*)$/m.exec(text)?.[1];
      };
      const writes = async (wanted: string) => {
        for (const deadline = Deadline.after(3_000); interval() !== wanted && !deadline.passed;) {
          await pause(20);
        }
        assert.equal(interval(), wanted);
      };
      await stand.click("button button:visible:last", APP);
      await stand.click('menuitem[name="Preferences"]', APP);
      // Never is the first, which has the focus while another one is marked.
      for (
        const [value, seconds] of [["Daily", "86400"], ["Never", "0"], ["Weekly", "604800"], ["Never", "0"]]
      ) {
        const { method } = Answer.parse(await stand.do("set", { target: INTERVAL, value }, APP));
        assert.match(method, / keys$/);
        await writes(seconds ?? "");
        await stand.do("assert", { target: INTERVAL, value }, APP);
      }

      const { rollback, error } = await stand.run(failing(
        APP,
        `set: { target: '${INTERVAL}', value: Daily }`,
        `assert: { target: '${INTERVAL}', value: Daily }`,
      ));
      assert.match(error?.message ?? "", /nothing says this/);
      assert.equal(rollback.verdict, "restored", JSON.stringify(rollback));
      await writes("0");

      // A click on an item of the open list, which a click on the row would close.
      await stand.click(INTERVAL, APP);
      await stand.click('filler "GtkPopover" listitem:has(label "Daily")', APP);
      await writes("86400");
      await stand.do("set", { target: INTERVAL, value: "Never" }, APP);

      // What it does not offer closes its list alone, and not the dialog.
      await assert.rejects(stand.do("set", { target: INTERVAL, value: "Hourly" }, APP), {
        code: "not_found",
        hint: /"Never", "Daily", "Weekly"/,
      });
      await stand.do("assert", { target: INTERVAL, value: "Never" }, APP);
    },
  });
}
