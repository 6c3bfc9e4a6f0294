import assert from "node:assert/strict";
import { z } from "zod";
import { Deadline } from "../src/base/call.ts";
import { catalogue } from "../src/catalogue.ts";
import { Gate, OPEN_PORTS } from "../src/contract/gate.ts";
import { untilDeadline } from "../src/desktop/actions/read-back.ts";
import { noting } from "./_noting.ts";
import { onScrollingPage } from "./_scrolling.ts";
import { ROOT } from "./cli/program.ts";

const CLAIM = "Chromium: what scrolls is found by its places alone, and no tree is read for it";
const Scrolled = z.looseObject({ moved: z.boolean() });

onScrollingPage(CLAIM, async ({ session, account }) => {
  const { kind, label, desktop, launcher, home, id } = session;
  const whole: string[] = [];
  const seen = { kind, label, desktop: noting(desktop, whole), launcher, home, id };
  const gate = new Gate({
    operations: catalogue,
    session: { ...seen, close: () => session.close() },
    folder: ROOT,
    ports: OPEN_PORTS,
  });
  // What is kept of it has to come first.
  await gate.dispatch({ operation: "find", input: { target: 'landmark[name="Plain"]' } });
  const cases = [
    { target: 'landmark[name="Plain"]', plain: 120, animated: 0 },
    { target: 'landmark[name="Plain"]', plain: 240, animated: 0 },
    // What lies in a region, and does not scroll, is scrolled by the region.
    { target: 'landmark[name="Animated"] paragraph:nth(2)', plain: 240, animated: 120 },
  ];
  for (const { target, ...expected } of cases) {
    whole.length = 0;
    const { output } = await gate.dispatch({
      operation: "scroll",
      input: { target, direction: "down", amount: 120 },
    });
    assert.equal(Scrolled.parse(output).moved, true, target);
    // Its window says so a moment after the page did it.
    const { last: { plain, animated } } = await untilDeadline(
      desktop,
      account,
      (now) => now.rest === "at rest" && now.plain === expected.plain && now.animated === expected.animated,
      Deadline.after(5_000),
    );
    assert.deepEqual([{ plain, animated }, whole], [expected, []], target);
  }
});
