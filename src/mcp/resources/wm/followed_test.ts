import assert from "node:assert/strict";
import { EVENT_BUFFER, niriState, niriWindow, niriWorkspace } from "../../../wm/_niri.ts";
import { Subscriptions } from "../../session/subscriptions.ts";
import { REAL_TIMERS } from "../subscriptions/timers.ts";
import { type Desk, withDesk, withNiriDesk } from "./_desk.ts";
import { followedOf } from "./followed.ts";

const DP1 = "niri://outputs/DP-1";
const followed = ({ host }: Desk) => followedOf(host, REAL_TIMERS);

Deno.test("whoever subscribed hears of changes of the body, and of nothing else", async () => {
  await withNiriDesk(async (desk, niri) => {
    const uris = [
      "niri://windows",
      "niri://windows?expand=true",
      "niri://windows?filter=id:40",
      `${DP1}/workspaces`,
      `${DP1}/workspaces/12/windows`,
      "niri://windows/7?fields=id,is_focused",
      "niri://overview-state",
    ];
    const [all, expanded, forty, workspaces, onTwelve, seven, overview] = await Promise.all(
      uris.map(desk.subscribe),
    );
    assert.ok(all && expanded && forty && workspaces && onTwelve && seven && overview);
    const counts = () =>
      [all, expanded, forty, workspaces, onTwelve, seven, overview].map(({ count }) => count);

    niri.open(niriWindow(50, { workspace_id: 3 }));
    await Promise.all([all.after(0), expanded.after(0)]);
    assert.deepEqual(counts(), [1, 1, 0, 0, 0, 0, 0]);

    // A title is in expanded bodies alone.
    niri.open(niriWindow(7, { title: "renamed", is_focused: true }));
    await expanded.after(1);
    assert.deepEqual(counts(), [1, 2, 0, 0, 0, 0, 0]);

    // Events without a change are told to nobody.
    niri.send({ ConfigLoaded: { failed: false } });
    niri.state.overview = { is_open: true };
    niri.send({ OverviewOpenedOrClosed: { is_open: true } });
    await overview.after(0);
    assert.deepEqual(counts(), [1, 2, 0, 0, 0, 0, 1]);

    niri.open(niriWindow(7, { title: "renamed", workspace_id: 3 }));
    await Promise.all([expanded.after(2), onTwelve.after(0), seven.after(0)]);
    assert.deepEqual(counts(), [1, 3, 0, 0, 1, 1, 1]);
    niri.close(7);
    await Promise.all([all.after(1), seven.after(1)]);
    assert.equal((await desk.refused("niri://windows/7")).code, -32002);
    niri.open(niriWindow(7));
    await Promise.all([all.after(2), seven.after(2)]);
    await Promise.all(
      [all, expanded, forty, workspaces, onTwelve, seven, overview].map((one) => one.close()),
    );
    assert.deepEqual([followed(desk).topics, followed(desk).listening], [0, false]);
  });
});

Deno.test("what comes in one moment is told as one", async () => {
  await withNiriDesk(async ({ subscribe, items }, niri) => {
    const windows = await subscribe("niri://windows");
    for (let n = 0; n < 40; n++) niri.open(niriWindow(100 + n));
    await windows.after(0);
    // The stand-in has sent them in one go; the reading that is told of has them all.
    assert.equal((await items("niri://windows")).length, 42);
    const { count } = windows;
    niri.close(100);
    await windows.after(count);
    assert.ok(windows.count <= 3, `told ${windows.count} times`);
    await windows.close();
  });
});

Deno.test("what niri has no event for is read slowly: layers and outputs", async () => {
  await withNiriDesk(async ({ subscribe }, niri) => {
    const [layers, outputs] = await Promise.all([subscribe("niri://layers"), subscribe("niri://outputs")]);
    const { layers: panels, outputs: monitors } = niri.state;
    // The first reading may be owed to the events that a new reader gets; the others are not.
    for (const change of [0, 1, 2]) {
      niri.state.layers = change === 1 ? panels : [];
      niri.state.outputs = change === 1 ? monitors : { "eDP-1": monitors["eDP-1"] ?? null };
      await Promise.all([layers.after(change), outputs.after(change)]);
    }
    await Promise.all([layers.close(), outputs.close()]);
  });
});

Deno.test("who was cut off 64 events behind hears of what it missed", async () => {
  await withNiriDesk(async ({ subscribe, items }, niri) => {
    const [windows, seven] = await Promise.all(
      ["niri://windows", "niri://windows?filter=id:7"].map(subscribe),
    );
    assert.ok(windows && seven);
    // Its reader of events is there.
    niri.open(niriWindow(99));
    await windows.after(0);
    for (let n = 0; n <= EVENT_BUFFER + 10; n++) niri.open(niriWindow(1_000 + n));
    assert.deepEqual([niri.cut, niri.readers], [1, 0]);
    await windows.after(1);
    // Sent to nobody, unless it listens again already.
    niri.close(7);
    await seven.after(0);
    assert.equal((await items("niri://windows")).length, 2 + EVENT_BUFFER + 11);
    const { count } = windows;
    niri.close(40);
    await windows.after(count);
    await Promise.all([windows.close(), seven.close()]);
  });
});

Deno.test("a restart is told where it changed something, and nothing is told while niri is away", async () => {
  await withNiriDesk(async ({ subscribe, items }, niri) => {
    const [windows, workspaces] = await Promise.all([
      subscribe("niri://windows"),
      subscribe(`${DP1}/workspaces`),
    ]);
    niri.open(niriWindow(99));
    await windows.after(0);
    await niri.stop();
    niri.state = { ...niriState(), windows: [niriWindow(1)] };
    await niri.start();
    await windows.after(1);
    assert.deepEqual(await items("niri://windows"), ["niri://windows/1"]);
    assert.deepEqual([windows.count, workspaces.count], [2, 0]);
    await Promise.all([windows.close(), workspaces.close()]);
  });
});

Deno.test("all spellings of an address are one subscription, under the one that this server writes", async () => {
  await withNiriDesk(async (desk, niri) => {
    const { host, client } = desk;
    const notified: string[] = [];
    let wake = Promise.withResolvers<void>();
    const subscriptions = new Subscriptions(host, client.call, (uri) => {
      notified.push(uri);
      wake.resolve();
    });
    const spellings = ["niri://windows/", "NIRI://windows", "niri://windows?expand=0", "niri://windows"];
    for (const uri of spellings) await subscriptions.add(uri);
    const nested = `${DP1}/workspaces/12/windows/7?expand=true&fields=id,%20title`;
    await subscriptions.add(nested);
    assert.equal(followed(desk).topics, 2);
    niri.open(niriWindow(60));
    await wake.promise;
    wake = Promise.withResolvers();
    niri.open(niriWindow(7, { title: "x" }));
    await wake.promise;
    assert.deepEqual(notified, ["niri://windows", "niri://windows/7?fields=id,title"]);
    await subscriptions.remove("niri://windows/?expand=false");
    await subscriptions.remove("niri://windows?expand=maybe");
    assert.equal(followed(desk).topics, 1);
    await assert.rejects(subscriptions.add(`${DP1}/workspaces/3/windows/7`), { code: -32002 });
    await assert.rejects(subscriptions.add("niri://windows/99"), { code: -32002 });
    await assert.rejects(subscriptions.add("niri://windows?expand=maybe"), { code: -32602 });
    await subscriptions.close();
    assert.deepEqual([followed(desk).topics, followed(desk).listening], [0, false]);
  });
});

Deno.test("a subscriber that does not read is told once more when it does, however much happened", async () => {
  await withNiriDesk(async ({ provider, client, subscribe }, niri) => {
    let notified = 0;
    const free = Promise.withResolvers<void>(), again = Promise.withResolvers<void>();
    const slow = await provider.watch?.("niri://windows", client.call, () => {
      if (++notified === 2) again.resolve();
      return free.promise;
    });
    const fast = await subscribe("niri://windows");
    for (let n = 0; n < 4; n++) {
      niri.open(niriWindow(200 + n));
      await fast.after(n);
    }
    assert.deepEqual([notified, fast.count], [1, 4]);
    free.resolve();
    await again.promise;
    await Promise.all([slow?.close(), fast.close()]);
  });
});

Deno.test("a desktop that is rebuilt has another window manager, whose changes are told from then on", async () => {
  await withNiriDesk(async (before, niri) => {
    await withNiriDesk(async (after, other) => {
      const managers = [before.host.desktop.windowManager, after.host.desktop.windowManager];
      let now = 0;
      await withDesk((call) => managers[now]?.(call) ?? Promise.resolve(undefined), async (desk) => {
        const windows = await desk.subscribe("niri://windows");
        now = 1;
        other.open(niriWindow(3));
        await windows.after(0);
        niri.open(niriWindow(4));
        other.open(niriWindow(5));
        await windows.after(1);
        assert.deepEqual((await desk.items("niri://windows")).map((uri) => uri.split("/").at(-1)), [
          "3",
          "5",
          "7",
          "40",
        ]);
        await windows.close();
        assert.equal(followed(desk).listening, false);
      });
    });
  });
});

Deno.test("a session's end ends its subscriptions", async () => {
  await withNiriDesk(async (desk) => {
    await desk.subscribe("niri://windows");
    assert.equal(followed(desk).topics, 1);
    desk.client.end();
    assert.deepEqual([followed(desk).topics, followed(desk).listening], [0, false]);
  });
});

Deno.test("a session that has read the list hears when outputs or the window manager come and go", async () => {
  await withNiriDesk(async (desk, niri) => {
    const { provider, client } = desk;
    let heard = Promise.withResolvers<void>();
    const off = provider.onListChange?.(client.session, () => heard.resolve());
    assert.equal(followed(desk).topics, 0);
    assert.equal((await provider.listed?.(client.call))?.length, 12);
    await provider.offered?.(client.call);
    assert.equal(followed(desk).topics, 1);
    niri.state.outputs = {};
    // niri tells of outputs by their workspaces.
    niri.workspaces([niriWorkspace(3, { output: null })]);
    await heard.promise;
    assert.equal((await provider.listed?.(client.call))?.length, 6);
    // They are empty while niri is away, and full again once it is back.
    heard = Promise.withResolvers();
    await niri.stop();
    await heard.promise;
    assert.deepEqual(await provider.listed?.(client.call), []);
    heard = Promise.withResolvers();
    await niri.start();
    await heard.promise;
    assert.equal((await provider.listed?.(client.call))?.length, 6);
    off?.();
    assert.deepEqual([followed(desk).topics, followed(desk).listening], [0, false]);
  });
});
