import assert from "node:assert/strict";
import { Deadline } from "../src/base/call.ts";
import { untilDeadline } from "../src/desktop/actions/read-back.ts";
import { scrollBy } from "../src/desktop/actions/scroll.ts";
import { Locator } from "../src/desktop/locator/mod.ts";
import { onScrollingPage } from "./_scrolling.ts";

const CLAIM = "Chromium: what is scrolled has come to rest when the act ends, where the page animates it too";

onScrollingPage(CLAIM, async ({ session: { desktop }, application, account }) => {
  assert.equal(desktop.scrollsAtOnce?.(application), true, "it was started so");
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
});
