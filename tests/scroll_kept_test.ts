import assert from "node:assert/strict";
import { join } from "node:path";
import { z } from "zod";
import { Deadline } from "../src/base/call.ts";
import { catalogue } from "../src/catalogue.ts";
import { Gate, OPEN_PORTS } from "../src/contract/gate.ts";
import { untilDeadline } from "../src/desktop/actions/read-back.ts";
import { type NativeSession, openNative } from "../src/session/open-native.ts";
import { isInstalled } from "./_installed.ts";
import { noting } from "./_noting.ts";
import { ROOT } from "./cli/program.ts";

const TITLE = /at rest: plain (\d+), animated (\d+)/;
const Scrolled = z.looseObject({ moved: z.boolean() });

Deno.test({
  name: "Chromium: what scrolls is found by its places alone, and no tree is read for it",
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

async function scrolls(session: NativeSession): Promise<void> {
  const { desktop } = session;
  await session.launcher.launch("chromium", { args: [join(ROOT, "tests/fixtures/scrolling/page.html")] });
  const account = async () => {
    const titles = (await desktop.windows()).map(({ title }) => TITLE.exec(title));
    const [, plain, animated] = titles.find((title) => title !== null) ?? [];
    return plain === undefined ? undefined : { plain: Number(plain), animated: Number(animated) };
  };
  const patience = Deadline.after(20_000);
  assert.ok(
    (await untilDeadline(desktop, account, (now) => now !== undefined, patience)).held,
    "it is drawn",
  );
  const whole: string[] = [];
  const { kind, label, launcher, home, id } = session;
  const gate = new Gate({
    operations: catalogue,
    session: {
      kind,
      label,
      desktop: noting(desktop, whole),
      launcher,
      home,
      id,
      close: () => session.close(),
    },
    folder: ROOT,
    ports: OPEN_PORTS,
  });
  // What is kept of it has to come first.
  await gate.dispatch({ operation: "find", input: { target: 'landmark[name="Plain"]' } });
  const cases = [
    { target: 'landmark[name="Plain"]', by: 120, plain: 120, animated: 0 },
    { target: 'landmark[name="Plain"]', by: 120, plain: 240, animated: 0 },
    // What lies in a region, and does not scroll, is scrolled by the region.
    { target: 'landmark[name="Animated"] paragraph:nth(2)', by: 120, plain: 240, animated: 120 },
  ];
  for (const { target, by, ...expected } of cases) {
    whole.length = 0;
    const { output } = await gate.dispatch({
      operation: "scroll",
      input: { target, direction: "down", amount: by },
    });
    assert.equal(Scrolled.parse(output).moved, true, target);
    const is = (now: typeof expected | undefined) =>
      now?.plain === expected.plain && now.animated === expected.animated;
    const { last } = await untilDeadline(desktop, account, is, Deadline.after(5_000));
    assert.deepEqual([last, whole], [expected, []], target);
  }
}
