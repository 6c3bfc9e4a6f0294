import assert from "node:assert/strict";
import { simulate } from "../../../desktop/simulated/simulate.ts";
import { BackstepError } from "../../../base/error.ts";
import type { SimulatedDesktop } from "../../../desktop/simulated/simulated-desktop.ts";
import { OPEN_SECURITY } from "../../../policy/security.ts";
import { openSession } from "../../../session/open-session.ts";
import type { Host } from "../../server/host.ts";
import type { Subscription } from "../../server/resource.ts";
import { Subscriptions } from "../../session/subscriptions.ts";
import { ProtocolError } from "../../server/wire.ts";
import { axterminator } from "../axterminator.ts";
import type { Insight } from "../axterminator/insight.ts";
import { liveResourcesOf } from "./live-resources.ts";
import { type TestClient, testClient, testHost } from "../_client.ts";
import { TestTimers } from "./_timers.ts";

/** What a dialog is for is told by its buttons. */
const insight: Insight = {
  fields: ["id"],
  pattern(snapshot, row = 0) {
    const dialog = snapshot.children(row).length > 0 &&
      Array.from({ length: snapshot.end(row) - row }, (_, k) => row + k).some((at) =>
        snapshot.name(at) === "Save"
      );
    return dialog ? "file_save_dialog" : undefined;
  },
  state: (snapshot) => snapshot.children(0).length > 1 ? "modal_dialog" : "idle",
  suggestions: () => [],
};

interface Place {
  readonly desktop: SimulatedDesktop;
  readonly host: Host;
  readonly timers: TestTimers;
  readonly client: TestClient;
  /** Another client of the same server. */
  another(): TestClient;
  /** Subscribes; the answer counts what was told. */
  follow(uri: string, client?: TestClient): Promise<{ reported: number; subscription: Subscription }>;
  read(uri: string): Promise<Record<string, unknown>>;
  watches(): number;
}

async function place(applications: readonly string[], use: (place: Place) => Promise<void>): Promise<void> {
  const desktop = simulate({ applications });
  const session = await openSession({ kind: "simulated", simulate: () => desktop });
  const timers = new TestTimers();
  const provider = axterminator({ insight, timers });
  const host = testHost(session, OPEN_SECURITY);
  const clients: TestClient[] = [];
  const another = () => {
    const client = testClient(host);
    clients.push(client);
    return client;
  };
  const client = another();
  try {
    for (const id of applications) await client.connect(id, id.slice(4));
    await use({
      desktop,
      host,
      timers,
      client,
      another,
      async follow(uri, by = client) {
        const heard = { reported: 0 };
        const subscription = await provider.watch?.(uri, by.call, () => void heard.reported++);
        assert.ok(subscription, `${uri} can be subscribed to`);
        return Object.assign(heard, { subscription });
      },
      async read(uri) {
        const [contents] = await provider.read(uri, client.call) ?? [];
        assert.ok(contents !== undefined && "text" in contents);
        return JSON.parse(contents.text);
      },
      watches: () => liveResourcesOf(host, timers, insight).watches,
    });
    for (const one of clients) one.end();
    await timers.pass(20);
    assert.equal(liveResourcesOf(host, timers, insight).watches, 0, "no watch is left behind");
  } finally {
    for (const one of clients) one.end();
    await session.close();
  }
}

async function happenings(at: Place, name: string): Promise<Record<string, unknown>[]> {
  const { events } = await at.read(`axterminator://app/${name}/events`);
  assert.ok(Array.isArray(events));
  return events;
}

Deno.test("a dialog that appears is told at once, and what it is for can be read", async () => {
  await place(["sim.editor"], async (at) => {
    const heard = await at.follow("axterminator://app/editor/events");
    await at.desktop.pressKeys(["ctrl", "s"]);
    await at.timers.pass(10);
    assert.ok(heard.reported >= 1);
    const events = await happenings(at, "editor");
    const dialog = events.find(({ type }) => type === "dialog_appeared");
    assert.ok(dialog);
    assert.equal(dialog.title, "Save");
    assert.equal(dialog.pattern, "file_save_dialog");
    assert.match(String(dialog.timestamp), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.ok(events.some(({ type, title }) => type === "window_opened" && title === "Save"));
    assert.ok(
      events.some(({ type, element }) => type === "focus_changed" && element === "AXTextField 'Name'"),
    );
  });
});

Deno.test("a dialog that goes is told with its title", async () => {
  await place(["sim.editor"], async (at) => {
    await at.desktop.pressKeys(["ctrl", "s"]);
    const heard = await at.follow("axterminator://app/editor/events");
    await at.desktop.pressKeys(["Escape"]);
    await at.timers.pass(10);
    assert.ok(heard.reported >= 1);
    const events = await happenings(at, "editor");
    assert.ok(events.some(({ type, title }) => type === "window_closed" && title === "Save"));
  });
});

Deno.test("a changed title is told of a state after 100 ms, once", async () => {
  await place(["sim.login"], async (at) => {
    const heard = await at.follow("axterminator://app/login/state");
    at.desktop.person("sim.login", "main", { name: "Welcome back" });
    await at.timers.pass(90);
    assert.equal(heard.reported, 0);
    await at.timers.pass(30);
    assert.equal(heard.reported, 1);
    const { windows } = await at.read("axterminator://app/login/state");
    assert.ok(Array.isArray(windows) && windows[0].title === "Welcome back");
    await at.timers.pass(1_000);
    assert.equal(heard.reported, 1);
  });
});

Deno.test("what changed and changed back within the pause is told to nobody", async () => {
  await place(["sim.login"], async (at) => {
    const title = (await at.desktop.windows())[0]?.title ?? "";
    const [state, tree] = [
      await at.follow("axterminator://app/login/state"),
      await at.follow("axterminator://app/login/tree"),
    ];
    at.desktop.person("sim.login", "main", { name: "Another" });
    at.desktop.person("sim.login", "main", { name: title });
    await at.timers.pass(2_000);
    assert.deepEqual([state.reported, tree.reported], [0, 0]);
  });
});

Deno.test("nothing is told when nothing changes, and that it is quiet is warned of once", async () => {
  await place(["sim.editor", "sim.settings"], async (at) => {
    const heard = await Promise.all(
      ["tree", "state", "events", "window/0/tree"].map((view) =>
        at.follow(`axterminator://app/editor/${view}`)
      ),
    );
    heard.push(await at.follow("axterminator://apps"), await at.follow("axterminator://clipboard"));
    await at.timers.pass(30_000);
    assert.deepEqual(heard.map(({ reported }) => reported), [0, 0, 0, 0, 0, 0]);
    const warnings = at.client.logged.filter(({ level }) => level === "warning");
    assert.equal(warnings.length, 5, "one for each that depends on events");
    for (const { logger } of warnings) assert.equal(logger, "axterminator.resources.subscriptions");
  });
});

Deno.test("a hundred changes are told of a tree as one, after half a second", async () => {
  await place(["sim.settings"], async (at) => {
    const heard = await at.follow("axterminator://app/settings/tree");
    for (let k = 0; k < 100; k++) at.desktop.person("sim.settings", "clock", { name: `12:00:${k}` });
    await at.timers.pass(490);
    assert.equal(heard.reported, 0);
    await at.timers.pass(60);
    assert.equal(heard.reported, 1);
    await at.timers.pass(3_000);
    assert.equal(heard.reported, 1);
  });
});

Deno.test("the last of many changes is told although they never stop for as long as the pause", async () => {
  await place(["sim.settings"], async (at) => {
    const heard = await at.follow("axterminator://app/settings/tree");
    for (let k = 0; k < 30; k++) {
      at.desktop.person("sim.settings", "clock", { name: `12:00:${k}` });
      await at.timers.pass(100);
    }
    assert.ok(heard.reported >= 4 && heard.reported <= 7, `${heard.reported} times in 3 s`);
    const before = heard.reported;
    at.desktop.person("sim.settings", "clock", { name: "late" });
    await at.timers.pass(600);
    assert.ok(heard.reported > before);
  });
});

Deno.test("what a field holds is told of a tree; the length of a password is not", async () => {
  await place(["sim.settings"], async (at) => {
    const heard = await at.follow("axterminator://app/settings/tree");
    at.desktop.person("sim.settings", "name", { text: "Grace" });
    await at.timers.pass(600);
    assert.equal(heard.reported, 1);
    at.desktop.person("sim.settings", "volume", { value: 70 });
    await at.timers.pass(600);
    assert.equal(heard.reported, 2);
    at.desktop.person("sim.settings", "pin", { text: "1234" });
    await at.timers.pass(600);
    assert.equal(heard.reported, 2);
  });
});

Deno.test("events that never come are made up for by looking, until events come again", async () => {
  await place(["sim.login"], async (at) => {
    const heard = await at.follow("axterminator://app/login/state");
    const tree = await at.follow("axterminator://app/login/tree");
    const loud = at.desktop.inject({ fault: "drop_events", fraction: 1 });
    at.desktop.person("sim.login", "main", { name: "Unheard" });
    at.desktop.person("sim.login", "user", { text: "unheard too" });
    await at.timers.pass(4_000);
    assert.deepEqual([heard.reported, tree.reported], [0, 0]);
    await at.timers.pass(2_100);
    assert.equal(heard.reported, 1);
    assert.ok(tree.reported >= 1);
    loud();
    at.desktop.person("sim.login", "main", { name: "Heard" });
    await at.timers.pass(150);
    assert.equal(heard.reported, 2);
    await at.timers.pass(20_000);
    assert.equal(heard.reported, 2);
    const warnings = at.client.logged.filter(({ level }) => level === "warning");
    assert.equal(warnings.length, 2, "one for each subscription, however often it is quiet");
  });
});

Deno.test("after a loss of events everything is looked at again", async () => {
  await place(["sim.login"], async (at) => {
    const heard = await at.follow("axterminator://app/login/events");
    at.desktop.inject({ fault: "drop_events", fraction: 1, announced: true });
    at.desktop.person("sim.login", "main", { name: "Lost and found" });
    await at.timers.pass(20);
    assert.equal(heard.reported, 1);
    const events = await happenings(at, "login");
    assert.deepEqual(events.map(({ type, title }) => [type, title]), [["title_changed", "Lost and found"]]);
  });
});

Deno.test("events that only repeat what is known are no change", async () => {
  await place(["sim.settings"], async (at) => {
    const heard = await at.follow("axterminator://app/settings/tree");
    at.desktop.person("sim.settings", "sound", { checked: true });
    at.desktop.person("sim.settings", "sound", { checked: false });
    await at.timers.pass(2_000);
    assert.equal(heard.reported, 0);
    at.desktop.person("sim.settings", "sound", { checked: true });
    await at.timers.pass(600);
    assert.equal(heard.reported, 1);
  });
});

Deno.test("all sessions share one watch of an application, and the last to leave ends it", async () => {
  await place(["sim.editor"], async (at) => {
    const other = at.another();
    await other.connect("sim.editor", "mine");
    const all = [
      await at.follow("axterminator://app/editor/state"),
      await at.follow("axterminator://app/editor/tree"),
      await at.follow("axterminator://app/mine/state", other),
      await at.follow("axterminator://app/mine/events", other),
    ];
    assert.equal(at.watches(), 2, "one of the application, one of who comes and goes");
    at.desktop.person("sim.editor", "text", { text: "x" });
    await at.timers.pass(700);
    assert.ok(
      all.every(({ reported }) => reported >= 1),
      JSON.stringify(all.map(({ reported }) => reported)),
    );
    for (const { subscription } of all.slice(0, 2)) await subscription.close();
    assert.equal(at.watches(), 2);
    const reported = all.map((one) => one.reported);
    at.desktop.person("sim.editor", "text", { text: "xy" });
    await at.timers.pass(700);
    assert.deepEqual(
      all.slice(0, 2).map((one) => one.reported),
      reported.slice(0, 2),
      "who left is told nothing",
    );
    other.end();
    assert.equal(at.watches(), 1);
  });
});

Deno.test("an application that ends is told of once more, forgotten, and watched no longer", async () => {
  await place(["sim.calculator"], async (at) => {
    const heard = [
      await at.follow("axterminator://app/calculator/state"),
      await at.follow("axterminator://app/calculator/tree"),
    ];
    const apps = await at.follow("axterminator://apps");
    let changes = 0;
    at.client.session.connections.onChange(() => changes++);
    at.desktop.quit("sim.calculator", { force: true });
    await at.timers.pass(50);
    assert.deepEqual(heard.map(({ reported }) => reported), [1, 1]);
    assert.equal(apps.reported, 1);
    assert.deepEqual(at.client.session.connections.list, []);
    assert.equal(changes, 1);
    await at.timers.pass(10_000);
    assert.deepEqual(heard.map(({ reported }) => reported), [1, 1]);
    await apps.subscription.close();
    assert.equal(at.watches(), 0);
  });
});

Deno.test("an address whose application ended can be subscribed to again when it runs again, and counts no longer", async () => {
  await place(["sim.calculator"], async (at) => {
    const uri = "axterminator://app/calculator/state";
    const updated: string[] = [];
    const host = { ...at.host, resources: [axterminator({ insight, timers: at.timers })] };
    const subscriptions = new Subscriptions(host, at.client.call, (one) => void updated.push(one));
    await subscriptions.add(uri);
    await subscriptions.add(uri);
    at.desktop.quit("sim.calculator", { force: true });
    await at.timers.pass(50);
    assert.deepEqual(updated, [uri]);
    await assert.rejects(subscriptions.add(uri), ProtocolError);
    at.desktop.launch("sim.calculator");
    await at.client.connect("sim.calculator", "calculator");
    await subscriptions.add(uri);
    assert.equal(at.client.session.subscriptions, 1);
    at.desktop.quit("sim.calculator", { force: true });
    await at.timers.pass(50);
    assert.deepEqual(updated, [uri, uri]);
    for (let n = 0; n < 99; n++) {
      at.desktop.launch("sim.calculator");
      await at.client.connect("sim.calculator", `calculator${n}`);
      await subscriptions.add(`axterminator://app/calculator${n}/state`);
      if (n === 98) assert.equal(at.client.session.subscriptions, 100);
      at.desktop.quit("sim.calculator", { force: true });
      await at.timers.pass(50);
    }
    await subscriptions.add("axterminator://apps");
    assert.equal(at.client.session.subscriptions, 1);
    await subscriptions.close();
    assert.equal(at.watches(), 0);
  });
});

Deno.test("an application that did not answer the first question about its events is recorded at the next", async () => {
  await place(["sim.editor"], async (at) => {
    const { snapshot, windows } = at.desktop;
    const fail = () => Promise.reject(new BackstepError("timeout", "Cannot look: it does not answer"));
    Object.assign(at.desktop, { snapshot: fail, windows: fail });
    await assert.rejects(at.read("axterminator://app/editor/events"));
    Object.assign(at.desktop, { snapshot, windows });
    const answer = await at.read("axterminator://app/editor/events");
    assert.ok("recording_since" in answer);
  });
});

Deno.test("a connected application that ends is forgotten although nobody subscribed", async () => {
  await place(["sim.calculator"], async (at) => {
    await at.read("axterminator://system/status");
    at.desktop.quit("sim.calculator", { force: true });
    await at.timers.pass(50);
    assert.deepEqual(at.client.session.connections.list, []);
  });
});

Deno.test("applications that start are told", async () => {
  await place([], async (at) => {
    const heard = await at.follow("axterminator://apps");
    at.desktop.launch("sim.list");
    await at.timers.pass(20);
    assert.equal(heard.reported, 1);
    const { apps } = await at.read("axterminator://apps");
    assert.ok(Array.isArray(apps) && apps.length === 1);
  });
});

Deno.test("another text on the clipboard is told within a second, the same one not", async () => {
  await place([], async (at) => {
    await at.desktop.writeClipboard("one");
    const heard = await at.follow("axterminator://clipboard");
    await at.desktop.writeClipboard("two");
    await at.timers.pass(1_010);
    assert.equal(heard.reported, 1);
    await at.desktop.writeClipboard("three");
    await at.desktop.writeClipboard("two");
    await at.timers.pass(5_000);
    assert.equal(heard.reported, 1);
  });
});

Deno.test("of two windows only the one that changed is told of", async () => {
  await place(["sim.editor"], async (at) => {
    await at.desktop.pressKeys(["ctrl", "s"]);
    const [first, second] = [
      await at.follow("axterminator://app/editor/window/0/tree"),
      await at.follow("axterminator://app/editor/window/1/tree"),
    ];
    at.desktop.person("sim.editor", "save-name", { text: "letter.txt" });
    await at.timers.pass(600);
    assert.deepEqual([first.reported, second.reported], [1, 0], "0 is the one in front");
  });
});

Deno.test("whoever is still busy with the last notice is told once more, not a hundred times", async () => {
  await place(["sim.settings"], async (at) => {
    const provider = axterminator({ insight, timers: at.timers });
    let reported = 0;
    let read = () => {};
    await provider.watch?.("axterminator://app/settings/events", at.client.call, () => {
      reported++;
      return new Promise<void>((resolve) => read = resolve);
    });
    for (let k = 0; k < 20; k++) {
      at.desktop.person("sim.settings", "main", { name: `Title ${k}` });
      await at.timers.pass(50);
    }
    assert.equal(reported, 1);
    read();
    await at.timers.pass(10);
    assert.equal(reported, 2);
    read();
    await at.timers.pass(10);
    assert.equal(reported, 2);
  });
});

Deno.test("the ring keeps the last two hundred happenings", async () => {
  await place(["sim.login"], async (at) => {
    await at.follow("axterminator://app/login/events");
    for (let k = 0; k < 260; k++) {
      at.desktop.person("sim.login", "main", { name: `Title ${k}` });
      await at.timers.pass(10);
    }
    const events = await happenings(at, "login");
    assert.equal(events.length, 200);
    assert.equal(events.at(-1)?.title, "Title 259");
  });
});

Deno.test("what happens before anybody subscribes is kept from the first question on", async () => {
  await place(["sim.editor"], async (at) => {
    assert.deepEqual(await happenings(at, "editor"), []);
    at.desktop.person("sim.editor", "main", { name: "Renamed" });
    await at.timers.pass(50);
    const events = await happenings(at, "editor");
    assert.deepEqual(events.map(({ type, title }) => [type, title]), [["title_changed", "Renamed"]]);
    at.client.session.connections.forget(at.client.session.connections.list[0]?.application.pid ?? 0);
    assert.equal(at.watches(), 0);
  });
});

Deno.test("some resources nobody can subscribe to, and some are not there", async () => {
  await place(["sim.editor"], async (at) => {
    const provider = axterminator({ insight, timers: at.timers });
    const watch = (uri: string) => provider.watch?.(uri, at.client.call, () => {});
    assert.equal(await watch("axterminator://system/status"), undefined);
    assert.equal(await watch("axterminator://app/editor/screenshot"), undefined);
    assert.equal(await watch("macos://apps"), undefined);
    await assert.rejects(
      async () => await watch("axterminator://app/nobody/state"),
      (error) => error instanceof ProtocolError && error.code === -32002,
    );
  });
});
