// A text that another one takes the place of all the time. No reading may be a mixture of the two: only what the program shows.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { Stand } from "./_dialogs.ts";
import { Holder, KITS } from "./_held.ts";
import { isInstalled } from "./_installed.ts";
import { PageServer } from "./_page.ts";

const FOLDER = fileURLToPath(new URL("fixtures/changing", import.meta.url));
const HOST = fileURLToPath(new URL("fixtures/webkit/host.py", import.meta.url));
/** As the fixtures have them. */
const TEXTS = ["Food", "Meals and drinks"];
/** So often each element is read: of every six readings one was a mixture. */
const LOOKS = 100;
const FIELD = 'textfield "Item"';
const Value = z.looseObject({ value: z.string() });

/** All that the text of an element was read as. */
async function readings(stand: Stand, target: string, app: string): Promise<string[]> {
  const seen = new Set<string>();
  for (let k = 0; k < LOOKS; k++) {
    seen.add(Value.parse(await stand.do("value", { target }, app)).value);
  }
  return [...seen].sort();
}

for (const name of ["GTK 3", "GTK 4", "Qt 5", "Qt 6"] as const) {
  const kit = KITS[name];
  Deno.test({
    name: `a text that changes all the time is read as it is before or after, ${name}`,
    ignore: kit.ignore,
    async fn() {
      await using held = await Holder.start<string[]>("changing", kit, FIELD);
      assert.deepEqual(await held.held(), TEXTS);
      for (const target of name === "GTK 3" ? [FIELD, "cell:nth(1)"] : [FIELD]) {
        assert.deepEqual(await readings(held.stand, target, held.app), TEXTS, target);
      }
    },
  });
}

Deno.test({
  name: "a text that changes all the time is read as it is before or after, Chromium",
  ignore: !isInstalled("/usr/bin/chromium"),
  async fn() {
    const page = await PageServer.open(FOLDER);
    await using stand = await Stand.open();
    try {
      await stand.do("launch", { app: "chromium", args: [page.url("page.html")] });
      await stand.do("wait", { target: FIELD, timeout: 20_000 }, "chromium", 25_000);
      assert.deepEqual(await readings(stand, FIELD, "chromium"), TEXTS);
    } finally {
      await page.close();
    }
  },
});

Deno.test({
  name: "a text that changes all the time is read as it is before or after, WebKitGTK",
  ignore: !isInstalled("/usr/lib/x86_64-linux-gnu/girepository-1.0/WebKit2-4.1.typelib"),
  async fn() {
    await using stand = await Stand.open();
    const args = [HOST, `${FOLDER}/page.html`, `${stand.folder}/account`];
    await stand.do("launch", { app: "/usr/bin/python3", args });
    await stand.do("wait", { target: FIELD }, "host.py");
    assert.deepEqual(await readings(stand, FIELD, "host.py"), TEXTS);
  },
});
