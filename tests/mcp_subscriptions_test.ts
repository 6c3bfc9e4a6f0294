import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { Deadline, pause } from "../src/base/call.ts";
import { resources } from "../src/mcp/resources/all.ts";
import { liveResourcesOf } from "../src/mcp/resources/subscriptions/live-resources.ts";
import { clientOf, missingFor, startWindow, subscribed, type Toolkit } from "../src/mcp/resources/_stage.ts";
import type { TestClient } from "../src/mcp/resources/_client.ts";
import { REAL_TIMERS } from "../src/mcp/resources/subscriptions/timers.ts";
import { openSession } from "../src/session/open-session.ts";
import type { Session } from "../src/session/session.ts";

const TOOLKITS: readonly Toolkit[] = ["gtk3", "gtk4", "qt6"];
const missing = TOOLKITS.map(missingFor).find((one) => one !== undefined);
const provider = resources.find((one) => one.resources.some(({ uri }) => uri === "axterminator://apps"));

async function onDesktop(use: (session: Session, folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "bs-live-"));
  const session = await openSession({ kind: "isolated", state: folder });
  try {
    await use(session, folder);
  } finally {
    await session.close();
    rmSync(folder, { recursive: true });
  }
}

async function read(client: TestClient, uri: string): Promise<Record<string, unknown>> {
  const [contents] = await provider?.read(uri, client.call) ?? [];
  assert.ok(contents !== undefined && "text" in contents);
  return JSON.parse(contents.text);
}

async function happenings(client: TestClient, toolkit: string): Promise<Record<string, unknown>[]> {
  const { events } = await read(client, `axterminator://app/${toolkit}/events`);
  assert.ok(Array.isArray(events));
  return events;
}

/** Waits for what must come to be; the last error, where it does not. */
async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = Deadline.after(20_000);
  while (!await holds()) {
    if (deadline.passed) throw new Error(`it did not come to be: ${what}`);
    await pause(20);
  }
}

Deno.test({
  name: "GTK 3, GTK 4 and Qt windows: dialogs and titles are told to those who subscribed, and of 10 quiet " +
    "seconds nothing is",
  // PyGObject with both versions of GTK, and PyQt 6.
  ignore: missing !== undefined || provider === undefined,
  async fn() {
    await onDesktop(async (session, folder) => {
      assert.ok(provider);
      const windows = [];
      for (const toolkit of TOOLKITS) windows.push(await startWindow(session, folder, toolkit));
      const client = clientOf(session, windows);
      const views = ["events", "state", "tree", "window/0/tree"] as const;
      const followed = await Promise.all(windows.map(async (window) => ({
        ...window,
        listeners: await Promise.all(
          views.map((view) => subscribed(provider, client, `axterminator://app/${window.toolkit}/${view}`)),
        ),
      })));
      const listeners = followed.flatMap((one) => one.listeners);
      // Windows that have just come are still being told of.
      let before = -1;
      await until(async () => {
        const reported = listeners.reduce((sum, { times }) => sum + times.length, 0);
        const quiet = reported === before;
        before = reported;
        await pause(quiet ? 0 : 1_500);
        return quiet;
      }, "the windows come to rest");
      await pause(10_000);
      assert.equal(
        listeners.reduce((sum, { times }) => sum + times.length, 0),
        before,
        "nothing changed, nothing is told",
      );
      const warned = client.logged.filter(({ level }) => level === "warning");
      assert.equal(warned.length, listeners.length, "that it is quiet is warned of once for each");

      for (const { toolkit, tell, listeners: [events, state, tree, ofWindow] } of followed) {
        assert.ok(events && state && tree && ofWindow);
        // What a window did is told after it began; when it wrote that down, it may have been told already.
        const began = () => Date.now() - 1;
        let since = began();
        await tell("title Renamed");
        for (const listener of [events, state, tree, ofWindow]) await listener.after(since);
        const { windows: shown } = await read(client, `axterminator://app/${toolkit}/state`);
        assert.match(JSON.stringify(shown), /"title":"Renamed"/);

        since = began();
        await tell("dialog Really?");
        for (const listener of [events, state, tree]) await listener.after(since);
        await until(async () => {
          const dialog = (await happenings(client, toolkit)).find(({ type }) => type === "dialog_appeared");
          return dialog?.pattern === "confirmation_dialog";
        }, `the dialog of ${toolkit} is known for what it is`);
        await until(async () => {
          const { detected_state } = await read(client, `axterminator://app/${toolkit}/state`);
          return detected_state === "modal_dialog";
        }, `${toolkit} shows a modal dialog`);

        since = began();
        await tell("answer");
        for (const listener of [events, state, tree]) await listener.after(since);
        since = began();
        await tell("text hello");
        for (const listener of [events, tree]) await listener.after(since);
        await until(
          async () => (await happenings(client, toolkit)).some(({ type }) => type === "value_changed"),
          "a value",
        );
        const types = (await happenings(client, toolkit)).map(({ type }) => type);
        for (
          const type of [
            "title_changed",
            "window_opened",
            "dialog_appeared",
            "window_closed",
            "value_changed",
          ]
        ) {
          assert.ok(types.includes(type), `${toolkit} tells of ${type}: ${types.join()}`);
        }
      }
      const live = liveResourcesOf(client.session.host, REAL_TIMERS, undefined);
      assert.equal(live.watches, 1 + windows.length);
      client.end();
      assert.equal(live.watches, 0, "the end of a session leaves no watch");
    });
  },
});

Deno.test({
  name:
    "applications that start and are killed are told of, the dead are forgotten, and so is another clipboard",
  ignore: missingFor("gtk3") !== undefined || provider === undefined,
  async fn() {
    await onDesktop(async (session, folder) => {
      assert.ok(provider);
      const client = clientOf(session, []);
      const [apps, clipboard] = [
        await subscribed(provider, client, "axterminator://apps"),
        await subscribed(provider, client, "axterminator://clipboard"),
      ];
      let since = Date.now();
      const { application } = await startWindow(session, folder, "gtk3");
      await apps.after(since);
      await until(async () => {
        const { apps } = await read(client, "axterminator://apps");
        return JSON.stringify(apps).includes(`"pid":${application.pid}`);
      }, "it is in the list");

      client.session.connections.connect(application, { appName: application.name, alias: "doomed" });
      const state = await subscribed(provider, client, "axterminator://app/doomed/state");
      since = Date.now();
      process.kill(application.pid, "SIGKILL");
      await state.after(since);
      await apps.after(since);
      await until(
        () => Promise.resolve(client.session.connections.list.length === 0),
        "the dead is forgotten",
      );

      since = Date.now();
      await session.desktop.writeClipboard("something else");
      await clipboard.after(since);
      assert.deepEqual(await read(client, "axterminator://clipboard"), { text: "something else" });
      client.end();
    });
  },
});
