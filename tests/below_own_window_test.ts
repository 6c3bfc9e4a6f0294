/** A window below another one of its application is brought to the front before anything is pressed in it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Deadline } from "../src/base/call.ts";
import { clickOn } from "../src/desktop/actions/point.ts";
import { watchUntil } from "../src/desktop/actions/read-back.ts";
import type { Desktop } from "../src/desktop/desktop.ts";
import { match } from "../src/desktop/selector/match.ts";
import { parseSelector } from "../src/desktop/selector/parse.ts";
import { Stand } from "./_dialogs.ts";
import { KITS } from "./_held.ts";
import { fixture } from "./_toolkits.ts";

const app = "below.py";

/** Starts it; answers where it writes what is pressed. Its windows stand in this order, from the bottom to the top. */
async function launched(stand: Stand, how: "modal" | "free", windows: string): Promise<string> {
  const log = join(stand.folder, "pressed");
  await stand.do("launch", { app: "/usr/bin/python3", args: [fixture("late/below.py"), log, how] });
  const { desktop } = stand.session, deadline = Deadline.after(5_000);
  const titles = async () => (await desktop.windows(deadline.call())).map(({ title }) => title).join(" ");
  const { last } = await watchUntil(desktop, titles, (now) => now === windows, deadline);
  assert.equal(last, windows, "from the bottom to the top");
  return log;
}

/** What is written, once something is: the application hears of a press after it was sent. */
async function written({ session: { desktop } }: Stand, log: string): Promise<string> {
  const read = () => Promise.resolve(readFileSync(log, "utf8"));
  return (await watchUntil(desktop, read, (now) => now !== "", Deadline.after(5_000))).last;
}

async function buttonOf(desktop: Desktop, name: string) {
  const application = (await desktop.applications()).find((one) => one.name === app);
  assert.ok(application);
  const snapshot = await desktop.snapshot(application);
  const [row = -1] = match(parseSelector(`button[name="${name}"]`), snapshot);
  return snapshot.element(row);
}

Deno.test({
  name: "a button of a modal dialog that the main window covers is pressed, GTK 3",
  ignore: KITS["GTK 3"].ignore,
  async fn() {
    await using stand = await Stand.open();
    const log = await launched(stand, "modal", "Welcome Main");
    await stand.do("click", { target: 'button "OK"' }, app);
    assert.equal(await written(stand, log), "dialog\n");
  },
});

Deno.test({
  name:
    "a press that nobody waits to be free, as in a rollback, does not go to the window that covers it, GTK 3",
  ignore: KITS["GTK 3"].ignore,
  async fn() {
    await using stand = await Stand.open();
    const log = await launched(stand, "free", "Main Welcome");
    const { desktop } = stand.session;
    await clickOn(desktop, await buttonOf(desktop, "Below"), Deadline.after(5_000));
    assert.equal(await written(stand, log), "main\n");
  },
});
