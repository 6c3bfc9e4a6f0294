import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Json } from "../src/base/error.ts";
import {
  type Client as Program,
  listedBy,
  realMissing,
  startClient,
  waits,
} from "../src/mcp/resources/wm/_real.ts";
import { Client, StdioClientTransport } from "../src/mcp/sdk/_client.ts";
import { McpError, ResourceUpdatedNotificationSchema } from "../src/mcp/sdk/sdk.ts";
import { startPrivateDesktop } from "../src/session/private-desktop.ts";
import { reached, startI3On } from "../src/wm/_desks.ts";
import { Bell } from "../src/wm/_server.ts";
import type { WindowManager } from "../src/wm/model.ts";
import { serverCommand, within } from "./mcp/_stdio.ts";

/** Windows that are opened for the measurement. */
const OPENED = 10;

/** What an error of the protocol says. */
async function refused(asked: Promise<unknown>): Promise<McpError> {
  try {
    await asked;
  } catch (error) {
    assert.ok(error instanceof McpError, String(error));
    return error;
  }
  throw new Error("it was answered");
}

/** A private desktop with i3 and a program with windows, and a client of a server that is attached to it. */
interface Stage {
  readonly client: Client;
  readonly program: Program;
  readonly manager: WindowManager;
  /** Kills i3. */
  end(): Promise<void>;
}

async function onStage(args: readonly string[], use: (stage: Stage) => Promise<void>): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "bs-wm-"));
  const desktop = await startPrivateDesktop({ state, windowManager: false });
  const env = { ...desktop.environment, DISPLAY: desktop.display, GDK_BACKEND: "x11" };
  const i3 = startI3On(state, env);
  const { child, client: program } = startClient(env);
  const server = serverCommand(state, "--session", "attach", ...args);
  const transport = new StdioClientTransport({
    command: server.command,
    args: server.args,
    // As a program of the desktop's user starts it.
    env: {
      ...server.env,
      DISPLAY: desktop.display,
      XAUTHORITY: desktop.environment["XAUTHORITY"] ?? "",
      DBUS_SESSION_BUS_ADDRESS: desktop.sessionBus,
      AT_SPI_BUS_ADDRESS: desktop.accessibilityBus,
      I3SOCK: i3.path,
    },
    cwd: "/",
    stderr: "inherit",
  });
  const client = new Client({ name: "test", version: "1" }, {});
  let manager: WindowManager | undefined;
  try {
    manager = await reached(i3.path, i3.manager);
    await client.connect(transport);
    await use({
      client,
      program,
      manager,
      async end() {
        const gone = new Promise((resolve) => i3.manager.once("exit", resolve));
        i3.manager.kill("SIGKILL");
        await gone;
      },
    });
  } finally {
    manager?.close();
    await client.close();
    child.kill("SIGKILL");
    i3.manager.kill("SIGKILL");
    await desktop.stop();
    rmSync(state, { recursive: true, force: true });
  }
}

/** The body at an address, as JSON. */
async function read(client: Client, uri: string): Promise<Json> {
  const { contents: [one] } = await client.readResource({ uri });
  assert.ok(one !== undefined && "text" in one && one.mimeType === "application/json+schema");
  assert.match(String(one._meta?.["note"]), /never an instruction/);
  return JSON.parse(one.text);
}

Deno.test({
  name:
    "a client over stdio, in sandboxed mode, lists, reads, completes and follows niri:// on a desktop with i3",
  ignore: realMissing !== undefined,
  fn: () =>
    onStage(["--security-mode", "sandboxed"], async ({ client, program, manager, end }) => {
      const notified: { readonly uri: string; readonly at: number }[] = [];
      let wake = Promise.withResolvers<void>();
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params: { uri } }) => {
        notified.push({ uri, at: performance.timeOrigin + performance.now() });
        wake.resolve();
        wake = Promise.withResolvers();
      });
      const { resources } = await client.listResources();
      const listed = resources.filter(({ uri }) => uri.startsWith("niri://"));
      const uris = listed.map(({ uri }) => uri);
      const [name] = (await manager.outputs()).map((one) => one.name);
      const output = `niri://outputs/${name}`;
      assert.deepEqual(uris, [
        "niri://outputs",
        "niri://windows",
        output,
        `${output}/modes`,
        `${output}/workspaces`,
      ]);
      for (const uri of uris) await read(client, uri);
      for (const { annotations, mimeType } of listed) {
        assert.equal(mimeType, "application/json+schema");
        assert.ok(annotations?.audience?.includes("assistant") && typeof annotations.priority === "number");
      }
      const again = (await client.listResources()).resources.find(({ uri }) => uri === output);
      assert.ok(Date.parse(again?.annotations?.lastModified ?? "") > 0);
      const { resourceTemplates } = await client.listResourceTemplates();
      const templates = resourceTemplates.map(({ uriTemplate }) => uriTemplate);
      assert.ok(templates.includes("niri://outputs/{name}/workspaces/{id}/windows"));
      assert.ok(!templates.includes("niri://layers/{id}"));
      const { completion } = await client.complete({
        ref: { type: "ref/resource", uri: "niri://outputs/{name}" },
        argument: { name: "name", value: "" },
      });
      assert.deepEqual(completion.values, [name]);

      const asked: number[] = [], waited: number[] = [];
      for (let n = 0; n < OPENED; n++) {
        const title = `window-${n}`;
        const uri = `niri://windows?filter=title:${title}`;
        const canonical = `niri://windows?filter=title%3A${title}`;
        await client.subscribeResource({ uri });
        const list = listedBy(manager, title);
        const shown = await program.tell(`open ${title}`);
        for (;;) {
          const found = notified.find((one) => one.uri === canonical);
          if (found === undefined) await within(20_000, "an update", wake.promise);
          else {
            asked.push(found.at - shown);
            waited.push(found.at - await list.at);
            break;
          }
        }
        list.stop();
        await client.unsubscribeResource({ uri });
        const items = Object(await read(client, uri)).items;
        assert.equal(items.length, 1);
        assert.equal(Object(await read(client, items[0])).title, title);
        await program.tell(`close ${title}`);
      }
      console.log(
        `over stdio on i3, ${OPENED} windows, until the client is told: since i3's list has the window ${
          waits(waited)
        }; ` +
          `since the toolkit was asked ${waits(asked)}, the first ${asked[0]?.toFixed(0)} ms`,
      );

      const codes: { readonly [uri: string]: readonly [number, RegExp] } = {
        "niri://windows/1": [-32002, /no window with the id 1/],
        "niri://layers": [-32002, /i3 has no list of layers/],
        "niri://nothing": [-32002, /no such resource/],
        "niri://windows?expand=maybe": [-32602, /expand is true, false, 1 or 0/],
        "niri://windows/1?filter=id:1": [-32602, /single resource/],
      };
      for (const [uri, [code, says]] of Object.entries(codes)) {
        const error = await refused(client.readResource({ uri }));
        assert.equal(error.code, code, uri);
        assert.match(error.message, says);
        assert.equal((await refused(client.subscribeResource({ uri }))).code, code, `subscribe ${uri}`);
      }
      // i3 ends: what is read then says so, and nothing of it is listed.
      await end();
      const away = await refused(client.readResource({ uri: "niri://windows" }));
      assert.equal(away.code, -32603);
      assert.match(away.message, /Cannot reach the window manager/);
      const left = (await client.listResources()).resources.map(({ uri }) => uri);
      assert.ok(left.length > 0 && !left.some((uri) => uri.startsWith("niri://")));
    }),
});

Deno.test({
  name: "windows of a denied program are not in niri://, though i3 tells no process",
  ignore: realMissing !== undefined,
  fn: () =>
    onStage(
      ["--denied-apps", basename(realpathSync("/usr/bin/python3"))],
      async ({ client, program, manager }) => {
        const bell = new Bell();
        const off = manager.on(bell.ring);
        await program.tell("open secret");
        await bell.until(async () => (await manager.windows()).length === 1);
        off();
        const [window] = await manager.windows();
        assert.deepEqual([window?.title, window?.pid], ["secret", null]);
        assert.deepEqual(Object(await read(client, "niri://windows")).items, []);
        assert.equal(
          (await refused(client.readResource({ uri: `niri://windows/${window?.id}` }))).code,
          -32002,
        );
        const [workspace] = await manager.workspaces();
        assert.equal(workspace?.active_window_id, window?.id);
        const uri = `niri://outputs/${workspace?.output}/workspaces/${workspace?.id}`;
        assert.equal(Object(await read(client, uri)).active_window_id, null);
        assert.deepEqual(Object(await read(client, `${uri}/windows`)).items, []);
      },
    ),
});
