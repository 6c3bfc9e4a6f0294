// The menu button of GTK 4: a button in a button of the same name. Judged by the application's own account, or by the display's.
import assert from "node:assert/strict";
import { Deadline, pause } from "../src/base/call.ts";
import { Stand } from "./_dialogs.ts";
import { Holder, KITS } from "./_held.ts";
import { isInstalled } from "./_installed.ts";

interface Held {
  readonly Open: boolean;
  readonly Greeted: number;
}

const BUTTON = 'button[name="Main menu"]';

for (const display of ["x11", "wayland"] as const) {
  Deno.test({
    name: `a menu button of GTK 4, which is one in another of its name, opens its menu, on ${display}`,
    ignore: KITS["GTK 4"].ignore,
    async fn() {
      await using greeter = await Holder.start<Held>("menu-button", KITS["GTK 4"], BUTTON, display);
      const { stand, app } = greeter;
      for (let time = 1; time <= 3; time++) {
        await stand.click(BUTTON, app);
        assert.equal((await greeter.held(({ Open }) => Open)).Open, true, `time ${time}`);
        await stand.do("press", { keys: "Escape" }, app);
        assert.equal((await greeter.held(({ Open }) => !Open)).Open, false, `time ${time}`);
      }
      await stand.click(BUTTON, app);
      await stand.click('menuitem[name="Greet"]', app);
      const done: Held = { Open: false, Greeted: 1 };
      assert.deepEqual(await greeter.held(({ Open, Greeted }) => !Open && Greeted === 1), done);
    },
  });
}

Deno.test({
  name: "a menu of gnome-calculator opens where the pointer is since a key closed it a while before",
  ignore: !isInstalled("/usr/bin/gnome-calculator"),
  async fn() {
    const app = "gnome-calculator";
    await using stand = await Stand.open();
    await stand.do("launch", { app });
    const menu = "button button:visible:last";
    await stand.do("wait", { target: menu }, app);
    const { desktop } = stand.session;
    const popups = async () => (await desktop.windows({})).filter(({ popup }) => popup).length;
    const until = async (count: number, time: number) => {
      for (const deadline = Deadline.after(3_000); await popups() !== count;) {
        assert.ok(!deadline.passed, `time ${time}: ${await popups()} menus show, not ${count}`);
        await pause(20);
      }
    };
    // The pauses are what is tested: of presses that came at once hardly any was lost, of those that came later one in three.
    for (let time = 1; time <= 8; time++) {
      await stand.click(menu, app);
      await pause(300);
      await until(1, time);
      await stand.do("press", { keys: "Escape" }, app);
      await until(0, time);
      await pause(2_000);
    }
  },
});
