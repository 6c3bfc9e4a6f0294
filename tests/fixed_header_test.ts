/** A page with a header that stays where it is: how far it is scrolled is what it says itself. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { Deadline } from "../src/base/call.ts";
import { untilDeadline } from "../src/desktop/actions/read-back.ts";
import { failing, Stand } from "./_dialogs.ts";
import { isInstalled } from "./_installed.ts";

const PAGE = fileURLToPath(new URL("fixtures/beneath/page.html", import.meta.url));
const Scrolled = z.looseObject({ moved: z.boolean() });

Deno.test({
  name:
    "Chromium: a page with a header that stays where it is is scrolled by pixels, and scrolled back on rollback",
  ignore: !isInstalled("/usr/bin/chromium"),
  async fn() {
    await using stand = await Stand.open();
    const { desktop } = stand.session;
    await stand.do("launch", { app: "chromium", args: [PAGE] });
    await stand.do("wait", { target: 'button "Press 1"' }, "Chromium");
    const says = async (expected: number) => {
      const at = async () => {
        const titles = (await desktop.windows()).map(({ title }) => / at (\d+) \./.exec(title)?.[1]);
        return titles.find((one) => one !== undefined);
      };
      const there = (now: string | undefined) => now === String(expected);
      const { last } = await untilDeadline(desktop, at, there, Deadline.after(3_000));
      assert.equal(last, String(expected));
    };
    const target = 'button "Press 5"';
    const { moved } = Scrolled.parse(
      await stand.do("scroll", { target, direction: "down", amount: 300 }, "Chromium"),
    );
    assert.equal(moved, true);
    await says(300);
    const { rollback } = await stand.run(
      failing("Chromium", `scroll: { target: '${target}', direction: down, amount: 250 }`),
    );
    assert.deepEqual([rollback.verdict, rollback.steps.map(({ verdict }) => verdict)], ["restored", [
      "restored",
    ]]);
    await says(300);
  },
});
