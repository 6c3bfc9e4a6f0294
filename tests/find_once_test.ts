import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { z } from "zod";
import { Deadline } from "../src/base/call.ts";
import { catalogue } from "../src/catalogue.ts";
import { Gate, OPEN_PORTS } from "../src/contract/gate.ts";
import { untilDeadline } from "../src/desktop/actions/read-back.ts";
import { openNative } from "../src/session/open-native.ts";
import { noting } from "./_noting.ts";
import { ROOT } from "./cli/program.ts";

const PATIENCE = 20_000;
const Found = z.looseObject({ found: z.boolean(), count: z.int() });

/** A program, what is found in it, and how often it is read as a whole for that, the first time and the next. */
interface Case {
  readonly name: string;
  readonly args: readonly [file: string, ...more: string[]];
  readonly target: string;
  readonly reads: readonly [first: number, next: number];
}

const CASES: readonly Case[] = [
  { name: "GTK 3", args: ["focus/gtk3.py"], target: 'textfield[name="Field"]', reads: [1, 0] },
  // Each element of Qt is asked again, which is no reading of the whole.
  { name: "Qt 5", args: ["moving/qt.py", "5"], target: 'button[name="Target"]', reads: [1, 0] },
];

async function run({ args: [file, ...more], target, reads }: Case): Promise<void> {
  const session = await openNative({ kind: "isolated" });
  const { desktop } = session;
  const child = spawn("/usr/bin/python3", [join(ROOT, "tests/fixtures", file), ...more], {
    env: session.environment,
    stdio: "ignore",
  });
  const finished = once(child, "exit");
  try {
    const { last } = await untilDeadline(
      desktop,
      async () =>
        (await desktop.windows()).some(({ pid }) => pid === child.pid) &&
        (await desktop.applications()).some(({ pid }) => pid === child.pid),
      (shows) => shows,
      Deadline.after(PATIENCE),
    );
    assert.ok(last, "its window shows");
    const whole: string[] = [];
    const gate = new Gate({
      operations: catalogue,
      session: {
        kind: session.kind,
        label: session.label,
        desktop: noting(desktop, whole),
        launcher: session.launcher,
        home: session.home,
        id: session.id,
        close: () => session.close(),
      },
      folder: ROOT,
      ports: OPEN_PORTS,
    });
    for (const read of reads) {
      const { output } = await gate.dispatch({ operation: "find", input: { target } });
      const { found, count } = Found.parse(output);
      assert.deepEqual([found, count, whole.splice(0).length], [true, 1, read]);
    }
  } finally {
    child.kill("SIGKILL");
    await finished;
    await session.close();
  }
}

Deno.test("find reads an application that is not kept once for a hit, and one that is kept not at all", async (t) => {
  for (const one of CASES) await t.step(one.name, () => run(one));
});
