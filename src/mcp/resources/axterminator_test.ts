import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { simulate } from "../../desktop/simulated/simulate.ts";
import type { SimulatedDesktop } from "../../desktop/simulated/simulated-desktop.ts";
import { OPEN_SECURITY } from "../../policy/security.ts";
import { openSession } from "../../session/open-session.ts";
import type { ResourceContents } from "../server/resource.ts";
import { ProtocolError } from "../server/wire.ts";
import { axterminator } from "./axterminator.ts";
import type { Insight } from "./axterminator/insight.ts";
import { visionOf } from "./axterminator/vision.ts";
import { type TestClient, testClient, testHost } from "./_client.ts";

const insight: Insight = {
  fields: ["id"],
  pattern: () => "login_form",
  state: () => "auth_required",
  suggestions: () => [{ action: "Type the name", tool: "ax_type", query: "User" }],
};
const provider = axterminator({ insight, vision: () => ({ backend: "mlx", available: true }) });

async function withClient(
  applications: readonly string[],
  use: (client: TestClient, desktop: SimulatedDesktop) => Promise<void>,
  security = OPEN_SECURITY,
): Promise<void> {
  const desktop = simulate({ applications });
  const session = await openSession({ kind: "simulated", simulate: () => desktop });
  const client = testClient(testHost(session, security));
  try {
    await use(client, desktop);
  } finally {
    client.end();
    await session.close();
  }
}

async function read(client: TestClient, uri: string, from = provider): Promise<Record<string, unknown>> {
  const [contents] = await from.read(uri, client.call) ?? [];
  assert.ok(contents !== undefined && "text" in contents);
  assert.equal(contents.uri, uri);
  assert.equal(contents.mimeType, "application/json");
  return JSON.parse(contents.text);
}

async function refused(client: TestClient, uri: string): Promise<ProtocolError> {
  try {
    await provider.read(uri, client.call);
  } catch (error) {
    assert.ok(error instanceof ProtocolError, String(error));
    return error;
  }
  throw new Error(`${uri} was answered`);
}

Deno.test("the status says what the server can do and to what it is connected", async () => {
  await withClient(["sim.editor"], async (client) => {
    await client.connect("sim.editor", "notes");
    const { uptime_seconds, platform, ...status } = await read(client, "axterminator://system/status");
    assert.ok(typeof uptime_seconds === "number" && typeof platform === "string");
    assert.deepEqual(status, {
      accessibility_enabled: true,
      server_version: "0.0.0-test",
      protocol_version: "2025-11-25",
      vlm_backend: "mlx",
      vlm_available: true,
      connected_apps: ["notes"],
      desktop: "simulated",
      security_mode: "normal",
    });
  });
});

Deno.test("who would look at a picture is the client's model, else the one that is set up, else a reader of texts", async () => {
  await withClient([], (client) => {
    const plain = client.call;
    const sampling = { ...plain, client: { ...plain.client, can: { ...plain.client.can, sampling: true } } };
    const keys = (name: string) => name === "OPENAI_API_KEY" ? "sk-1" : undefined;
    const strange = (name: string) => name === "BACKSTEP_VLM_BACKEND" ? "nobody" : undefined;
    assert.deepEqual(visionOf(sampling, keys), { backend: "sampling", available: true });
    assert.deepEqual(visionOf(plain, keys), { backend: "openai", available: true });
    assert.deepEqual(visionOf(plain, () => undefined), { backend: "ocr", available: false });
    assert.deepEqual(visionOf(plain, strange), { backend: "unknown", available: false });
    return Promise.resolve();
  });
});

Deno.test("the list of applications has a summary of the connected ones", async () => {
  await withClient(["sim.editor", "sim.login"], async (client) => {
    await client.connect("sim.login", "door");
    const { apps } = await read(client, "axterminator://apps");
    assert.ok(Array.isArray(apps) && apps.length === 2);
    const [editor, login] = apps;
    assert.equal(editor.bundle_id, "sim.editor");
    assert.equal(editor.connected, false);
    assert.ok(!("state" in editor));
    assert.equal(login.connected, true);
    assert.equal(login.alias, "door");
    assert.equal(login.state, "auth_required");
    assert.equal(typeof login.focused_window, "string");
  });
});

Deno.test("11.3: every connected application has a focused window, also one that is not in front", async () => {
  await withClient(["sim.editor", "sim.login"], async (client, desktop) => {
    await client.connect("sim.editor");
    await client.connect("sim.login");
    const { apps } = await read(client, "axterminator://apps");
    assert.ok(Array.isArray(apps));
    const windows = await desktop.windows();
    assert.equal(windows.filter(({ active }) => active).length, 1);
    for (const { pid, focused_window: title } of apps) {
      assert.equal(title, windows.find((one) => one.pid === pid)?.title);
    }
  });
});

Deno.test("the clipboard is told as it is, and null when it holds no text", async () => {
  await withClient([], async (client, desktop) => {
    assert.deepEqual(await read(client, "axterminator://clipboard"), { text: null });
    await desktop.writeClipboard("left ❄");
    assert.deepEqual(await read(client, "axterminator://clipboard"), { text: "left ❄" });
  });
});

Deno.test("a state has windows, focus, menus, pattern and suggestions", async () => {
  await withClient(["sim.editor"], async (client, desktop) => {
    await client.connect("sim.editor");
    const [name = ""] = client.session.connections.list.map((one) => one.name);
    const state = await read(client, `axterminator://app/${encodeURIComponent(name)}/state`);
    const [window] = await desktop.windows();
    assert.ok(window);
    assert.deepEqual(state.windows, [{
      title: window.title,
      focused: true,
      position: [window.rect.x, window.rect.y],
      size: [window.rect.width, window.rect.height],
    }]);
    assert.equal(state.app, name);
    assert.equal(state.pid, window.pid);
    assert.equal(state.detected_state, "auth_required");
    assert.equal(state.detected_pattern, "login_form");
    assert.deepEqual(state.suggestions, [{ action: "Type the name", tool: "ax_type", query: "User" }]);
    const focus = state.focused_element;
    assert.ok(typeof focus === "object" && focus !== null && "role" in focus);
    assert.match(String(focus.role), /^AXText/);
    assert.ok(Array.isArray(state.menu_bar) && state.menu_bar.length > 0);
  });
});

Deno.test("an application that does not answer within half a second is busy", async () => {
  await withClient(["sim.editor"], async (client, desktop) => {
    await client.connect("sim.editor", "ed");
    desktop.inject({ fault: "hang", app: "sim.editor", ms: 1_500, when: { app: "sim.editor" } });
    const state = await read(client, "axterminator://app/ed/state");
    assert.equal(state.detected_state, "busy");
    assert.ok(Array.isArray(state.windows) && state.windows.length === 1);
  });
});

Deno.test("the tree of an application and of its window speak of the same elements", async () => {
  await withClient(["sim.login"], async (client) => {
    await client.connect("sim.login", "a/b ?#%");
    const name = encodeURIComponent("a/b ?#%");
    const whole = await read(client, `axterminator://app/${name}/tree`);
    assert.equal(whole.role, "AXApplication");
    const window = await read(client, `axterminator://app/${name}/window/0/tree`);
    assert.equal(window.role, "AXWindow");
    assert.deepEqual(whole.children, [window]);
    const text = JSON.stringify(whole);
    assert.match(text, /"role":"AXButton"/);
    assert.match(text, /"position":\[\d+,\d+\]/);
    const error = await refused(client, `axterminator://app/${name}/window/7/tree`);
    assert.equal(error.code, -32002);
  });
});

Deno.test("what a password field holds is in no tree", async () => {
  await withClient(["sim.login"], async (client, desktop) => {
    desktop.person("sim.login", "password", { text: "hunter2" });
    await client.connect("sim.login", "door");
    const text = JSON.stringify(await read(client, "axterminator://app/door/tree"));
    assert.match(text, /AXSecureTextField/);
    assert.ok(!text.includes("hunter2") && !text.includes("•"));
  });
});

Deno.test("a large tree comes in pages of at most 100 KB, the upper levels first", async () => {
  const applications = [{
    id: "sim.large",
    name: "Large",
    windows: [{
      key: "main",
      title: "Large",
      children: Array.from({ length: 40 }, (_, k) => ({
        kind: "panel" as const,
        key: `box${k}`,
        name: `Box ${k}`,
        children: Array.from({ length: 40 }, (_, n) => ({
          kind: "button" as const,
          key: `button${k}.${n}`,
          name: `Button ${n} of ${k}`,
        })),
      })),
    }],
  }];
  const session = await openSession({ kind: "simulated", simulate: () => simulate({ applications }) });
  const client = testClient(testHost(session));
  try {
    await client.connect("sim.large");
    const address = "axterminator://app/Large/tree";
    let next: string | undefined = address;
    const seen: string[] = [];
    let pages = 0;
    while (next !== undefined) {
      const contents: readonly ResourceContents[] = await provider.read(next, client.call) ?? [];
      const [page] = contents;
      assert.ok(page !== undefined && "text" in page);
      assert.ok(page.text.length <= 110_000, `${page.text.length} bytes`);
      JSON.parse(page.text);
      seen.push(...page.text.match(/Button \d+ of \d+/g) ?? []);
      pages++;
      const cursor: string | undefined = page._meta?.nextCursor;
      next = cursor === undefined ? undefined : `${address}?cursor=${cursor}`;
    }
    assert.ok(pages > 1);
    assert.equal(seen.length, 1_600);
    assert.equal(new Set(seen).size, 1_600);
    const error = await refused(client, `${address}?cursor=feedfeed-1`);
    assert.equal(error.code, -32602);
  } finally {
    await session.close();
  }
});

Deno.test("a screenshot is a PNG of the window", async () => {
  await withClient(["sim.calculator"], async (client) => {
    await client.connect("sim.calculator", "calc");
    const [contents] = await provider.read("axterminator://app/calc/screenshot", client.call) ?? [];
    assert.ok(contents !== undefined && "blob" in contents);
    assert.equal(contents.mimeType, "image/png");
    assert.equal(Buffer.from(contents.blob, "base64").subarray(1, 4).toString(), "PNG");
  });
});

Deno.test("an application that is not connected is not found, with those that are", async () => {
  await withClient(["sim.editor"], async (client) => {
    await client.connect("sim.editor", "ed");
    const error = await refused(client, "axterminator://app/Safari/tree");
    assert.equal(error.code, -32002);
    assert.deepEqual(error.data, {
      uri: "axterminator://app/Safari/tree",
      name: "Safari",
      connected: ["ed"],
      suggestion: "Call ax_connect with it first. Connected: ed.",
    });
  });
});

Deno.test("an application that has ended is not found, and is connected no more", async () => {
  await withClient(["sim.calculator"], async (client, desktop) => {
    await client.connect("sim.calculator", "calc");
    desktop.quit("sim.calculator", { force: true });
    const error = await refused(client, "axterminator://app/calc/state");
    assert.equal(error.code, -32002);
    assert.deepEqual(client.session.connections.list, []);
  });
});

Deno.test("an application that is denied is in no list and in no answer", async () => {
  const security = {
    ...OPEN_SECURITY,
    blocked: ({ id }: { readonly id?: string }) => id === "sim.login" ? "denied by the policy" : undefined,
  };
  await withClient(["sim.editor", "sim.login"], async (client) => {
    await client.connect("sim.login", "door");
    const { apps } = await read(client, "axterminator://apps");
    assert.ok(Array.isArray(apps) && apps.length === 1 && apps[0].bundle_id === "sim.editor");
    assert.deepEqual(await provider.listed?.(client.call), []);
    const error = await refused(client, "axterminator://app/door/state");
    assert.match(error.message, /denied by the policy/);
  }, security);
});

const STRANGE = [
  "axterminator://",
  "axterminator://app/ed",
  "axterminator://app//tree",
  "axterminator://app/ed/tree/",
  "axterminator://app/ed/window/-1/tree",
  "axterminator://app/ed/window/1e3/tree",
  "axterminator://app/ed/state?cursor=1",
  "axterminator://app/%E0%A4%A/tree",
  "axterminator://system/status?x=1",
  "axterminator://apps/",
];
for (const uri of STRANGE) {
  Deno.test(`${uri} is of the family and is not there`, async () => {
    await withClient(["sim.editor"], async (client) => {
      await client.connect("sim.editor", "ed");
      assert.equal((await refused(client, uri)).code, -32002);
    });
  });
}

Deno.test("addresses of other families are left to others", async () => {
  await withClient([], async (client) => {
    assert.equal(await provider.read("macos://apps", client.call), undefined);
    assert.equal(await provider.read("axterminators://apps", client.call), undefined);
  });
});

Deno.test("what is listed of an application can be read at its address", async () => {
  await withClient(["sim.editor"], async (client) => {
    await client.connect("sim.editor", "a b/c");
    const resources = await provider.listed?.(client.call) ?? [];
    assert.deepEqual(resources.map((one) => one.uri.split("/").at(-1)), [
      "tree",
      "screenshot",
      "state",
      "events",
    ]);
    for (const { uri, annotations } of resources) {
      assert.ok(annotations);
      assert.equal((await provider.read(uri, client.call))?.length, 1);
    }
  });
});

Deno.test("names of connected applications and numbers of their windows are completed", async () => {
  await withClient(["sim.editor", "sim.login"], async (client) => {
    await client.connect("sim.editor", "Editor one");
    await client.connect("sim.login", "door");
    const tree = "axterminator://app/{name}/tree", window = "axterminator://app/{name}/window/{index}/tree";
    const ask = (template: string, variable: string, value: string, filled: Record<string, string> = {}) =>
      provider.complete?.(template, variable, value, filled, client.call);
    assert.deepEqual(await ask(tree, "name", ""), ["Editor one", "door"]);
    assert.deepEqual(await ask(tree, "name", "ed"), ["Editor one"]);
    assert.deepEqual(await ask(window, "index", "", { name: "door" }), ["0"]);
    assert.deepEqual(await ask(window, "index", "7", { name: "door" }), []);
    assert.deepEqual(await ask(window, "index", ""), []);
    assert.deepEqual(await ask("macos://ui/{x}", "x", ""), []);
  });
});
