import assert from "node:assert/strict";
import type { Json } from "../../../base/error.ts";
import { asMap } from "../../../base/json.ts";
import { niriWindow } from "../../../wm/_niri.ts";
import { withNiriDesk } from "./_desk.ts";
import { MIME } from "./definitions.ts";
import { fieldAt, pathsOf, typesOf } from "./schemas.ts";

const DP1 = "niri://outputs/DP-1";

Deno.test("niri: every collection has the form {uri, items}, in order, and its items can be read", async () => {
  await withNiriDesk(async ({ items, read }) => {
    const all: { readonly [uri: string]: readonly string[] } = {
      "niri://": [
        "niri://outputs",
        "niri://windows",
        "niri://layers",
        "niri://keyboard-layouts",
        "niri://overview-state",
      ],
      "niri://outputs": [DP1, "niri://outputs/eDP-1"],
      [`${DP1}/workspaces`]: [`${DP1}/workspaces/3`, `${DP1}/workspaces/12`],
      "niri://outputs/eDP-1/workspaces": [],
      [`${DP1}/workspaces/12/windows`]: [`${DP1}/workspaces/12/windows/7`],
      "niri://windows": ["niri://windows/7", "niri://windows/40"],
      "niri://layers": [
        "niri://layers/DP-1%3ABackground%3Awallpaper%3A1",
        "niri://layers/DP-1%3ATop%3Awaybar%3A1",
        "niri://layers/DP-1%3ATop%3Awaybar%3A2",
      ],
    };
    for (const [uri, expected] of Object.entries(all)) {
      assert.deepEqual(await items(uri), expected, uri);
      assert.deepEqual(asMap(await read(`${uri}/`))["uri"], uri, "a slash at the end is accepted");
      for (const item of expected) await read(item);
    }
  });
});

Deno.test("niri: single resources are niri's own fields", async () => {
  await withNiriDesk(async ({ read, contents }) => {
    const fields = async (uri: string, ...names: readonly string[]) => {
      const body = asMap(await read(uri));
      return names.map((name) => body[name]);
    };
    assert.deepEqual(await fields(DP1, "name", "make", "current_mode"), ["DP-1", "Dell Inc.", 0]);
    assert.deepEqual(await fields(`${DP1}/workspaces/3`, "id", "idx", "name", "output"), [
      3,
      2,
      "mail",
      "DP-1",
    ]);
    assert.deepEqual(await fields("niri://windows/7", "id", "title", "workspace_id"), [7, "window 7", 12]);
    assert.deepEqual(await read(`${DP1}/workspaces/12/windows/7`), await read("niri://windows/7"));
    assert.deepEqual(await fields("niri://layers/DP-1:Top:waybar:1", "namespace", "keyboard_interactivity"), [
      "waybar",
      "OnDemand",
    ]);
    assert.deepEqual(await read("niri://keyboard-layouts"), {
      names: ["English (US)", "German"],
      current_idx: 1,
    });
    assert.deepEqual(await read("niri://keyboard-layouts/current"), { index: 1, name: "German" });
    assert.deepEqual(await read("niri://overview-state"), { is_open: false });
    assert.deepEqual(await read(`${DP1}/modes`), {
      uri: `${DP1}/modes`,
      items: [
        { width: 3840, height: 2160, refresh_rate: 59_997, is_preferred: true },
        { width: 1920, height: 1080, refresh_rate: 60_000, is_preferred: false },
      ],
    });
    const { text, uri, mimeType } = await contents("niri://overview-state/");
    assert.deepEqual([text, uri, mimeType], ['{\n  "is_open": false\n}', "niri://overview-state/", MIME]);
  });
});

Deno.test("niri: expanded collections have {uri, data}, with fields and filters on them", async () => {
  await withNiriDesk(async ({ read, items }) => {
    const body = (uri: string, items: Json) => ({ uri, items });
    assert.deepEqual(
      await read(`${DP1}/workspaces?expand=true&fields=id,name`),
      body(`${DP1}/workspaces`, [
        { uri: `${DP1}/workspaces/3`, data: { id: 3, name: "mail" } },
        { uri: `${DP1}/workspaces/12`, data: { id: 12, name: null } },
      ]),
    );
    assert.deepEqual(
      await read("niri://windows?expand&fields=id,is_floating&filter=is_floating:true"),
      body("niri://windows", [{ uri: "niri://windows/40", data: { id: 40, is_floating: true } }]),
    );
    assert.deepEqual(
      await read("niri://outputs?expand=1&fields=modes.width,logical.scale&filter=modes.width:3840"),
      body("niri://outputs", [{
        uri: DP1,
        data: { modes: [{ width: 3840 }, { width: 1920 }], logical: { scale: 1.40625 } },
      }]),
    );
    assert.deepEqual(await items("niri://windows?filter=title:window+7"), ["niri://windows/7"]);
    assert.deepEqual(await items("niri://windows?filter=title:null"), ["niri://windows/40"]);
    assert.deepEqual(await items("niri://windows?filter=workspace_id:12,is_floating:true"), []);
    assert.deepEqual(await items("niri://layers?filter=id:DP-1:Top:waybar:2"), [
      "niri://layers/DP-1%3ATop%3Awaybar%3A2",
    ]);
    assert.deepEqual(
      await read(`${DP1}/modes?fields=width&filter=is_preferred:true`),
      body(`${DP1}/modes`, [{ width: 3840 }]),
    );
    assert.deepEqual(await read("niri://windows/7?fields=id,title"), { id: 7, title: "window 7" });
    const roots = asMap(await read("niri://?expand=true"))["items"];
    assert.deepEqual(Object(roots)[4], { uri: "niri://overview-state", data: { is_open: false } });
  });
});

Deno.test("niri: what is not there is -32002, what cannot be is -32602, each with what helps", async () => {
  await withNiriDesk(async ({ refused }) => {
    const none: { readonly [uri: string]: RegExp } = {
      "niri://outputs/HDMI-1": /no output "HDMI-1"/,
      "niri://outputs/HDMI-1/modes": /no output "HDMI-1"/,
      "niri://outputs/HDMI-1/workspaces": /no output "HDMI-1"/,
      [`${DP1}/workspaces/99`]: /DP-1 has no workspace with the id 99/,
      "niri://outputs/eDP-1/workspaces/12": /eDP-1 has no workspace with the id 12/,
      [`${DP1}/workspaces/99/windows`]: /no workspace with the id 99/,
      "niri://windows/99": /no window with the id 99/,
      [`${DP1}/workspaces/12/windows/99`]: /no window with the id 99/,
      [`${DP1}/workspaces/3/windows/7`]: /the window 7 is not on that workspace/,
      "niri://layers/DP-1%3ATop%3Awaybar%3A3": /no such layer/,
      "niri://workspaces": /niri:\/\/outputs\/\{name\}\/workspaces/,
      "niri://nothing": /no such resource/,
    };
    for (const [uri, says] of Object.entries(none)) {
      const error = await refused(uri);
      assert.equal(error.code, -32002, uri);
      assert.match(error.message, says);
      assert.equal(asMap(error.data)["uri"], uri);
    }
    assert.deepEqual(asMap((await refused("niri://outputs/X")).data)["outputs"], ["DP-1", "eDP-1"]);
    for (
      const uri of [
        "niri://windows?expand=maybe",
        "niri://windows/7?filter=id:7",
        "niri://overview-state?filter=is_open:true",
        "niri://windows?fields=id",
        "niri://?expand&fields=id",
        "niri://?filter=id:1",
        "niri://outputs/%E0",
      ]
    ) assert.equal((await refused(uri)).code, -32602, uri);
  });
});

Deno.test("niri: metadata has annotations, the schema of the fields, relations, and that texts are data", async () => {
  await withNiriDesk(async ({ contents }) => {
    const window = (await contents("niri://windows/7"))._meta;
    assert.match(window.note ?? "", /never an instruction/);
    assert.deepEqual(window.annotations?.audience, ["assistant"]);
    assert.ok(Date.parse(window.annotations?.lastModified ?? "") <= Date.now());
    assert.deepEqual(window.relations, {
      canonical: "niri://windows/7",
      output: DP1,
      workspace: `${DP1}/workspaces/12`,
    });
    assert.deepEqual((await contents(DP1))._meta.relations, {
      outputs: "niri://outputs",
      modes: `${DP1}/modes`,
      workspaces: `${DP1}/workspaces`,
    });
    assert.deepEqual((await contents(`${DP1}/workspaces/12`))._meta.relations, {
      output: DP1,
      workspaces: `${DP1}/workspaces`,
      windows: `${DP1}/workspaces/12/windows`,
      active_window: "niri://windows/7",
    });
    const singles = [DP1, `${DP1}/workspaces/12`, "niri://windows/7", "niri://layers/DP-1:Top:waybar:1"];
    for (const uri of [...singles, "niri://keyboard-layouts", "niri://keyboard-layouts/current"]) {
      const { text, _meta: { schema = {}, annotations } } = await contents(uri);
      const body: Json = JSON.parse(text);
      assert.deepEqual(Object.keys(asMap(body)).sort(), Object.keys(asMap(schema["properties"])).sort(), uri);
      for (const path of pathsOf(schema)) {
        const value = path.split(".").reduce<Json | undefined>(
          (one, name) => Array.isArray(one) ? one[0]?.[name] : asMap(one)[name],
          body,
        );
        const types = typesOf(fieldAt(schema, path.split(".")) ?? {});
        if (value !== undefined) assert.ok(types.includes(typeIn(value, types)), `${uri} ${path} ${types}`);
      }
      assert.ok((annotations?.priority ?? -1) >= 0 && (annotations?.priority ?? 2) <= 1);
    }
  });
});

function typeIn(value: Json, types: readonly string[]): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value !== "number") return typeof value;
  return types.includes("integer") && Number.isInteger(value) ? "integer" : "number";
}

Deno.test("niri: lastModified is the time of the last change that was seen, and stays without one", async () => {
  await withNiriDesk(async ({ contents, provider, client }, niri) => {
    const seen = async (uri: string) => (await contents(uri))._meta.annotations?.lastModified;
    const [windows = "", overview] = [await seen("niri://windows"), await seen("niri://overview-state")];
    niri.open(niriWindow(50));
    assert.ok((await seen("niri://windows") ?? "") >= windows);
    assert.equal(await seen("niri://overview-state"), overview);
    assert.equal(await seen("niri://overview-state/"), overview, "of the resource, however it is written");
    const listed = await provider.listed?.(client.call) ?? [];
    const of = (uri: string) => listed.find((one) => one.uri === uri)?.annotations?.lastModified;
    assert.equal(of("niri://overview-state"), overview);
    assert.equal(of("niri://layers"), undefined, "what was not read is not made up");
  });
});

Deno.test("niri: lists, templates and completions", async () => {
  await withNiriDesk(async ({ provider, client: { call } }) => {
    const listed = await provider.listed?.(call) ?? [];
    assert.deepEqual(listed.map(({ uri }) => uri), [
      "niri://outputs",
      "niri://windows",
      "niri://layers",
      "niri://keyboard-layouts",
      "niri://keyboard-layouts/current",
      "niri://overview-state",
      DP1,
      `${DP1}/modes`,
      `${DP1}/workspaces`,
      "niri://outputs/eDP-1",
      "niri://outputs/eDP-1/modes",
      "niri://outputs/eDP-1/workspaces",
    ]);
    const templates = await provider.offered?.(call) ?? [];
    assert.deepEqual(templates.map(({ uriTemplate }) => uriTemplate), [
      "niri://outputs/{name}",
      "niri://outputs/{name}/modes",
      "niri://outputs/{name}/workspaces",
      "niri://outputs/{name}/workspaces/{id}",
      "niri://outputs/{name}/workspaces/{id}/windows",
      "niri://outputs/{name}/workspaces/{workspace_id}/windows/{id}",
      "niri://windows/{id}",
      "niri://layers/{id}",
    ]);
    for (const { mimeType, annotations, _meta, name } of [...listed, ...templates]) {
      assert.equal(mimeType, "application/json+schema");
      assert.ok(annotations?.audience !== undefined && annotations.priority !== undefined, name);
      assert.deepEqual([_meta?.annotations?.priority, typeof _meta?.schema], [
        annotations.priority,
        "object",
      ]);
    }
    assert.equal(
      new Set([...listed, ...templates].map(({ name }) => name)).size,
      listed.length + templates.length,
    );
    const complete = async (template: string, variable: string, value: string, filled = {}) =>
      await provider.complete?.(template, variable, value, filled, call);
    assert.deepEqual(await complete("niri://outputs/{name}", "name", "d"), ["DP-1"]);
    assert.deepEqual(await complete("niri://outputs/{name}/workspaces/{id}", "id", "", { name: "DP-1" }), [
      "3",
      "12",
    ]);
    assert.deepEqual(
      await complete("niri://outputs/{name}/workspaces/{id}", "id", "", { name: "eDP-1" }),
      [],
    );
    assert.deepEqual(await complete("niri://outputs/{name}/workspaces/{id}/windows", "id", "1"), ["12"]);
    const nested = "niri://outputs/{name}/workspaces/{workspace_id}/windows/{id}";
    assert.deepEqual(await complete(nested, "workspace_id", "", { name: "DP-1" }), ["3", "12"]);
    assert.deepEqual(await complete(nested, "id", "", { workspace_id: "3" }), ["40"]);
    assert.deepEqual(await complete(nested, "id", "", { name: "DP-1" }), ["7", "40"]);
    assert.deepEqual(await complete("niri://windows/{id}", "id", "4"), ["40"]);
    assert.deepEqual(await complete("niri://layers/{id}", "id", "dp-1:top"), [
      "DP-1:Top:waybar:1",
      "DP-1:Top:waybar:2",
    ]);
    assert.deepEqual(await complete("niri://windows/{id}", "name", ""), []);
    assert.deepEqual(await complete("niri://nothing/{id}", "id", ""), []);
  });
});
