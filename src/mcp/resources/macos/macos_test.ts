import assert from "node:assert/strict";
import { z } from "zod";
import type { Json } from "../../../base/error.ts";
import type { ApplicationDescription } from "../../../desktop/simulated/describe.ts";
import { type Fixture, fixture } from "../../session/_host.ts";
import { ProtocolError } from "../../server/wire.ts";
import type { ResourceContents } from "../../server/resource.ts";
import { macos } from "./macos.ts";
import { joined } from "../_joined.ts";

const Node = z.strictObject({
  role: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  path: z.string(),
  enabled: z.boolean(),
  truncated: z.literal(true).optional(),
  hidden: z.int().optional(),
  get children() {
    return z.array(Node);
  },
});
type Node = z.infer<typeof Node>;
const Menu = z.strictObject({
  title: z.string(),
  enabled: z.boolean(),
  path: z.string(),
  get children() {
    return z.array(Menu).optional();
  },
});
type Menu = z.infer<typeof Menu>;
const Windows = z.array(z.strictObject({
  title: z.string(),
  id: z.string(),
  path: z.string(),
  position: z.strictObject({ x: z.number(), y: z.number() }),
  size: z.strictObject({ width: z.number(), height: z.number() }),
  minimized: z.boolean(),
  main: z.boolean(),
}));

async function read(call: Fixture["call"], uri: string): Promise<Json> {
  const [first] = await macos.read(uri, call()) ?? assert.fail(`${uri} is not of the family`);
  assert.ok(
    first !== undefined && "text" in first && first.uri === uri && first.mimeType === "application/json",
  );
  return JSON.parse(first.text);
}

function* all(node: Node): Generator<Node> {
  yield node;
  for (const child of node.children) yield* all(child);
}

const ui = (path: string, query = "") => `macos://ui/AXApplication[@bundleIdentifier="${path}"]${query}`;

/** Titles with all that has a meaning in paths, addresses and queries. */
const ODD = [
  'say "hi"',
  "it's",
  "a/b",
  "a/../b",
  "a?b=c",
  "x]y[z",
  "100%",
  "%41%2F",
  "#1",
  "ä🎉\u202e",
  "back\\slash",
  "\\u{41}",
  "tab\tnew\nline",
  " spaces ",
  "&<>;+=,@",
  "twice",
  "twice",
  "",
  "",
  "long ".repeat(60),
];
const odd: ApplicationDescription = {
  id: "sim.odd",
  name: 'Odd "app" / 100%',
  windows: [{
    key: "main",
    title: ODD.join(" ").slice(0, 90),
    children: [
      ...ODD.map((name, k) => ({ kind: "button" as const, key: `b${k}`, name })),
      {
        kind: "panel",
        name: "twice",
        children: ODD.map((name, k) => ({ kind: "check" as const, key: `c${k}`, name, id: `id/${k}?` })),
      },
    ],
  }],
};

Deno.test("the applications are a map of ids and names, without those that may not be seen", async () => {
  await fixture({
    applications: ["sim.editor", "sim.settings"],
    security: {
      mode: "normal",
      blocked: ({ name }) => name === "Editor" ? "no" : undefined,
      onChange: () => () => {},
    },
  }, async ({ call }) => {
    assert.deepEqual(await read(call, "macos://applications"), { "sim.settings": "Settings" });
    for (const uri of ["macos://applications/sim.editor/windows", ui("sim.editor")]) {
      await assert.rejects(
        read(call, uri),
        (error) => error instanceof ProtocolError && error.code === -32002,
      );
    }
  });
});

for (const app of ["sim.settings", "sim.editor", "sim.calculator", "sim.list", "sim.login", "sim.odd"]) {
  Deno.test(`every path that is told of ${app} leads back to the same element, encoded or not`, async () => {
    await fixture({ applications: [app === "sim.odd" ? odd : app] }, async ({ call }) => {
      const whole = Node.parse(await read(call, ui(app, "?maxDepth=50")));
      const nodes = [...all(whole)];
      assert.ok(nodes.length > 5);
      assert.equal(new Set(nodes.map(({ path }) => path)).size, nodes.length, "each has its own");
      for (const { children: _below, hidden: _hidden, ...node } of nodes) {
        for (const path of [node.path, new URL(node.path).href]) {
          const { children: _same, hidden: _left, ...again } = Node.parse(
            await read(call, `${path}?maxDepth=50`),
          );
          assert.deepEqual(again, node);
        }
      }
    });
  });
}

Deno.test("a tree is as deep as asked, and says where there is more", async () => {
  await fixture({}, async ({ call }) => {
    const { children, ...top } = Node.parse(await read(call, ui("sim.settings", "?maxDepth=0")));
    assert.deepEqual(children, []);
    assert.equal(top.truncated, true);
    const deep = Node.parse(await read(call, ui("sim.settings", "?maxDepth=1")));
    assert.ok(deep.children.every((child) => child.truncated === true && child.children.length === 0));
    assert.ok(
      [...all(Node.parse(await read(call, ui("sim.settings"))))].some(({ hidden }) => (hidden ?? 0) > 0),
    );
  });
});

Deno.test("what can be acted on comes as a list with what can be done, bounded by its limit", async () => {
  const Acts = z.array(z.strictObject({
    role: z.string(),
    title: z.string().optional(),
    path: z.string(),
    enabled: z.boolean(),
    capabilities: z.array(z.string()),
  }));
  await fixture({}, async ({ call }) => {
    const found = Acts.parse(await read(call, ui("sim.settings", "?interactable=true")));
    const name = found.find(({ title }) => title === "Name");
    assert.deepEqual(name?.capabilities, ["editable", "focusable"]);
    assert.deepEqual(
      Acts.parse(await read(call, ui("sim.settings", "?interactable=true&limit=2"))),
      found.slice(0, 2),
    );
    assert.deepEqual(await read(call, ui("sim.settings", "?interactable=true&maxDepth=1")), []);
  });
});

Deno.test("menus have their items, menus in menus where asked, and each path leads to its item", async () => {
  await fixture({ applications: ["sim.editor"] }, async ({ call }) => {
    const menus = z.array(Menu).parse(await read(call, "macos://applications/sim.editor/menus"));
    const titles = (list: readonly Menu[]): unknown[] =>
      list.map(({ title, children }) => children === undefined ? title : [title, titles(children)]);
    assert.deepEqual(titles(menus), [
      ["File", ["New", "Save", "Save As…", "Close"]],
      ["Edit", ["Undo", "Redo", "Copy", "Paste"]],
    ]);
    const all = await read(call, "macos://applications/sim.editor/menus?includeSubmenus=true");
    assert.deepEqual(titles(z.array(Menu).parse(all)), titles(menus));
    const edit = z.array(Menu).parse(
      await read(call, "macos://applications/sim.editor/menus?menuTitle=Edit"),
    );
    assert.deepEqual(edit, menus[1]?.children);
    for (const { path, title } of edit) assert.equal(Node.parse(await read(call, path)).title, title);
    await assert.rejects(
      read(call, "macos://applications/sim.editor/menus?menuTitle=View"),
      (error) =>
        error instanceof ProtocolError && error.code === -32002 && /no menu "View"/.test(error.message),
    );
  });
});

Deno.test("windows are told with place, and minimised ones unless they are not wanted", async () => {
  await fixture({ applications: ["sim.settings"] }, async ({ call, desktop }) => {
    const windows = async (query = "") =>
      Windows.parse(await read(call, `macos://applications/sim.settings/windows${query}`));
    const [one, ...more] = await windows();
    assert.deepEqual(more, []);
    assert.ok(one?.title === "Settings" && one.main && !one.minimized && one.size.width > 0);
    assert.equal(Node.parse(await read(call, one.path)).role, "AXWindow");
    await desktop.window(Number(one.id), { do: "minimise" });
    assert.deepEqual((await windows()).map(({ minimized }) => minimized), [true]);
    assert.deepEqual(await windows("?includeMinimized=false"), []);
  });
});

Deno.test("a path that fits several, none or no application is refused, each with what is there", async () => {
  await fixture({}, async ({ call }) => {
    const refused = (uri: string, code: number, says: RegExp) =>
      assert.rejects(
        read(call, uri),
        (error) => error instanceof ProtocolError && error.code === code && says.test(error.message),
        uri,
      );
    await refused(
      ui("sim.settings", "//AXCheckBox"),
      -32602,
      /\d+ elements are at this path, such as macos:/,
    );
    await refused(ui("sim.settings", "/AXSheet"), -32002, /nothing in Settings is at this path/);
    await refused(ui("sim.nowhere"), -32002, /no application "sim.nowhere" runs/);
    await refused("macos://ui/AXWindow", -32602, /begins with its application/);
    await refused(ui("sim.settings", "/AXButon"), -32602, /no role "AXButon"[^]*AXButton/);
    await refused(ui("sim.settings", '/AXButton[@AXTitle="x'), -32602, /no end/);
  });
});

Deno.test("two of one application are distinguished by their process ids", async () => {
  const twin = (id: string): ApplicationDescription => ({
    id,
    name: "Twin",
    windows: [{ key: "main", title: id, children: [] }],
  });
  await fixture({ applications: [twin("sim.one"), twin("sim.two")] }, async ({ call }) => {
    const { children } = Node.parse(await read(call, ui("sim.two")));
    assert.equal(children[0]?.title, "sim.two");
    await assert.rejects(
      read(call, ui("Twin")),
      (error) => error instanceof ProtocolError && error.code === -32602,
    );
  });
});

Deno.test("an answer of more than 100 KB comes in pages that together are the whole", async () => {
  const wide: ApplicationDescription = {
    id: "sim.wide",
    name: "Wide",
    windows: [{
      key: "main",
      title: "Wide",
      children: Array.from(
        { length: 1_200 },
        (_, k) => ({ kind: "button" as const, key: `b${k}`, name: `Button ${k}` }),
      ),
    }],
  };
  await fixture({ applications: [wide] }, async ({ call, host }) => {
    const request = call();
    const address = ui("sim.wide", "?interactable=true&limit=2000");
    const pages: Json[] = [];
    for (let uri: string | undefined = address; uri !== undefined;) {
      const [page]: readonly ResourceContents[] = await macos.read(uri, request) ?? [];
      assert.ok(page !== undefined && "text" in page && page.text.length < 110_000);
      pages.push(JSON.parse(page.text));
      const next: string | undefined = page._meta?.nextCursor;
      uri = next === undefined ? undefined : `${address}&cursor=${next}`;
    }
    assert.ok(pages.length > 1);
    const whole = joined(pages);
    assert.ok(Array.isArray(whole) && whole.length === 1_200);
    const other = host.open("other");
    await assert.rejects(
      Promise.resolve(macos.read(`${address}&cursor=000-1`, call({ session: other }))),
      (error) => error instanceof ProtocolError && error.code === -32602,
    );
  });
});

Deno.test("ids, applications and the next steps of a path are completed", async () => {
  await fixture({ applications: ["sim.editor", "sim.settings"] }, async ({ call }) => {
    const complete = async (template: string, variable: string, value: string) =>
      await macos.complete?.(template, variable, value, {}, call());
    const windows = "macos://applications/{bundleId}/windows";
    assert.deepEqual(await complete(windows, "bundleId", "SIM.s"), ["sim.settings"]);
    assert.deepEqual(await complete(windows, "path", ""), []);
    const path = (value: string) => complete("macos://ui/{path}", "path", value);
    const app = 'AXApplication[@bundleIdentifier="sim.editor"]';
    assert.deepEqual(await path("AXApplication"), [app, app.replace("editor", "settings")]);
    const [window = ""] = await path(`${app}/`) ?? [];
    assert.equal(window, `${app}/AXWindow[@AXTitle="Untitled - Editor"]`);
    assert.deepEqual(await path(`${window}/AXM`), [`${window}/AXMenuBar`]);
  });
});

Deno.test("templates are told as they were published", () => {
  assert.deepEqual(macos.templates.map(({ uriTemplate }) => uriTemplate), [
    "macos://ui/{path}",
    "macos://applications/{bundleId}/menus",
    "macos://applications/{bundleId}/windows",
  ]);
  assert.deepEqual(macos.resources.map(({ uri }) => uri), ["macos://applications"]);
});
