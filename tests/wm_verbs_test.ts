import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { catalogue } from "../src/catalogue.ts";
import { simulate } from "../src/desktop/simulated/simulate.ts";
import { runWorkflow } from "../src/engine/run/run.ts";
import { SimulatedLauncher } from "../src/session/simulated-launcher.ts";
import type { Session } from "../src/session/session.ts";
import { canStart, withDesk, type WmDesk } from "../src/wm/_desks.ts";
import { Deadline, pause } from "../src/base/call.ts";
import { managedBy, readUntil } from "../src/wm/managed.ts";
import { parseWorkflow } from "../src/workflow/parse.ts";

/** Applications in memory, and a real window manager with windows of its own. */
function sessionOn({ wm }: WmDesk): Session {
  const desktop = simulate({ applications: ["sim.settings"] });
  return {
    kind: "simulated",
    label: "simulated, with a real window manager",
    desktop,
    launcher: new SimulatedLauncher(desktop),
    home: undefined,
    id: undefined,
    windowManager: () => Promise.resolve(wm),
    close: () => desktop.close(),
  };
}

async function run(desk: WmDesk, steps: string) {
  const state = mkdtempSync(join(tmpdir(), "backstep-wm-"));
  const session = sessionOn(desk);
  try {
    const text = `name: Windows\nsteps:\n${steps}`;
    return await runWorkflow(parseWorkflow(text, { file: "windows.yaml", operations: catalogue }), {
      operations: catalogue,
      session,
      vars: {},
      surroundings: { env: () => undefined, secret: () => undefined },
      folder: state,
      state,
    });
  } finally {
    await session.close();
    rmSync(state, { recursive: true });
  }
}

/** Steps in a transaction whose last one fails. */
const failing = (steps: readonly string[]) =>
  [
    "  - transaction:",
    "      name: all",
    "      steps:",
    ...[...steps, "assert: { target: 'button[name=Nobody]', count: 9, timeout: 50ms }"].map((one) =>
      `        - ${one}`
    ),
  ].join("\n");

for (const kind of ["i3", "sway"] as const) {
  Deno.test({
    name: `real ${kind}: what a transaction that fails did to windows and workspaces is undone`,
    ignore: !canStart(kind),
    async fn(t) {
      await withDesk(kind, async (desk) => {
        await desk.does("workspace 1");
        const a = await desk.open("A"), b = await desk.open("B");
        const look = async () => ({
          a: await desk.says("A"),
          b: await desk.says("B"),
          shown: await desk.shows(),
        });
        // A window that opens beside another narrows it, once its client has drawn.
        const wide = async () => (await desk.wm.windows()).map(({ rect }) => rect?.width);
        await readUntil(managedBy(desk.wm), wide, ([x, y]) => x === y, Deadline.after(20_000), 10_000);
        // Its title bar comes later still.
        let last: unknown;
        let before = await look();
        while (!isDeepStrictEqual(last, before)) {
          last = before;
          await pause(500);
          before = await look();
        }
        assert.deepEqual([before.b?.focused, before.a?.workspace], [true, "1"]);
        const undone: Record<string, readonly string[]> = {
          "the focus": ["window: { do: activate, title: A }"],
          "a place": ["window: { do: place, title: A, x: 130, y: 140, width: 420, height: 310 }"],
          "a workspace": ["workspace: { name: mail, create: true }"],
          "a window that was moved to a workspace": [
            `window: { do: move-to-workspace, id: ${a.id}, workspace: mail, create: true }`,
          ],
          "the window with the focus, too": [
            `window: { do: move-to-workspace, id: ${b.id}, workspace: mail, create: true }`,
          ],
          "all of it, one after the other": [
            "window: { do: move-to-workspace, title: A, workspace: mail, create: true }",
            "workspace: mail",
            "window: { do: activate, title: A }",
            "window: { do: place, title: A, x: 200, y: 150, width: 400, height: 300 }",
            "workspace: '1'",
            "window: { do: place, title: B, x: 100, y: 150 }",
          ],
        };
        for (const [what, steps] of Object.entries(undone)) {
          await t.step(what, async () => {
            const result = await run(desk, failing(steps));
            assert.equal(result.status, "failed");
            const { rollback } = result;
            assert.equal(rollback.verdict, "restored", JSON.stringify(rollback));
            const done = result.steps.filter((one) => one.status === "passed");
            assert.equal(done.length >= steps.length, true, JSON.stringify(result.steps));
            assert.deepEqual(await look(), before);
          });
        }

        await t.step("without a failure it stays", async () => {
          const result = await run(
            desk,
            "  - window: { do: move-to-workspace, title: A, workspace: mail, create: true }\n  - workspace: mail\n",
          );
          assert.equal(result.status, "passed", JSON.stringify(result));
          assert.deepEqual([(await desk.says("A"))?.workspace, await desk.shows()], ["mail", "mail"]);
        });

        await t.step("to close a window is refused in a transaction, and done outside of one", async () => {
          const refused = await run(desk, failing(["window: { do: close, title: B }"]));
          assert.match(JSON.stringify(refused.steps), /"barrier"/);
          assert.ok(await desk.says("B"));
          const result = await run(desk, "  - window: { do: close, title: B }\n");
          assert.equal(result.status, "passed", JSON.stringify(result));
          assert.equal(await desk.says("B"), undefined);
        });
      });
    },
  });
}
