import assert from "node:assert/strict";
import { Role } from "../roles.ts";
import { Driver, has } from "./_driver.ts";
import { simulatedApplications } from "./applications/catalogue.ts";
import { describeApplication } from "./describe.ts";
import { simulate } from "./simulate.ts";

const pair = describeApplication("test.pair", [
  { kind: "entry", key: "one", name: "One" },
  { kind: "entry", key: "two", name: "Two" },
  { kind: "button", key: "swap", name: "Swap" },
  { kind: "toggle", key: "bold", name: "Bold" },
], (app) => ({
  press(key) {
    if (key !== "swap") return;
    const one = app.text("one");
    app.setText("one", app.text("two"));
    app.setText("two", one);
  },
}));

Deno.test("an application of a few lines runs like the others", async () => {
  const desktop = simulate({ applications: [pair] });
  const driver = new Driver(desktop);
  await desktop.typeText("a\tb");
  await driver.press("Swap");
  assert.equal((await driver.read("entry", "One")).text, "b");
  await driver.press("Bold", "toggleButton");
  assert.ok(has(await driver.read("toggleButton", "Bold"), "pressed"));
});

Deno.test("every application of the catalogue launches, draws itself and quits", async () => {
  const desktop = simulate();
  for (const { id, name } of simulatedApplications) {
    assert.equal(desktop.launch(id).name, name);
    assert.equal(
      desktop.launch(id).pid,
      (await desktop.applications()).at(-1)?.pid,
      "launching twice raises",
    );
    const { rgba } = await desktop.screenshot({ what: "screen" });
    assert.ok(new Set(rgba).size > 8);
    desktop.quit(id);
    assert.deepEqual(await desktop.applications(), []);
  }
  assert.throws(() => desktop.launch("sim.calculater"), {
    code: "app_not_found",
    hint: "Did you mean sim.calculator?",
  });
});

Deno.test("who watches before an action sees its event, of the right application only", async () => {
  const desktop = simulate({ applications: [pair, "sim.calculator"] });
  const [first, second] = await desktop.applications();
  assert.ok(first && second);
  const here = desktop.watch(second);
  const there = desktop.watch(first);
  assert.equal(await here.next({ timeout: 5 }), "timeout");
  const waiting = here.next({ timeout: 5_000 });
  await desktop.typeText("7");
  assert.equal(await waiting, "event");
  const event = here.take().find((one) => one.kind === "object:property-change:accessible-name");
  assert.equal(event?.text, "7");
  assert.deepEqual(here.take(), []);
  assert.equal(await there.next({ timeout: 5 }), "timeout");
  const abort = new AbortController();
  const abandoned = here.next({ timeout: 5_000, signal: abort.signal });
  abort.abort();
  await assert.rejects(abandoned, { code: "cancelled" });
  const open = here.next({ timeout: 60_000 });
  await desktop.close();
  assert.equal(await open, "timeout");
});

Deno.test("a watch that nobody reads says that events were lost", async () => {
  const desktop = simulate({ applications: ["sim.calculator"] });
  const watch = desktop.watch();
  await desktop.typeText("1+".repeat(2_000));
  assert.equal(await watch.next({ timeout: 1 }), "lost");
});

Deno.test("windows stack, move, minimise and close, and the tree follows", async () => {
  const desktop = simulate({ applications: [pair, "sim.calculator"] });
  const [below, above] = await desktop.windows();
  assert.ok(below && above?.active);
  await desktop.window(below.id, { do: "activate" });
  assert.deepEqual((await desktop.windows()).map((one) => one.id), [above.id, below.id]);
  await desktop.window(below.id, { do: "place", x: 300, y: 200 });
  const app = (await desktop.applications())[0];
  assert.ok(app);
  const tree = await desktop.snapshot(app);
  assert.deepEqual([tree.rect(1)?.x, tree.rect(1)?.y], [300, 200]);
  await desktop.window(below.id, { do: "minimise" });
  assert.ok((await desktop.windows()).find((one) => one.id === above.id)?.active);
  assert.equal((await desktop.snapshot(app)).rect(1), undefined);
  await desktop.window(below.id, { do: "close" });
  assert.equal((await desktop.applications()).length, 1);
  await assert.rejects(desktop.window(below.id, { do: "activate" }), { code: "stale" });
});

Deno.test("windows are listed bottom to top, and popups last, above a window that is raised over their own", async () => {
  const desktop = simulate({ applications: ["sim.settings", "sim.calculator"] });
  const [settings, calculator] = await desktop.windows();
  const app = (await desktop.applications())[0];
  assert.ok(settings && calculator && app);
  const combo = await desktop.snapshot(app).then((tree) => {
    const row = Array.from({ length: tree.size }, (_, r) => r).find((r) => tree.role(r) === Role.comboBox);
    return tree.element(row ?? -1);
  });
  await desktop.act(combo, { do: "action", name: "press" });
  const listed = async () => (await desktop.windows()).map((one) => one.popup ? "popup" : one.windowClass);
  assert.deepEqual(await listed(), ["sim.settings", "sim.calculator", "popup"]);
  const popup = (await desktop.windows()).at(-1);
  assert.ok(popup);
  const { x, y } = popup.rect;
  await desktop.window(settings.id, { do: "activate" });
  await desktop.window(calculator.id, { do: "activate" });
  await desktop.window(calculator.id, { do: "place", x, y });
  assert.deepEqual(await listed(), ["sim.settings", "sim.calculator", "popup"]);
  assert.ok(await desktop.elementAt(app, x + 2, y + 2), "what is listed last is reached first");
  await desktop.window(settings.id, { do: "minimise" });
  assert.deepEqual(await listed(), ["sim.settings", "sim.calculator"]);
});

Deno.test("the pointer and elementAt agree on what lies where", async () => {
  const desktop = simulate({ applications: ["sim.settings"] });
  const driver = new Driver(desktop);
  const app = await driver.app();
  const tree = await driver.tree();
  let met = 0;
  for (let row = 0; row < tree.size; row++) {
    const rect = tree.rect(row);
    if (!rect || tree.children(row).length > 0) continue;
    const at = await desktop.elementAt(app, rect.x + 2, rect.y + 2);
    assert.equal(at?.path, tree.element(row).path, tree.name(row));
    met++;
  }
  assert.ok(met > 15);
  assert.equal(await desktop.elementAt(app, 1_279, 799), undefined);
});

Deno.test("a snapshot agrees with the reads of its elements", async () => {
  const desktop = simulate({ applications: ["sim.settings"] });
  const tree = await desktop.snapshot(await new Driver(desktop).app(), {
    fields: ["extents", "text", "caret", "value", "actions", "attributes", "selection", "id"],
  });
  for (let row = 0; row < tree.size; row++) {
    const reading = await desktop.read(tree.element(row));
    assert.deepEqual(
      [reading.role, reading.name, reading.id, reading.statesLow, reading.statesHigh, reading.interfaces],
      [
        tree.role(row),
        tree.name(row),
        tree.id(row),
        tree.statesLow(row),
        tree.statesHigh(row),
        tree.columns.interfaces[row],
      ],
    );
    assert.deepEqual(
      [reading.rect, reading.text, reading.caret, reading.value, reading.selectedChildren, reading.actions],
      [
        tree.rect(row),
        tree.text(row),
        tree.caret(row),
        tree.value(row),
        tree.selected(row),
        tree.actions(row),
      ],
      tree.name(row),
    );
    assert.equal(reading.childCount, tree.children(row).length);
  }
});

Deno.test("a snapshot says what it cut, and can begin at an element", async () => {
  const desktop = simulate({ applications: ["sim.list"] });
  const driver = new Driver(desktop);
  const app = await driver.app();
  assert.deepEqual((await desktop.snapshot(app, { maxNodes: 50 })).origin.cut, ["nodes"]);
  assert.deepEqual((await desktop.snapshot(app, { maxDepth: 2 })).origin.cut, ["depth"]);
  const root = await driver.find("listBox", "Rows");
  const part = await desktop.snapshot(app, { root, maxDepth: 0 });
  assert.equal(part.size, 1);
  assert.equal(part.columns.children[0], 10_000);
});

Deno.test("two pictures of the same state are the same, and a change shows", async () => {
  const desktop = simulate({ applications: ["sim.calculator"] });
  const first = await desktop.screenshot({ what: "screen" });
  assert.equal(first.rgba.length, first.width * first.height * 4);
  assert.ok(first.rgba.every((byte, i) => i % 4 !== 3 || byte === 255));
  assert.deepEqual(await desktop.screenshot({ what: "screen" }), first);
  await desktop.typeText("5");
  assert.notDeepEqual((await desktop.screenshot({ what: "screen" })).rgba, first.rgba);
  const part = await desktop.screenshot({ what: "rect", rect: { x: 5, y: 6, width: 7, height: 8 } });
  assert.equal(part.rgba.length, 7 * 8 * 4);
});

Deno.test("actions that an element has nothing for are unsupported, unknown keys invalid", async () => {
  const desktop = simulate({ applications: [pair] });
  const driver = new Driver(desktop);
  await assert.rejects(driver.act("pushButton", "Swap", { do: "setText", text: "x" }), {
    code: "unsupported",
  });
  await assert.rejects(driver.act("pushButton", "Swap", { do: "action", name: "fly" }), {
    code: "unsupported",
  });
  await assert.rejects(driver.act("entry", "One", { do: "select", child: 0 }), { code: "unsupported" });
  await assert.rejects(desktop.pressKeys(["ctrl", "Retrun"]), { code: "invalid" });
  await assert.rejects(desktop.applications({ signal: AbortSignal.abort() }), { code: "cancelled" });
});

Deno.test("keys are keys: shift makes capitals, a letter alone is small, names and signs agree", async () => {
  const desktop = simulate({ applications: [pair] });
  for (
    const keys of [["A"], ["shift", "a"], ["shift", "1"], ["space"], ["plus"], ["+"], ["é"], ["Shift", "é"]]
  ) {
    await desktop.pressKeys(keys);
  }
  await desktop.pressKeys(["Home"]);
  await desktop.pressKeys(["Delete"]);
  assert.equal((await new Driver(desktop).read("entry", "One")).text, "A! ++éÉ");
});

Deno.test("text positions count characters, whatever they weigh", async () => {
  const driver = new Driver(simulate({ applications: [pair] }));
  await driver.act("entry", "One", { do: "setText", text: "a👋b" });
  await driver.act("entry", "One", { do: "insertText", at: 2, text: "é" });
  await driver.act("entry", "One", { do: "deleteText", start: 1, end: 2 });
  await driver.act("entry", "One", { do: "selectText", start: 0, end: 2 });
  const { text, caret, textSelection } = await driver.read("entry", "One");
  assert.deepEqual([text, caret, textSelection], ["aéb", 2, [0, 2]]);
});

Deno.test("the log holds each action with what it changed, before and after", async () => {
  const desktop = simulate({ applications: [pair] });
  await new Driver(desktop).act("entry", "Two", { do: "setText", text: "x" });
  assert.deepEqual(desktop.log.entries.at(-1), {
    n: 2,
    by: "caller",
    did: "act",
    app: "test.pair",
    element: "two",
    detail: { do: "setText", text: "x" },
    reported: "ok",
    changes: [{ app: "test.pair", element: "two", what: "text", before: "", after: "x" }],
  });
});

Deno.test("every string of a snapshot survives, also half a surrogate pair", async () => {
  const names = ["ä", "日本", "👋🏽", "x\ud83d", "\udc4by", "é👋\ud800", ""];
  const app = describeApplication("test.strings", names.map((name) => ({ kind: "label" as const, name })));
  const tree = await new Driver(simulate({ applications: [app] })).tree();
  const read = tree.children(1).map((row) => tree.name(row));
  assert.deepEqual(read, names.map((name) => name.toWellFormed()));
});
