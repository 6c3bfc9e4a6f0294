// Pages of WebKitGTK in windows of GTK 3. Judged by what the page and the window write down themselves.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Deadline, pause } from "../src/base/call.ts";
import { failing, Stand } from "./_dialogs.ts";
import { isInstalled } from "./_installed.ts";

const fixture = (name: string) => fileURLToPath(new URL(`fixtures/webkit/${name}`, import.meta.url));
const TYPELIB = "/usr/lib/x86_64-linux-gnu/girepository-1.0/WebKit2-4.1.typelib";
const APP = "host.py";

async function hostOf(stand: Stand) {
  const host = (await stand.session.desktop.applications()).find(({ name }) => name === APP);
  assert.ok(host);
  return host;
}

for (const display of ["x11", "wayland"] as const) {
  Deno.test({
    name: `a page of WebKitGTK and the window around it are one application, on ${display}`,
    ignore: !isInstalled(TYPELIB),
    async fn(t) {
      await using stand = await Stand.open(display);
      const log = join(stand.folder, "account");
      const args = [fixture("host.py"), fixture("page.html"), log];
      await stand.do("launch", { app: "/usr/bin/python3", args });
      await stand.do("wait", { target: 'heading "One"' }, APP);
      const account = () => readFileSync(log, "utf8").replaceAll("CONSOLE LOG ", "").trim().split("\n");
      let seen = 0;
      /** What was written since, up to a line that is waited for: the page's own process passes on what it says. */
      const news = async (last: string) => {
        const deadline = Deadline.after(5_000);
        while (!account().slice(seen).includes(last)) {
          if (deadline.passed) assert.fail(`no ${last} in ${JSON.stringify(account().slice(seen))}`);
          await pause(20);
        }
        const lines = account().slice(seen);
        seen += lines.length;
        return lines;
      };
      const set = (target: string, value: string | boolean) => stand.do("set", { target, value }, APP);
      await news("ready");

      await t.step("what is typed goes to the page, whatever has the keyboard beside it", async () => {
        await set('[id="name"]', "Bob");
        // The page goes on saying that its field has the focus.
        await stand.do("focus", { target: 'checkbox "Own box"' }, APP);
        await set('[id="name"]', "Ada L.");
        const lines = await news('name "Ada L."');
        // A space that arrives at the box would have checked it.
        assert.deepEqual(lines.filter((line) => line.startsWith("own")), []);
        await stand.do("type", { into: '[id="notes"]', text: "," }, APP);
        await stand.do("focus", { target: 'textfield "Address"' }, APP);
        await stand.do("type", { into: '[id="notes"]', text: " two" }, APP);
        await news('notes "one, two"');
      });

      await t.step("a transaction over both is rolled back", async () => {
        const { error, rollback } = await stand.run(
          failing(
            APP,
            `set: { target: 'checkbox "Own box"', value: true }`,
            `set: { target: '[id="name"]', value: Grace }`,
            `set: { target: '[id="notes"]', value: "three\\nfour" }`,
            `set: { target: '[id="colour"]', value: Blue }`,
            `set: { target: 'textfield "Address"', value: here }`,
          ),
        );
        assert.match(error?.message ?? "", /nothing says this/);
        assert.equal(rollback.verdict, "restored", JSON.stringify(rollback));
        // The first step is the last that is restored. What was typed comes letter by letter: the last of each counts.
        const lines = await news("own box False");
        const last = new Map(lines.map((line) => [line.split(" ")[0], line]));
        assert.deepEqual([...last.values()].toSorted(), [
          "colour Red",
          'name "Ada L."',
          'notes "one, two"',
          "own box False",
        ]);
      });

      await t.step("a field that is called after its value is the same one afterwards", async () => {
        await set('textfield[name^="Sort"]', "down");
        await news('sort "down"');
        await set('textfield "Sort down"', "up");
        await news('sort "up"');
      });

      await t.step("what is out of view and in a frame is reached", async () => {
        await stand.click('[id="deep"]', APP);
        await news("deep");
        await stand.click('button "Framed"', APP);
        await news("framed");
      });

      await t.step("another page is found where the first one was", async () => {
        await stand.click('[id="two"]', APP);
        await stand.do("wait", { target: 'heading "Two"' }, APP);
        await news("two");
        await stand.click('link "Back to one"', APP);
        await stand.do("wait", { target: 'heading "One"' }, APP);
      });

      await t.step("when the process of the page ends, the window goes on", async () => {
        const { pid } = await hostOf(stand);
        execFileSync("pkill", ["-9", "-P", `${pid}`, "WebKitWebProces"]);
        await stand.do("wait", { target: 'heading "One"', for: "gone" }, APP);
        await set('checkbox "Own box"', true);
        await news("own box True");
      });
    },
  });
}

Deno.test({
  name: "a page of WebKitGTK in which menus come and go is read, and goes on",
  ignore: !isInstalled(TYPELIB),
  async fn() {
    await using stand = await Stand.open("x11");
    const log = join(stand.folder, "account");
    await stand.do("launch", {
      app: "/usr/bin/python3",
      args: [fixture("host.py"), fixture("restless.html"), log],
    });
    await stand.do("wait", { target: 'button "Stay"' }, APP);
    // Asked for all that its cache holds (Cache.GetItems), the page's process ends within a few of these.
    for (let i = 0; i < 16; i++) await stand.session.desktop.snapshot(await hostOf(stand));
    await stand.click('button "Stay"', APP);
    const deadline = Deadline.after(5_000);
    while (!readFileSync(log, "utf8").includes("stayed")) {
      if (deadline.passed) assert.fail(`the page says only ${JSON.stringify(readFileSync(log, "utf8"))}`);
      await pause(20);
    }
  },
});
