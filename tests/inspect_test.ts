import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { missingFor } from "../scripts/action-names/stage.ts";
import { RecordStage } from "../scripts/recordings/stage.ts";
import { Deadline } from "../src/base/call.ts";
import { catalogue } from "../src/catalogue.ts";
import { type OpenInspector, openInspector } from "../src/inspect/open.ts";
import { Browser } from "./_browser.ts";
import { isInstalled } from "./_installed.ts";

const missing = missingFor("gtk3") ?? (isInstalled("/usr/bin/chromium") ? undefined : "chromium");
const Texts = z.array(z.string());

/** A fixture on a private desktop, an inspector of it, and a page of that. */
async function inspecting(
  test: (on: {
    readonly stage: RecordStage;
    readonly opened: OpenInspector;
    readonly browser: Browser;
    readonly output: string;
  }) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "backstep-inspect-"));
  try {
    await using stage = await RecordStage.open("gtk3");
    const output = join(folder, "form.yaml");
    const opened = await openInspector({
      session: stage.session,
      operations: catalogue,
      folder,
      admission: [],
      state: join(folder, "state"),
      app: stage.application.name,
      output,
    });
    try {
      await using browser = await Browser.start();
      await test({ stage, opened, browser, output });
    } finally {
      await opened.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The row of an element in the page, by role and name. */
const row = (role: string, name: string) =>
  `inspector.state.rows.find((row) => row.role === ${JSON.stringify(role)} && row.name === ${
    JSON.stringify(name)
  })`;
const choose = (role: string, name: string) => `void inspector.choose(${row(role, name)}, true)`;
const CAN = `inspector.state.possible !== undefined`;

/** How often the application says that it was clicked; it may say so a moment after the page was answered. */
async function clicks(stage: RecordStage, name: string): Promise<number> {
  const all = () => stage.account().filter(({ what, of }) => what === "clicked" && of === name).length;
  const deadline = Deadline.after(5_000), watch = stage.session.desktop.watch(stage.application);
  try {
    while (all() === 0 && !deadline.passed) await watch.next({ timeout: 50 });
  } finally {
    watch.close();
  }
  return all();
}

Deno.test({
  name:
    "inspect: a person chooses, fills, clicks, undoes, asserts and records in the page; the application's own account says so",
  ignore: missing !== undefined,
}, () =>
  inspecting(async ({ stage, opened, browser, output }) => {
    const value = (what: string, of: string) =>
      stage.account().findLast((line) => line.what === what && line.of === of)?.value;
    await browser.do("open", "one", opened.url);
    await browser.do("until", "one", `${row("button", "Save")} !== undefined`);
    await browser.do("click", "one", "#tab-recorder");
    await browser.do("click", "one", ".rec");
    await browser.do("until", "one", "inspector.state.record?.recording");

    await browser.do("evaluate", "one", choose("textfield", "Title"));
    await browser.do("click", "one", "#tab-element");
    await browser.do("until", "one", CAN);
    const effects = await browser.read(
      "one",
      `inspector.state.possible.map((one) => one.operation + " " + one.effect)`,
      Texts,
    );
    assert.ok(effects.includes("set restorable"), effects.join());
    const selectors = await browser.read(
      "one",
      `inspector.state.facts.locators.map((one) => one.selector)`,
      Texts,
    );
    assert.equal(selectors[0], 'textfield[name="Title"]');

    await browser.do("fill", "one", '[aria-label="set: value"]', "Ada");
    await browser.do("click", "one", '.operations button:has-text("set")');
    await browser.do("until", "one", "inspector.state.acts.length === 1");
    assert.equal(value("text", "Title"), "Ada");

    await browser.do("click", "one", '.top button:has-text("Undo")');
    await browser.do("until", "one", `inspector.state.acts[0].undo === "undone"`);
    assert.equal(value("text", "Title"), "");

    await browser.do("evaluate", "one", choose("textfield", "Title"));
    await browser.do("until", "one", CAN);
    await browser.do("fill", "one", '[aria-label="set: value"]', "Grace");
    await browser.do("click", "one", '.operations button:has-text("set")');
    await browser.do("until", "one", "inspector.state.acts.length === 3");

    // With the picture: a click of a person on what it shows.
    await browser.do("click", "one", '.segments button:has-text("Use")');
    await browser.do("evaluate", "one", `globalThis.save = ${row("button", "Save")}`);
    const at = await browser.read(
      "one",
      `(() => { const c = document.querySelector(".screen").getBoundingClientRect(), k = c.width / 1280;
        return { x: (save.x + save.width / 2) * k, y: (save.y + save.height / 2) * k }; })()`,
      z.object({ x: z.number(), y: z.number() }),
    );
    await browser.do("click", "one", ".screen", { position: at });
    await browser.do("until", "one", "inspector.state.acts.length === 4");
    assert.equal(await clicks(stage, "Save"), 1);

    await browser.do("click", "one", '.segments button:has-text("Assert")');
    await browser.do("evaluate", "one", choose("textfield", "Title"));
    await browser.do("click", "one", "#tab-recorder");
    await browser.do("evaluate", "one", `void inspector.assert(${row("textfield", "Title")})`);
    await browser.do("click", "one", `.assertions button:has-text('value is "Grace"')`);
    await browser.do("until", "one", `inspector.state.record.text.includes("assert")`);

    // The file is edited beside: a fault has its line, and what is recorded afterwards goes behind the last step.
    const text = await browser.read("one", "inspector.state.record.text", z.string());
    await browser.do("fill", "one", "#file", text.replace("- click:", "- clik:"));
    await browser.do("until", "one", "inspector.state.record.problems.length > 0");
    assert.match(String(await browser.do("text", "one", ".problems")), /line 8[^]*clik[^]*click/);
    await browser.do("fill", "one", "#file", text.replace("name: form", "name: Grace saves\n# by hand"));
    await browser.do(
      "until",
      "one",
      "inspector.state.record.edited && inspector.state.record.problems.length === 0",
    );
    await browser.do("evaluate", "one", choose("checkbox", "Bold"));
    await browser.do("click", "one", "#tab-element");
    await browser.do("until", "one", `inspector.state.facts?.what.includes("Bold") && ${CAN}`);
    await browser.do("click", "one", '.operations button:has-text("click")');
    await browser.do("until", "one", "inspector.state.acts.length === 5");
    await browser.do("click", "one", "#tab-recorder");
    await browser.do("until", "one", "inspector.state.record.steps.length === 4");
    await browser.do("click", "one", '.right button:has-text("Save")');
    await browser.do("until", "one", "inspector.state.record.saved");
    assert.equal(
      readFileSync(output, "utf8"),
      `name: Grace saves
# by hand
app: ${stage.application.name}
vars:
  title: { type: string, default: Grace }
steps:
  - set: { target: 'textfield[name="Title"]', value: '{{vars.title}}' }
  # Cannot be undone, unless you add: undo: [ { click: 'button[name="…"]' } ]
  - click: 'button[name="Save"]'
  - assert: { target: 'textfield[name="Title"]', value: '{{vars.title}}' }
  - click: 'checkbox[name="Bold"]'
`,
    );
    const { faults } = await browser.reported();
    assert.deepEqual(faults, []);
    // Somebody else's words are not written over.
    writeFileSync(output, "name: theirs\n");
    await browser.do("fill", "one", "#file", "name: mine\n");
    await browser.do("until", "one", "inspector.state.record.text === 'name: mine\\n'");
    await browser.do("click", "one", '.right button:has-text("Save")');
    await browser.do("until", "one", `inspector.state.said?.text.includes("changed outside")`);
    assert.equal(readFileSync(output, "utf8"), "name: theirs\n");
  }));

Deno.test({
  name:
    "inspect: nothing is read and no picture taken while nobody looks; two pages see the same; frozen, a page sees what was",
  ignore: missing !== undefined,
}, () =>
  inspecting(async ({ opened, browser, stage }) => {
    const { inspector } = opened;
    await new Promise((resolve) => setTimeout(resolve, 300)); // nothing tells that nothing happens
    assert.equal(inspector.screen.taken, 0);
    await browser.do("open", "one", opened.url);
    await browser.do("open", "two", opened.url);
    for (const page of ["one", "two"]) {
      await browser.do(
        "until",
        page,
        `${row("textfield", "Title")} !== undefined && inspector.drawn.times > 0`,
      );
    }
    assert.equal(inspector.viewers, 2);
    await browser.do("click", "two", '.top button:has-text("Freeze")');
    const name = await stage.snapshot();
    const at = [...Array(name.size).keys()].find((k) =>
      name.name(k) === "Title" && name.has(k, "editable")
    ) ??
      -1;
    await stage.session.desktop.act(name.element(at), { do: "setText", text: "Ada" });
    await browser.do("until", "one", `${row("textfield", "Title")}.text === "Ada"`);
    assert.equal(await browser.do("evaluate", "two", `${row("textfield", "Title")}.text`), "");
    await browser.do("leave", "one");
    await browser.do("leave", "two");
    const limit = performance.now() + 10_000;
    while (inspector.viewers > 0 && performance.now() < limit) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.equal(inspector.viewers, 0);
    const taken = inspector.screen.taken;
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(inspector.screen.taken, taken);
  }));

Deno.test({
  name:
    "inspect: password fields are black, axe-core finds nothing, light and dark, and the page asks nobody else",
  ignore: missing !== undefined,
}, () =>
  inspecting(async ({ opened, browser, stage }) => {
    const tree = await stage.snapshot();
    const at = [...Array(tree.size).keys()].find((k) => tree.name(k) === "Password") ?? -1;
    await stage.session.desktop.act(tree.element(at), { do: "setText", text: "lantern-4711" });
    await browser.do("open", "one", opened.url);
    await browser.do(
      "until",
      "one",
      `${row("passwordfield", "Password")}?.width > 0 && inspector.drawn.times > 0`,
    );
    // In the middle of the field there is nothing but black; beside it there is not.
    const pixels = `(() => { const row = ${row("passwordfield", "Password")};
      const data = document.querySelector(".screen").getContext("2d").getImageData(row.x + 2, row.y + 2, row.width - 4, row.height - 4).data;
      let lit = 0; for (let k = 0; k < data.length; k += 4) if (data[k] + data[k + 1] + data[k + 2] > 0) lit++; return lit; })()`;
    assert.equal(await browser.do("evaluate", "one", pixels), 0);
    assert.notEqual(
      await browser.do(
        "evaluate",
        "one",
        pixels.replace("Password", "Title").replace("passwordfield", "textfield"),
      ),
      0,
    );
    assert.ok(!JSON.stringify(await browser.do("evaluate", "one", "inspector.state")).includes("lantern"));

    await browser.do("evaluate", "one", choose("textfield", "Title"));
    await browser.do("until", "one", CAN);
    await browser.do("fill", "one", "#selector", "button[");
    await browser.do("until", "one", "inspector.state.matches?.why");
    for (const dark of [false, true]) {
      await browser.do("dark", "one", dark);
      for (const tab of ["element", "recorder", "history"]) {
        await browser.do("click", "one", `#tab-${tab}`);
        assert.deepEqual(await browser.do("axe", "one"), [], `${tab}, ${dark ? "dark" : "light"}`);
      }
      await browser.do("click", "one", '.top button:has-text("Runs")');
      assert.deepEqual(await browser.do("axe", "one"), [], `runs, ${dark ? "dark" : "light"}`);
      await browser.do("click", "one", '.top button:has-text("Live")');
    }
    const { requests, faults } = await browser.reported();
    const origin = new URL(opened.url).origin;
    assert.deepEqual(requests.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith("data:")), []);
    // What the browser says of the test's own reading of the picture.
    assert.deepEqual(faults.filter((line) => !line.includes("willReadFrequently")), []);
  }));

Deno.test({
  name: "inspect: by keyboard alone: search, walk the tree, try a selector, act and undo",
  ignore: missing !== undefined,
}, () =>
  inspecting(async ({ opened, browser, stage }) => {
    await browser.do("open", "one", opened.url);
    await browser.do("until", "one", `${row("checkbox", "Bold")} !== undefined`);
    await browser.do("press", "one", "/");
    await browser.do("keys", "one", "checkbox bold");
    await browser.do("press", "one", "Enter");
    await browser.do("until", "one", `inspector.state.chosen?.name === "Bold" && ${CAN}`);
    await browser.do(
      "evaluate",
      "one",
      `document.querySelector('.operations button[type="submit"]').focus()`,
    );
    await browser.do("press", "one", "Enter");
    await browser.do("until", "one", "inspector.state.acts.length === 1");
    assert.equal(stage.account().findLast(({ of }) => of === "Bold")?.value, true);
    await browser.do("evaluate", "one", "document.activeElement.blur()");
    await browser.do("press", "one", "s");
    await browser.do("keys", "one", "checkbox:checked");
    await browser.do("until", "one", "inspector.state.matches?.count === 1");
    await browser.do("press", "one", "Enter");
    await browser.do("until", "one", `inspector.state.chosen?.name === "Bold"`);
    await browser.do("fill", "one", "#search", "");
    await browser.do("evaluate", "one", `document.querySelector(".tree").focus()`);
    await browser.do("press", "one", "ArrowDown");
    await browser.do("until", "one", `inspector.state.chosen?.name !== "Bold"`);
    // Keys go to the desktop and come back.
    await browser.do("press", "one", "Alt+2");
    await browser.do("click", "one", '.segments button:has-text("Use")');
    await browser.do("until", "one", `document.activeElement?.tagName === "CANVAS"`);
    await browser.do("press", "one", "Alt+1");
    await browser.do("until", "one", `inspector.state.tool === "choose"`);
    await browser.do("evaluate", "one", `document.querySelector(".tree").focus()`);
    await browser.do("press", "one", "Home");
    await browser.do("until", "one", `inspector.state.chosen?.role === "application"`);
  }));

Deno.test({
  name: "inspect: a foreign Host or Origin, and a missing or wrong token, are refused",
  ignore: missing !== undefined,
}, () =>
  inspecting(async ({ opened }) => {
    const { port, host, hash } = new URL(opened.url);
    const token = hash.slice(1);
    const asked = (path: string, headers: Record<string, string>, method = "POST") =>
      new Promise<{ status: number; policy: string }>((resolve, reject) => {
        const one = request(
          { host: "127.0.0.1", port, path, method, headers: { host, ...headers } },
          (response) => {
            const policy = String(response.headers["content-security-policy"] ?? "");
            response.destroy();
            resolve({ status: response.statusCode ?? 0, policy });
          },
        );
        one.on("error", reject);
        one.end(method === "POST" ? "null" : undefined);
      });
    const good = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const status = async (...of: Parameters<typeof asked>) => (await asked(...of)).status;
    assert.equal(await status("/api/runs", good), 200);
    assert.equal(await status("/api/runs", { ...good, host: `evil.example:${port}` }), 403);
    assert.equal(await status("/api/runs", { ...good, host: "127.0.0.1" }), 403);
    assert.equal(await status("/api/runs", { ...good, origin: "http://evil.example" }), 403);
    assert.equal(await status("/api/runs", { ...good, origin: `http://127.0.0.1:${Number(port) + 1}` }), 403);
    assert.equal(await status("/api/runs", { ...good, origin: `http://${host}` }), 200);
    assert.equal(await status("/api/runs", { ...good, authorization: "Bearer x" }), 401);
    assert.equal(await status("/api/runs", { "content-type": "application/json" }), 401);
    assert.equal(await status("/api/runs", { ...good, "content-type": "text/plain" }), 415);
    assert.equal(await status("/api/nothing", good), 422);
    for (const path of ["/api/notices", "/api/picture"]) {
      assert.equal(await status(path, {}, "GET"), 401);
      assert.equal(await status(path, { ...good, host: "evil.example" }, "GET"), 403);
    }
    assert.equal(await status("/", { host: "evil.example" }, "GET"), 403);
    const page = await asked("/", {}, "GET");
    assert.equal(page.status, 200);
    assert.match(page.policy, /default-src 'none'; connect-src 'self'; .*script-src 'sha256-/);
    assert.ok(!page.policy.includes("unsafe"));
    assert.equal(opened.inspector.screen.taken, 0, "what was refused took no picture");
  }));
