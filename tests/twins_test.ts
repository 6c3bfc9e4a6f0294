// What has the name of another element comes to show beside it. Judged by which of them the application says was pressed.
import assert from "node:assert/strict";
import { Holder, KITS } from "./_held.ts";
import { isInstalled } from "./_installed.ts";

type Held = Readonly<Record<"first" | "second" | "show", number>>;
type Twins = Holder<Held>;

const looks = {
  "a click is ambiguous": ({ stand, app }: Twins) =>
    assert.rejects(stand.click('button "Go"', app), { code: "ambiguous" }),
  "an assertion counts it": ({ stand, app }: Twins) =>
    assert.rejects(stand.do("assert", { target: 'button "Go"', count: 1, timeout: 0 }, app), {
      code: "assertion",
      message: /count is 2, expected 1/,
    }),
};

for (const name of ["GTK 3", "GTK 4"] as const) {
  for (const display of ["x11", "wayland"] as const) {
    // Each on a program of its own: a look may show what the next one would have missed.
    for (const [what, look] of Object.entries(looks)) {
      Deno.test({
        name: `of what came to show beside an element of its name: ${what}, ${name} on ${display}`,
        ignore: KITS[name].ignore || display === "wayland" && !isInstalled("/usr/bin/sway"),
        async fn() {
          await using twins = await Holder.start<Held>("twins", KITS[name], 'button "Show"', display);
          await twins.stand.click('button "Go"', twins.app);
          await twins.stand.click('button "Show"', twins.app);
          await twins.held(({ show }) => show === 1);
          await look(twins);
          assert.deepEqual(await twins.held(), { first: 1, second: 0, show: 1 });
        },
      });
    }
  }
}
