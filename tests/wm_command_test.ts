import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Deadline } from "../src/base/call.ts";
import { startPrivateDesktop } from "../src/session/private-desktop.ts";
import { answerOf, canStart, CLIENT, finished, leafIn, reached, startI3On } from "../src/wm/_desks.ts";
import { managedBy, readUntil } from "../src/wm/managed.ts";
import { commandIn } from "./_command.ts";

const NAMES = ["DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS", "XDG_RUNTIME_DIR"];

const FLOW = (last: string) =>
  `name: Sort the windows
session: attach
steps:
  - transaction:
      name: sort
      steps:
        - window: { do: move-to-workspace, app: Client, title: A, workspace: mail, create: true }
        - workspace: mail
        - window: { do: place, title: A, x: 150, y: 160, width: 400, height: 300 }
        - window: { do: activate, title: A }
${last}`;

Deno.test({
  name: "a workflow sorts the windows of a real i3, and one that fails leaves them as they were",
  ignore: !canStart("i3"),
  async fn(t) {
    const folder = mkdtempSync(join(tmpdir(), "backstep-i3-"));
    const children: ChildProcess[] = [];
    const desktop = await startPrivateDesktop({ state: folder, windowManager: false });
    try {
      const { path, manager } = startI3On(folder, desktop.environment, children);
      const wm = await reached(path, manager);
      children.push(...["A", "B"].map((title) =>
        spawn("/usr/bin/python3", ["-c", CLIENT, title], {
          env: { ...desktop.environment, GDK_BACKEND: "x11" },
          stdio: "ignore",
        })
      ));
      const titles = async () => (await wm.windows()).map(({ title }) => title).sort().join();
      const open = await readUntil(
        managedBy(wm),
        titles,
        (all) => all === "A,B",
        Deadline.after(60_000),
        30_000,
      );
      wm.close();
      assert.ok(open.held, open.last);
      await answerOf("i3", path, ['[title="^B$"] focus']);
      const environment = {
        ...Object.fromEntries(NAMES.map((name) => [name, desktop.environment[name] ?? ""])),
        I3SOCK: path,
        BACKSTEP_STATE: folder,
      };
      const look = async () => {
        const tree = JSON.parse(await answerOf("i3", path, ["-t", "get_tree"]));
        return { a: leafIn(tree, "A"), b: leafIn(tree, "B") };
      };
      const before = await look();
      const run = async (name: string, last: string) => {
        const file = join(folder, name);
        writeFileSync(file, FLOW(last));
        return await commandIn(environment, ["run", file, "--mode", "focus"]);
      };

      await t.step("one that fails", async () => {
        const { code, out, err } = await run(
          "fails.yaml",
          "        - window: { do: activate, title: Nobody }\n",
        );
        assert.equal(code, 1, out + err);
        assert.match(out, /restored/);
        assert.deepEqual(await look(), before);
      });

      await t.step("in the background nothing is shown, and the refusal says so", async () => {
        const { code, err } = await commandIn(environment, [
          "workspace",
          "mail",
          "--create",
          "--session",
          "attach",
        ]);
        assert.equal(code, 1);
        assert.match(err, /Cannot switch to another workspace in the background/);
        assert.deepEqual(await look(), before);
      });

      await t.step("one that passes", async () => {
        const { code, out, err } = await run("passes.yaml", "");
        assert.equal(code, 0, out + err);
        const { a } = await look();
        assert.deepEqual(a, {
          id: a?.id ?? 0,
          focused: true,
          floating: true,
          workspace: "mail",
          content: [150, 160, 400, 300],
        });
      });

      await t.step("each as a command", async () => {
        const on = ["--session", "attach", "--mode", "focus"];
        const shown = await commandIn(environment, ["workspace", "1", ...on]);
        assert.deepEqual([shown.code, shown.out], [0, 'switched to workspace "1" (i3 switch)\n'], shown.err);
        const id = String(before.a?.id);
        const moved = await commandIn(environment, [
          "window",
          "move-to-workspace",
          "--id",
          id,
          "--workspace",
          "1",
          "--format",
          "json",
          ...on,
        ]);
        assert.equal(moved.code, 0, moved.err);
        assert.equal(JSON.parse(moved.out).window.title, "A");
        assert.equal((await look()).a?.workspace, "1");
        const closed = await commandIn(environment, ["window", "close", "--title", "B", ...on]);
        assert.equal(closed.code, 0, closed.err);
        assert.equal((await look()).b, undefined);
        const gone = await commandIn(environment, ["window", "activate", "--title", "B", ...on]);
        assert.equal(gone.code, 1);
        assert.match(gone.err, /Cannot find a window called "B": 1 windows are there/);
      });
    } finally {
      for (const child of children.reverse()) await finished(child);
      await desktop.stop();
      rmSync(folder, { recursive: true });
    }
  },
});
