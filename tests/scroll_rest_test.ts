import assert from "node:assert/strict";
import { join } from "node:path";
import { Deadline } from "../src/base/call.ts";
import { untilDeadline } from "../src/desktop/actions/read-back.ts";
import { scrollBy } from "../src/desktop/actions/scroll.ts";
import { Locator } from "../src/desktop/locator/mod.ts";
import { type NativeSession, openNative } from "../src/session/open-native.ts";
import { isInstalled } from "./_installed.ts";
import { ROOT } from "./cli/program.ts";

const TITLE = /(at rest|moving): plain (\d+), animated (\d+), since (\d+)/;

Deno.test({
  name: "Chromium: what is scrolled has come to rest when the act ends, where the page animates it too",
  ignore: !isInstalled("/usr/bin/chromium"),
  fn: async () => {
    const session = await openNative({ kind: "isolated" });
    try {
      await scrolls(session);
    } finally {
      await session.close();
    }
  },
});

async function scrolls({ desktop, launcher }: NativeSession): Promise<void> {
  const page = join(ROOT, "tests/fixtures/scrolling/page.html");
  const { processId } = await launcher.launch("chromium", { args: [page] });
  const application = (await desktop.applications()).find(({ pid }) => pid === processId);
  assert.ok(application);
  assert.equal(desktop.scrollsAtOnce?.(application), true, "it was started so");
  const account = async () => {
    const titles = (await desktop.windows()).map(({ title }) => TITLE.exec(title));
    const [, rest, plain, animated, since] = titles.find((title) => title !== null) ?? [];
    return { rest, plain: Number(plain), animated: Number(animated), since: Number(since) };
  };
  const { held: drawn } = await untilDeadline(
    desktop,
    account,
    ({ rest }) => rest === "at rest",
    Deadline.after(20_000),
  );
  assert.ok(drawn, "the page is drawn");
  for (const [name, where] of [["Plain", "plain"], ["Animated", "animated"]] as const) {
    for (const direction of ["down", "down", "up"] as const) {
      const locator = new Locator(desktop, { application, selector: `landmark[name="${name}"]` });
      const { element } = await locator.resolve({ timeout: 20_000, source: "application" });
      const before = await account();
      const { moved } = await scrollBy(desktop, element, direction, 120, Deadline.after(20_000));
      const finished = Date.now();
      const by = direction === "down" ? 120 : -120;
      // Its window says so a moment after the page did it.
      const { held, last } = await untilDeadline(
        desktop,
        account,
        (now) => now.rest === "at rest" && now[where] === before[where] + by,
        Deadline.after(5_000),
      );
      assert.deepEqual(
        [moved, held],
        [true, true],
        `${name} ${direction}: ${JSON.stringify([before, last])}`,
      );
      assert.ok(
        last.since <= finished,
        `${name} ${direction}: it moved ${last.since - finished} ms after the act`,
      );
    }
  }
}
