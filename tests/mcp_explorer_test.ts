import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { Deadline } from "../src/base/call.ts";
import type { Json } from "../src/base/error.ts";
import type { Application } from "../src/desktop/desktop.ts";
import { match, UiPaths } from "../src/desktop/selector/mod.ts";
import { parseUiPath } from "../src/desktop/selector/xpath.ts";
import type { Snapshot } from "../src/desktop/snapshot.ts";
import { PLAIN_CLIENT } from "../src/mcp/session/_host.ts";
import type { McpCall } from "../src/mcp/server/call.ts";
import { callTool } from "../src/mcp/server/dispatch.ts";
import { makeHost } from "../src/mcp/make-host.ts";
import { macos } from "../src/mcp/resources/macos/macos.ts";
import { Explored } from "../src/operations/explore-element.ts";
import { openSession } from "../src/session/open-session.ts";
import type { Session } from "../src/session/session.ts";

const references = fileURLToPath(new URL("../tools/references/node_modules", import.meta.url));

/** A client of a server over a private desktop. */
interface Client {
  readonly desk: Session;
  readonly call: McpCall;
  explore(args: { readonly [name: string]: Json }): Promise<{ elements: Explored[]; left: string }>;
  tool(name: string, args: { readonly [name: string]: Json }): ReturnType<typeof callTool>;
  read(uri: string): Promise<Json>;
  /** Starts a program and waits until its tree holds what is looked for. */
  open(program: string, holds: (snapshot: Snapshot) => boolean): Promise<Application>;
}

async function withClient(use: (client: Client) => Promise<void>): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "bs-explorer-"));
  const desk = await openSession({ kind: "isolated", state });
  const host = makeHost({ desktop: desk, state });
  try {
    const call: McpCall = {
      session: host.open("test"),
      client: PLAIN_CLIENT,
      signal: new AbortController().signal,
      progress: () => {},
      log: () => {},
    };
    const tool = (name: string, args: { readonly [name: string]: Json }) => callTool(host, name, args, call);
    await use({
      desk,
      call,
      tool,
      async explore(args) {
        const { content, isError } = await tool("macos_interface_explorer", args);
        assert.equal(isError, undefined, JSON.stringify(content));
        const texts = content.flatMap((one) => one.type === "text" ? [one.text] : []);
        const at = texts.findIndex((text) => text.startsWith("["));
        return {
          elements: z.array(Explored).parse(JSON.parse(texts[at] ?? "")),
          left: texts.slice(at + 1).join("\n"),
        };
      },
      async read(uri) {
        const [first] = await macos.read(uri, call) ?? assert.fail(uri);
        assert.ok(first !== undefined && "text" in first);
        return JSON.parse(first.text);
      },
      open: (program, holds) => open(desk, program, holds),
    });
  } finally {
    await host.close();
    await desk.close();
    rmSync(state, { recursive: true, force: true });
  }
}

async function open(
  { launcher, desktop }: Session,
  program: string,
  holds: (snapshot: Snapshot) => boolean,
): Promise<Application> {
  const watch = desktop.watch();
  try {
    const { processId } = await launcher.launch(program, { timeout: 60_000 });
    const deadline = Deadline.after(60_000);
    for (;;) {
      const application = (await desktop.applications(deadline.call())).find(({ pid }) => pid === processId);
      const snapshot = application &&
        await desktop.snapshot(application, { ...deadline.call(), fields: ["extents", "id"] });
      if (application && snapshot && holds(snapshot)) return application;
      assert.ok(!deadline.passed, `${program} never showed what it should`);
      await watch.next({ timeout: 500 });
      watch.take();
    }
  } finally {
    watch.close();
  }
}

function has(name: string): (snapshot: Snapshot) => boolean {
  return (snapshot) => Array.from({ length: snapshot.size }, (_, row) => snapshot.name(row)).includes(name);
}

function* all(elements: readonly Explored[]): Generator<Explored> {
  for (const element of elements) {
    yield element;
    yield* all(element.children ?? []);
  }
}

/** Every path of a whole tree, looked for in that tree. */
function leadsBack(snapshot: Snapshot, identifier: string): void {
  const paths = new UiPaths(snapshot, identifier);
  const seen = new Set<string>();
  for (let row = 0; row < snapshot.size; row++) {
    const path = paths.of(row);
    assert.deepEqual(match(parseUiPath(path), snapshot), [row], path);
    seen.add(path);
  }
  assert.equal(seen.size, snapshot.size);
}

const calculator = "/usr/bin/gnome-calculator", gedit = "/usr/bin/gedit";
const missing = [calculator, gedit].filter((program) => !existsSync(program));
Deno.test({
  name: "the explorer's five scopes and the three templates tell of gnome-calculator and gedit" +
    (missing.length > 0 ? `: not run, ${missing.join(" and ")} are not installed` : ""),
  ignore: missing.length > 0,
}, async (t) => {
  await withClient(async ({ desk, explore, open, read, tool }) => {
    await open("org.gnome.Calculator", has("="));
    const editor = await open("org.gnome.gedit", has("Save"));

    await t.step("application: the tree, within limit and depth", async () => {
      const { elements, left } = await explore({ scope: "application", bundleId: "org.gnome.Calculator" });
      assert.equal(elements.length, 1);
      assert.equal(elements[0]?.role, "AXApplication");
      assert.ok([...all(elements)].some(({ role }) => role === "AXWindow"));
      assert.ok([...all(elements)].length <= 100);
      assert.match(left, /^(Shown: \d+ elements\. Left out: .*)?$/);
    });

    await t.step("types and filters: the keys of the calculator, each with its place", async () => {
      const { elements } = await explore({
        scope: "application",
        bundleId: "org.gnome.Calculator",
        elementTypes: ["button"],
        filter: { titleContains: "7" },
        maxDepth: 0,
      });
      const [seven] = elements;
      assert.ok(seven !== undefined && seven.role === "AXButton" && seven.frame.width > 0);
      assert.ok(seven.state.slice(0, 2).join() === "enabled,visible", seven.state.join());
      assert.ok(seven.capabilities.includes("clickable"));
      assert.ok(seven.actions.includes("AXPress"), seven.actions.join());
    });

    await t.step("focused: the one that was opened last", async () => {
      const watch = desk.desktop.watch();
      const deadline = Deadline.after(20_000);
      const window = (await desk.desktop.windows()).find(({ pid, popup }) => pid === editor.pid && !popup);
      await desk.desktop.window(window?.id ?? -1, { do: "activate" });
      while (!(await desk.desktop.windows()).some(({ pid, active }) => pid === editor.pid && active)) {
        assert.ok(!deadline.passed, "gedit never came to the front");
        await watch.next({ timeout: 200 });
      }
      watch.close();
      const { elements } = await explore({ scope: "focused", maxDepth: 1 });
      assert.equal(elements[0]?.title, "gedit");
    });

    await t.step("element and position: the same element by its id and by its place", async () => {
      const found = await explore({
        scope: "application",
        bundleId: "org.gnome.gedit",
        elementTypes: ["button"],
        filter: { titleContains: "Save" },
        maxDepth: 0,
      });
      const [save] = found.elements;
      assert.ok(save !== undefined);
      const again = await explore({ scope: "element", elementId: save.id });
      assert.equal(again.elements[0]?.id, save.id);
      assert.deepEqual(again.elements[0]?.frame, save.frame);
      const { x, y, width, height } = save.frame;
      const there = await explore({ scope: "position", x: x + width / 2, y: y + height / 2 });
      assert.ok(
        [...all(again.elements)].some(({ id }) => id === there.elements[0]?.id),
        JSON.stringify(there),
      );
      await tool("ax_connect", { app: "gedit" });
      const asked = await tool("ax_get_value", { app: "gedit", query: save.id });
      assert.equal(asked.isError, undefined, "an id is a query of other tools");
    });

    await t.step("system: all of them", async () => {
      const { elements } = await explore({ scope: "system", maxDepth: 2 });
      const titles = elements.map(({ title }) => title);
      assert.ok(titles.includes("gnome-calculator") && titles.includes("gedit"), titles.join());
    });

    await t.step("the resources tell of both, and every path of theirs leads back", async () => {
      const names = z.record(z.string(), z.string()).parse(await read("macos://applications"));
      assert.equal(names["org.gnome.Calculator"], "Calculator");
      assert.equal(names["org.gnome.gedit"], "gedit");
      const Found = z.array(z.looseObject({ path: z.string(), title: z.string().optional() }));
      for (const id of ["org.gnome.Calculator", "org.gnome.gedit"]) {
        const windows = Found.parse(await read(`macos://applications/${id}/windows?includeMinimized=false`));
        assert.equal(windows.length, 1, JSON.stringify(windows));
        const acts = Found.parse(
          await read(
            `macos://ui/AXApplication[@bundleIdentifier="${id}"]?interactable=true&limit=8&maxDepth=40`,
          ),
        );
        assert.equal(acts.length, 8, JSON.stringify(acts));
        for (const { path, title } of [...windows, ...acts.slice(0, 5)]) {
          const one = z.looseObject({
            path: z.string(),
            title: z.string().optional(),
            children: z.array(z.unknown()),
          })
            .parse(await read(`${path}?maxDepth=0`));
          assert.deepEqual([one.path, one.title], [path, title]);
          assert.deepEqual(one.children, []);
        }
        assert.deepEqual(
          await read(`macos://applications/${id}/menus?includeSubmenus=true`),
          [],
          "they have no bar",
        );
      }
      const query = Found.parse(
        await read(
          'macos://ui/AXApplication[@bundleIdentifier="org.gnome.gedit"]?interactable=true&maxDepth=40',
        ),
      ).find(({ title }) => title === "Save");
      const asked = await tool("ax_find", { app: "gedit", query: query?.path ?? "" });
      assert.equal(asked.structuredContent?.["found"], true, "a path is a query of other tools");
    });

    await t.step("every row of gedit has a path of its own that leads back to it", async () => {
      leadsBack(await desk.desktop.snapshot(editor, { fields: ["extents", "id"] }), "org.gnome.gedit");
    });
  });
});

const qt = "/usr/lib/x86_64-linux-gnu/qt5/examples/widgets/mainwindows/application/application";
Deno.test({
  name: `a Qt application is explored, its menus are told, and every path of its tree leads back${
    existsSync(qt) ? "" : ": not run, qtbase5-examples is not installed"
  }`,
  ignore: !existsSync(qt),
}, async () => {
  await withClient(async ({ desk, explore, open, read }) => {
    const application = await open(qt, has("File"));
    const { elements } = await explore({
      scope: "application",
      bundleId: String(application.pid),
      elementTypes: ["textfield"],
    });
    assert.deepEqual(
      elements.map(({ role }) => role),
      ["AXTextArea"],
      "no question that Qt does not know cuts its tree",
    );
    const Menus = z.array(z.looseObject({
      title: z.string(),
      path: z.string(),
      children: z.array(z.looseObject({ title: z.string(), path: z.string() })).optional(),
    }));
    const names = z.record(z.string(), z.string()).parse(await read("macos://applications"));
    const [id = "", ...more] = Object.keys(names);
    assert.deepEqual(more, []);
    const menus = Menus.parse(await read(`macos://applications/${encodeURIComponent(id)}/menus`));
    assert.deepEqual(menus.map(({ title }) => title), ["File", "Edit", "Help"]);
    for (const { path, children = [] } of menus) {
      for (const one of [path, ...children.map((item) => item.path)]) {
        assert.equal(z.looseObject({ path: z.string() }).parse(await read(`${one}?maxDepth=0`)).path, one);
      }
    }
    leadsBack(await desk.desktop.snapshot(application, { fields: ["extents", "id"] }), id);
  });
});

const factory = "/usr/bin/gtk4-widget-factory";
const tokenizer = join(references, "gpt-tokenizer/esm/encoding/o200k_base.js");
const lacking = [factory, tokenizer].filter((path) => !existsSync(path));
Deno.test({
  name: "a compact outline of gtk4-widget-factory costs at most a quarter of the tokens of its tree as JSON" +
    (lacking.length > 0 ? `: not run, ${lacking.join(" and ")} is not there` : ""),
  ignore: lacking.length > 0,
}, async (t) => {
  const { countTokens } = await import(tokenizer);
  await withClient(async ({ desk, open, tool }) => {
    const application = await open("gtk4-widget-factory", (snapshot) => snapshot.size > 500);
    assert.equal((await tool("ax_connect", { app: "gtk4-widget-factory" })).isError, undefined);
    for (const max_depth of [5, 12, 50]) {
      await t.step(`${max_depth} levels`, async () => {
        const tokens = async (compact: boolean) => {
          const { content, isError } = await tool("ax_get_tree", {
            app: "gtk4-widget-factory",
            max_depth,
            ...(compact ? { compact } : { max_nodes: 100_000 }),
          });
          assert.equal(isError, undefined, JSON.stringify(content));
          const text = content.flatMap((one) => one.type === "text" ? [one.text] : []).join("\n");
          return z.number().parse(countTokens(text));
        };
        const [whole, outline] = [await tokens(false), await tokens(true)];
        assert.ok(outline <= whole / 4, `${outline} of ${whole}`);
      });
    }
    leadsBack(await desk.desktop.snapshot(application, { fields: ["extents", "id"] }), "gtk4-widget-factory");
  });
});
