import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Deadline } from "../src/base/call.ts";
import { chooseNamed } from "../src/desktop/actions/choose.ts";
import { untilDeadline } from "../src/desktop/actions/read-back.ts";
import { Locator } from "../src/desktop/locator/mod.ts";
import { openNative } from "../src/session/open-native.ts";
import { ROOT } from "./cli/program.ts";

const PATIENCE = 20_000;

Deno.test("Qt 5: while a list is opening no key goes to its closed box, which would show something else", async () => {
  const session = await openNative({ kind: "isolated" });
  const { desktop } = session;
  const child = spawn("/usr/bin/python3", [join(ROOT, "tests/fixtures/choose/late_list.py")], {
    env: session.environment,
    stdio: "ignore",
  });
  const finished = once(child, "exit");
  const title = async () => (await desktop.windows()).find(({ pid }) => pid === child.pid)?.title;
  const shows = async (wanted: string) => {
    const { last } = await untilDeadline(desktop, title, (now) => now === wanted, Deadline.after(PATIENCE));
    assert.equal(last, wanted);
  };
  try {
    await shows("First");
    const { last: application } = await untilDeadline(
      desktop,
      async () => (await desktop.applications()).find(({ pid }) => pid === child.pid),
      (found) => found !== undefined,
      Deadline.after(PATIENCE),
    );
    assert.ok(application, "it can be asked");
    const box = new Locator(desktop, { application, selector: "combobox" });
    const { element } = await box.resolve({ state: "enabled", timeout: PATIENCE });
    const done = await chooseNamed(desktop, element, "Third", Deadline.after(PATIENCE));
    assert.deepEqual([done.method, done.verified], ["XTEST keys", true]);
    await shows("First, Third");
  } finally {
    child.kill("SIGKILL");
    await finished;
    await session.close();
  }
});
