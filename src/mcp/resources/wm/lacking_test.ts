import assert from "node:assert/strict";
import { asMap } from "../../../base/json.ts";
import { niriState, niriWindow, niriWorkspace } from "../../../wm/_niri.ts";
import { withDesk, withNiriDesk } from "./_desk.ts";

const DP1 = "niri://outputs/DP-1";

Deno.test("niri: what an older one lacks is not listed, and reading it says why", async () => {
  await withNiriDesk(
    async ({ provider, client: { call }, refused, items }) => {
      const uris = (await provider.listed?.(call) ?? []).map(({ uri }) => uri);
      assert.ok(!uris.some((uri) => uri.includes("layers") || uri.includes("overview")));
      const templates = (await provider.offered?.(call) ?? []).map(({ uriTemplate }) => uriTemplate);
      assert.ok(!templates.includes("niri://layers/{id}") && templates.includes("niri://windows/{id}"));
      assert.deepEqual(await items("niri://"), [
        "niri://outputs",
        "niri://windows",
        "niri://keyboard-layouts",
      ]);
      for (const uri of ["niri://layers", "niri://layers/a", "niri://overview-state"]) {
        const error = await refused(uri);
        assert.equal(error.code, -32002);
        assert.match(error.message, /niri has no (list of layers|overview) in its protocol/);
        assert.equal(asMap(error.data)["code"], "unsupported");
      }
    },
    niriState(),
    ["Layers", "OverviewState"],
  );
});

Deno.test("niri: ids that dangle for a moment break nothing", async () => {
  await withNiriDesk(async ({ contents, items, refused }, niri) => {
    niri.workspaces([niriWorkspace(12, { output: "GONE", active_window_id: 555 })]);
    assert.deepEqual(await items(`${DP1}/workspaces`), []);
    assert.equal((await refused(`${DP1}/workspaces/12`)).code, -32002);
    assert.deepEqual((await contents("niri://windows/40"))._meta.relations, {
      canonical: "niri://windows/40",
    });
    niri.workspaces([niriWorkspace(12, { active_window_id: 555 })]);
    assert.equal(
      (await contents(`${DP1}/workspaces/12`))._meta.relations?.["active_window"],
      "niri://windows/555",
    );
    assert.equal((await refused("niri://windows/555")).code, -32002);
  });
});

Deno.test("niri: unknown fields and variants of a later one change no shape", async () => {
  const state = niriState();
  state.windows = state.windows.map((one) => ({ ...one, novel: { of: [1] } }));
  state.outputs["DP-1"] = { ...asMap(state.outputs["DP-1"]), hdr: true };
  state.layers = [{ namespace: "x", output: "DP-1", layer: "Lock", keyboard_interactivity: "Always", n: 1 }];
  await withNiriDesk(async ({ read }) => {
    assert.ok(!("novel" in asMap(await read("niri://windows/7"))));
    assert.ok(!("hdr" in asMap(await read(DP1))));
    assert.equal(asMap(await read("niri://layers/DP-1:Lock:x:1"))["keyboard_interactivity"], "Always");
  }, state);
});

Deno.test("titles are cut where they are long, and are well-formed", async () => {
  const state = niriState();
  state.windows = [niriWindow(1, { title: "x".repeat(100_000) }), niriWindow(2, { title: "a\ud800b" })];
  await withNiriDesk(async ({ read }) => {
    assert.equal(asMap(await read("niri://windows/1"))["title"], `${"x".repeat(499)}…`);
    assert.equal(asMap(await read("niri://windows/2"))["title"], "a\ufffdb");
  }, state);
});

Deno.test("a niri that is away is -32603 with the reason, and reads again once it is back", async () => {
  await withNiriDesk(async ({ refused, items, provider, client: { call } }, niri) => {
    assert.equal((await items("niri://windows")).length, 2);
    await niri.stop();
    const error = await refused("niri://windows");
    assert.equal(error.code, -32603, "it is away");
    assert.match(error.message, /Cannot read niri:\/\/windows: Cannot reach the window manager at /);
    assert.equal(asMap(error.data)["code"], "no_desktop");
    assert.deepEqual(await provider.listed?.(call), []);
    assert.deepEqual(await provider.offered?.(call), []);
    await assert.rejects(async () => await provider.complete?.("niri://windows/{id}", "id", "", {}, call), {
      code: -32603,
    });
    niri.state = { ...niriState(), windows: [niriWindow(1)] };
    await niri.start();
    assert.deepEqual(await items("niri://windows"), ["niri://windows/1"]);
  });
});

Deno.test("an id that a number cannot hold is a fault of nobody who asked: -32603 with the reason", async () => {
  await withNiriDesk(async ({ refused }) => {
    const error = await refused("niri://windows");
    assert.equal(error.code, -32603);
    assert.match(error.message, /its `id` is no usable id/);
  }, { ...niriState(), windows: [niriWindow(2 ** 60)] });
});

Deno.test("where no window manager is nothing is listed, and reading says so", async () => {
  for (const manager of [undefined, () => Promise.resolve(undefined)]) {
    await withDesk(manager, async ({ provider, client: { call }, refused }) => {
      assert.deepEqual(await provider.listed?.(call), []);
      assert.deepEqual(await provider.offered?.(call), []);
      const error = await refused("niri://windows");
      assert.equal(error.code, -32603);
      assert.match(error.message, /this desktop has none that is supported/);
      await assert.rejects(async () => await provider.watch?.("niri://windows", call, () => {}), {
        code: -32603,
      });
      // What is no address is none, whatever runs.
      assert.equal((await refused("niri://nothing")).code, -32002);
    });
  }
});

Deno.test("a window manager that never answers holds no list up, and the next list not at all", async () => {
  const never = new Promise<undefined>(() => {});
  await withDesk(() => never, async ({ provider, client: { call, logged } }) => {
    let began = performance.now();
    assert.deepEqual(await provider.listed?.(call), []);
    assert.ok(performance.now() - began < 5_000);
    assert.match(JSON.stringify(logged), /No window manager is listed/);
    began = performance.now();
    for (let n = 0; n < 10; n++) assert.deepEqual(await provider.offered?.(call), []);
    assert.ok(performance.now() - began < 5_000, "ten lists do not wait ten times");
  });
});
