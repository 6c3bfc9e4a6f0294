import assert from "node:assert/strict";
import { BackstepError, type ErrorCode } from "../../base/error.ts";
import type { NodeDescription } from "../build.ts";
import type { Window } from "../desktop.ts";
import type { Rect } from "../element.ts";
import { Role } from "../roles.ts";
import { editor } from "../selector/_fixture.ts";
import { explain } from "./explain.ts";
import { FakeDesktop } from "./_desktop.ts";
import { Locator, type ResolveOptions } from "./locator.ts";
import { FORCED_REREAD } from "./waiting.ts";

const frame: Rect = { x: 0, y: 0, width: 400, height: 300 };
const place: Rect = { x: 10, y: 10, width: 80, height: 20 };

function tree(...children: NodeDescription[]): NodeDescription {
  return {
    role: "application",
    name: "Editor",
    children: [{ role: "frame", name: "Draft", rect: frame, children }],
  };
}
function button(name: string, more: Partial<NodeDescription> = {}): NodeDescription {
  return { role: "pushButton", name, rect: place, ...more };
}
function window(more: Partial<Window> = {}): Window {
  return {
    id: 1,
    pid: editor.pid,
    rect: frame,
    title: "Draft",
    windowClass: "editor",
    active: true,
    minimised: false,
    popup: false,
    ...more,
  };
}
function desktopWith(...children: NodeDescription[]): FakeDesktop {
  const desktop = new FakeDesktop(editor, tree(...children));
  desktop.stack = [window()];
  return desktop;
}
function locate(desktop: FakeDesktop, selector: string, root?: Locator): Locator {
  return new Locator(desktop, { application: editor, selector, ...(root ? { root } : {}) });
}
async function failure(
  desktop: FakeDesktop,
  selector: string,
  options: ResolveOptions = {},
): Promise<BackstepError> {
  try {
    await locate(desktop, selector).resolve({ timeout: 120, ...options });
  } catch (thrown) {
    assert.ok(thrown instanceof BackstepError, String(thrown));
    assert.equal(desktop.watches.size, 0, "the subscription is closed");
    return thrown;
  }
  throw new Error("it resolved");
}
function check(error: BackstepError, code: ErrorCode, message: RegExp): void {
  assert.equal(error.code, code, error.message);
  assert.match(error.message, message);
  assert.ok(error.message.length < 1_500 && JSON.stringify(error.toJSON()).length < 6_000);
}

Deno.test("one match resolves at the first read and closes its subscription", async () => {
  const desktop = desktopWith(button("Save"), button("Quit"));
  const match = await locate(desktop, "button[name=Save]").resolve();
  assert.equal(match.element.fingerprint.name, "Save");
  assert.equal(match.strategy, "selector");
  assert.equal(desktop.reads.snapshots, 1);
  assert.equal(desktop.watches.size, 0);
});

Deno.test("two matches are an error at once that lists both with their ancestors", async () => {
  const desktop = desktopWith(button("Save"), { role: "panel", name: "Side", children: [button("Save")] });
  const error = await failure(desktop, "button[name=Save]");
  check(
    error,
    "ambiguous",
    /2 match\n {2}1\. button "Save" in .*window "Draft"\n {2}2\. .*window "Draft" > panel "Side"/s,
  );
  assert.equal(desktop.reads.snapshots, 1);
});

Deno.test("many matches are listed up to five, and a lone visible one is hinted at", async () => {
  const many = Array.from(
    { length: 9 },
    (_, k) => button(`Save ${k}`, k === 3 ? {} : { without: ["showing"] }),
  );
  const error = await failure(desktopWith(...many), "button");
  check(error, "ambiguous", /9 match.*and 4 more/s);
  assert.match(error.hint ?? "", /:visible/);
});

Deno.test("an item of GTK 3 that has a place and does not show may be in an open context menu, which is said", async () => {
  const hint = async (role: "menuItem" | "pushButton", ...without: ("visible" | "showing")[]) =>
    (await failure(desktopWith(button("Edit", { role, without })), '[name="Edit"]', { state: "visible" }))
      .hint;
  assert.match(await hint("menuItem", "showing") ?? "", /arrow keys and Return/);
  assert.match(await hint("menuItem", "visible", "showing") ?? "", /^Open what hides it first/);
  assert.match(await hint("pushButton", "showing") ?? "", /^Open what hides it first/);
});

Deno.test("a hidden twin of what shows is not meant; one that is scrolled away, or shows too, is", async () => {
  const hidden = button("Save", { without: ["visible", "showing"] });
  const { element } = await locate(desktopWith(hidden, button("Save"), hidden), "button").resolve();
  assert.equal(element.fingerprint.name, "Save");
  assert.equal((await locate(desktopWith(hidden, button("Save")), "button").all()).length, 2);
  const away = button("Save", { without: ["showing"], rect: { x: 10, y: 900, width: 80, height: 20 } });
  const pane: NodeDescription = { role: "scrollPane", rect: frame, children: [away, button("Save")] };
  check(await failure(desktopWith(pane), "button"), "ambiguous", /2 match/);
  check(await failure(desktopWith(hidden, button("Save"), button("Save")), "button"), "ambiguous", /2 match/);
  check(await failure(desktopWith(hidden, hidden), "button"), "ambiguous", /2 match/);
  const menu: NodeDescription = { role: "menu", name: "Format", rect: place };
  const flat: NodeDescription = { role: "menuBar", rect: { ...frame, height: 0 }, children: [menu] };
  const shown = await locate(desktopWith(menu, flat), "menu").resolve();
  assert.equal(shown.snapshot.parent(shown.row), 1);
});

Deno.test("of what lies in each other and has one name, the control is meant, and of two buttons the inner one", async () => {
  const label: NodeDescription = { role: "label", name: "Blue", rect: place };
  const blue: NodeDescription = { role: "checkBox", name: "Blue", rect: place, children: [label] };
  const { element } = await locate(desktopWith(blue), '[name="Blue"]').resolve();
  assert.equal(element.fingerprint.role, Role.checkBox);
  check(await failure(desktopWith(blue, label), '[name="Blue"]'), "ambiguous", /2 match/);
  const panel: NodeDescription = { ...blue, role: "panel" };
  check(await failure(desktopWith(panel), '[name="Blue"]'), "ambiguous", /2 match/);
  const menu = button("Menu", { children: [button("Menu")] });
  const inner = await locate(desktopWith(menu), "button").resolve();
  assert.equal(inner.snapshot.parent(inner.row), inner.row - 1);
  assert.equal(inner.snapshot.name(inner.row - 1), "Menu");
  check(
    await failure(desktopWith(button("Menu", { children: [button("Edit")] })), "button"),
    "ambiguous",
    /2 match/,
  );
  check(
    await failure(desktopWith(button("A", { children: [button("A"), button("A")] })), "button"),
    "ambiguous",
    /2 match/,
  );
});

Deno.test("what does not come is given up after the patience, not after the whole time that reading may take", async () => {
  const began = performance.now();
  const error = await failure(desktopWith(button("Save")), "link", { timeout: 10_000, patience: 150 });
  check(error, "not_found", /nothing matches/);
  assert.ok(performance.now() - began < 2_000);
});

Deno.test("nothing is an error with the nearest elements, what was searched and what was tried", async () => {
  const desktop = desktopWith(button("Save"), button("Quit"), { role: "link", name: "Safe" });
  const error = await failure(desktop, "button[name=Sabe]");
  check(error, "not_found", /nothing matches after 1\d\d ms among 5 elements of "Editor"/);
  assert.match(error.hint ?? "", /There is button "Save", link "Safe"/);
  assert.deepEqual(error.details?.["tried"], ["selector"]);
});

Deno.test("a field that is looked for by its caption, and a window that is a dialog: the error says how", async () => {
  const desktop = desktopWith({ role: "label", name: "City:" }, { role: "entry" });
  const byCaption = await failure(desktop, 'textfield[name="city"]');
  assert.match(
    byCaption.hint ?? "",
    /^A label is called "City:": what it labels is textfield:labelled-by\("City:"\), what stands in its row textfield:in-row\("City:"\)\./,
  );
  const other = await failure(desktop, 'textfield[name="Country"]');
  assert.doesNotMatch(other.hint ?? "", /A label/);

  const dialogs = new FakeDesktop(editor, {
    role: "application",
    name: "Editor",
    children: [{ role: "frame", name: "Draft" }, { role: "dialog", name: "Save?" }],
  });
  assert.match(
    (await failure(dialogs, "window:busy")).hint ?? "",
    /There is window "Draft", dialog "Save\?"/,
  );
});

Deno.test("an element that comes later is found on its event, long before the forced re-read", async () => {
  const desktop = desktopWith();
  desktop.after = (count) => {
    if (count === 1) setTimeout(() => desktop.become(tree(button("Save"))), 20);
  };
  await locate(desktop, "button").resolve();
  assert.deepEqual(desktop.woken, ["event"]);
  assert.equal(desktop.reads.snapshots, 2);
});

Deno.test("a change between the read and the wait is not missed", async () => {
  const desktop = desktopWith();
  desktop.after = (count) => {
    if (count === 1) desktop.become(tree(button("Save")));
  };
  await locate(desktop, "button").resolve();
  assert.deepEqual(desktop.woken, ["event"]);
});

Deno.test("a change whose event was dropped is found by the forced re-read", async () => {
  const desktop = desktopWith();
  desktop.after = (count) => {
    if (count === 1) desktop.become(tree(button("Save")), true);
  };
  const started = performance.now();
  await locate(desktop, "button").resolve();
  assert.ok(performance.now() - started >= FORCED_REREAD);
  assert.deepEqual(desktop.woken, ["timeout"]);
  assert.equal(desktop.reads.snapshots, 2);
});

Deno.test("a storm of events causes about twenty reads a second, not one an event", async () => {
  const desktop = desktopWith();
  desktop.after = () => queueMicrotask(() => desktop.become(tree()));
  await failure(desktop, "button", { timeout: 400 });
  assert.ok(desktop.reads.snapshots >= 2 && desktop.reads.snapshots <= 11, String(desktop.reads.snapshots));
});

Deno.test("events that arrived before a read do not cause another one after it", async () => {
  const desktop = desktopWith();
  desktop.after = (count) => {
    if (count !== 1) return;
    // The second comes while the wait that the first ended is over and the next read is not begun.
    setTimeout(() => {
      desktop.become(tree());
      desktop.become(tree());
    }, 5);
  };
  await failure(desktop, "button", { timeout: 300 });
  assert.equal(desktop.reads.snapshots, 2);
});

Deno.test("an element that is disabled between the two reads is not actionable", async () => {
  const desktop = desktopWith(button("Save"));
  desktop.beforeRead = () =>
    desktop.become(tree(button("Save", { without: ["enabled", "sensitive"] })), true);
  check(await failure(desktop, "button", { state: "actionable", timeout: 40 }), "not_actionable", /disabled/);
  assert.equal(desktop.reads.snapshots, 1);
});

Deno.test("an aborted signal ends the wait as cancelled", async () => {
  const controller = new AbortController();
  const desktop = desktopWith();
  desktop.after = () => queueMicrotask(() => controller.abort());
  check(
    await failure(desktop, "button", { timeout: 5_000, signal: controller.signal }),
    "cancelled",
    /cancelled/,
  );
});

Deno.test("an application that goes away is reported as gone", async () => {
  const desktop = desktopWith();
  desktop.after = () => desktop.apps = [];
  check(await failure(desktop, "button", { timeout: 3_000 }), "app_gone", /gone/);
});

Deno.test("a root narrows the search to what is below it, and its own absence is what is reported", async () => {
  const desktop = desktopWith(button("Save"), { role: "panel", name: "Side", children: [button("Save")] });
  const match = await locate(desktop, "button", locate(desktop, "panel")).resolve();
  assert.equal(match.row, 4);
  await assert.rejects(
    locate(desktop, "button", locate(desktop, "dialog")).resolve({ timeout: 60 }),
    /Cannot find dialog: nothing matches/,
  );
  await assert.rejects(
    locate(desktop, "label", locate(desktop, "button")).resolve({ timeout: 60 }),
    /2 match/,
  );
});

Deno.test("an actionable element was read twice and is returned with its reading", async () => {
  const desktop = desktopWith(button("Save"));
  const match = await locate(desktop, "button").resolve({ state: "actionable" });
  assert.deepEqual(match.reading?.rect, place);
  assert.equal(desktop.reads.elements, 1);
});

const covering = window({ id: 2, pid: 99, title: "Terminal", rect: { x: 5, y: 5, width: 100, height: 100 } });

/** What keeps an element from being used: the element, what else there is, and what the error says. */
const obstacles: readonly (readonly [
  title: string,
  button: Partial<NodeDescription>,
  prepare: (desktop: FakeDesktop) => void,
  condition: string,
  message: RegExp,
])[] = [
  ["hidden", { without: ["showing"] }, () => {}, "visible", /button "Save" is hidden/],
  ["empty", { rect: { ...place, width: 0 } }, () => {}, "visible", /has no size/],
  ["disabled", { without: ["enabled", "sensitive"] }, () => {}, "enabled", /button "Save" is disabled/],
  [
    "covered by another window of its application",
    {},
    (d) => d.stack = [window(), { ...covering, pid: editor.pid }],
    "uncovered",
    /covered by the window "Terminal" at \(50, 20\)/,
  ],
  [
    "covered by another modal window of its application",
    {},
    (d) => d.stack = [window({ modal: true }), { ...covering, pid: editor.pid, modal: true }],
    "uncovered",
    /covered by the window "Terminal" at \(50, 20\)/,
  ],
  [
    "covered by a popup, wherever that is in the list",
    {},
    (d) => d.stack = [{ ...covering, title: "", windowClass: "", popup: true }, window()],
    "uncovered",
    /covered by a popup/,
  ],
  [
    "outside of its window",
    { rect: { ...place, x: 500 } },
    () => {},
    "in_view",
    /outside of its window "Draft"/,
  ],
  [
    "without a place",
    { rect: { x: 0, y: 0, width: -1, height: -1 } },
    () => {},
    "in_view",
    /no place on the screen/,
  ],
  [
    "covered by a sibling",
    {},
    (d) => d.at = { bus: editor.bus, path: "/node/3" },
    "uncovered",
    /covered by label "Busy…"/,
  ],
];

for (const [title, more, prepare, condition, message] of obstacles) {
  Deno.test(`an element that is ${title} is not actionable, and the error and the explanation say so`, async () => {
    const desktop = desktopWith(button("Save", more), {
      role: "label",
      name: "Busy…",
      rect: { ...place, height: 40 },
    });
    prepare(desktop);
    const error = await failure(desktop, "button", { state: "actionable" });
    check(error, "not_actionable", message);
    assert.equal(error.details?.["condition"], condition);
    const explanation = await explain(locate(desktop, "button"));
    assert.equal(explanation.ready, false);
    assert.equal(explanation.unmet, condition);
    assert.match(explanation.sentence, message);
    assert.equal(explanation.coveredBy !== undefined, condition === "uncovered");
  });
}

/** What must not keep an element from being used. */
const excuses: readonly (readonly [title: string, prepare: (desktop: FakeDesktop) => void])[] = [
  ["a window below its own", (d) => d.stack = [covering, window()]],
  [
    "a window of its application above its own modal one",
    (d) => d.stack = [window({ modal: true }), { ...covering, pid: editor.pid }],
  ],
  ["a minimised window above", (d) => d.stack = [window(), { ...covering, minimised: true }]],
  ["a window beside it", (d) => d.stack = [window(), { ...covering, rect: { ...covering.rect, x: 200 } }]],
  ["its own inside as the answer of the application", (d) => d.at = { bus: editor.bus, path: "/node/3" }],
  ["its window as the answer of the application", (d) => d.at = { bus: editor.bus, path: "/node/1" }],
  ["an answer that cannot be true", (d) => d.at = { bus: editor.bus, path: "/node/4" }],
  ["an unknown element as the answer", (d) => d.at = { bus: editor.bus, path: "/elsewhere" }],
  ["a desktop that knows no windows", (d) => d.stack = []],
];

for (const [title, prepare] of excuses) {
  Deno.test(`${title} does not keep an element from being used`, async () => {
    const desktop = desktopWith(
      button("Save", { children: [{ role: "label", name: "Save", rect: place }] }),
      { role: "label", name: "far", rect: { ...place, x: 300 } },
    );
    prepare(desktop);
    await locate(desktop, "button").resolve({ state: "actionable", timeout: 200 });
    assert.equal((await explain(locate(desktop, "button"))).ready, true);
  });
}

Deno.test("what another window of its application covers is refused with how to bring its own to the front", async () => {
  const desktop = desktopWith(button("Save"));
  desktop.stack = [window(), { ...covering, pid: editor.pid }];
  const { hint = "" } = await failure(desktop, "button", { state: "actionable" });
  assert.match(hint, /window: \{ do: activate, title: "Draft" \}/);
});

const popup = window({ id: 3, title: "", popup: true, rect: { x: 5, y: 5, width: 120, height: 500 } });

Deno.test("an item of an open menu is reached in its popup, also outside of the window that the menu belongs to", async () => {
  const item: NodeDescription = { role: "menuItem", name: "New", rect: { ...place, y: 400 } };
  const desktop = desktopWith({
    role: "menuBar",
    children: [{ role: "menu", name: "File", rect: place, children: [item] }],
  });
  check(
    await failure(desktop, "menuitem", { state: "actionable" }),
    "not_actionable",
    /outside of its window/,
  );
  desktop.stack = [popup, window()];
  await locate(desktop, "menuitem").resolve({ state: "actionable", timeout: 200 });
});

Deno.test("a button in a popover is reached, one below the popover is covered by it", async () => {
  const desktop = desktopWith(
    { role: "panel", rect: { x: 10, y: 10, width: 100, height: 90 }, children: [button("Inside")] },
    button("Below"),
  );
  desktop.stack = [window(), popup];
  await locate(desktop, "button[name=Inside]").resolve({ state: "actionable", timeout: 200 });
  check(
    await failure(desktop, "button[name=Below]", { state: "actionable" }),
    "not_actionable",
    /covered by the popup "editor"/,
  );
});

Deno.test("in GTK what comes later in the tree is not covered by what came before, whatever the application answers", async () => {
  const desktop = desktopWith({ role: "table", name: "below", rect: place }, button("bar"));
  desktop.at = { bus: editor.bus, path: "/node/2" };
  await locate(desktop, "button").resolve({ state: "actionable", timeout: 200 });
  const application = { ...editor, toolkit: "Chromium" };
  const elsewhere = await explain(new Locator(desktop, { application, selector: "button" }));
  assert.match(elsewhere.coveredBy ?? "", /^table "below"/);
});

Deno.test("a window of another application covers an element whose own window cannot be told", async () => {
  const desktop = desktopWith(button("Save"));
  desktop.stack = [
    window({ rect: { ...frame, width: 390 } }),
    window({ id: 5, rect: { ...frame, width: 380 } }),
    covering,
  ];
  check(
    await failure(desktop, "button", { state: "actionable" }),
    "not_actionable",
    /covered by the window "Terminal"/,
  );
});

Deno.test("a window of another application is no obstacle: whoever points brings the element's own to the front", async () => {
  const desktop = desktopWith(button("Save"));
  desktop.stack = [window(), covering];
  await locate(desktop, "button").resolve({ state: "actionable", timeout: 200 });
});

Deno.test("an element that moves is waited for until it stands still", async () => {
  const desktop = desktopWith(button("Save", { rect: { ...place, x: 0 } }));
  let x = 0;
  desktop.beforeRead = () => {
    if (x < 2) desktop.become(tree(button("Save", { rect: { ...place, x: ++x } })));
  };
  const match = await locate(desktop, "button").resolve({ state: "actionable" });
  assert.equal(match.reading?.rect?.x, 2);
  assert.equal(desktop.reads.elements, 3);
});

Deno.test("an element that never stands still is reported with where it was seen", async () => {
  const desktop = desktopWith(button("Save"));
  let x = 0;
  desktop.beforeRead = () => desktop.become(tree(button("Save", { rect: { ...place, x: ++x } })));
  check(
    await failure(desktop, "button", { state: "actionable", timeout: 200 }),
    "not_actionable",
    /is moving, from \(/,
  );
});

Deno.test("an element that becomes another one between two reads is not taken for the same", async () => {
  const desktop = desktopWith(button("Save"));
  desktop.beforeRead = () => desktop.become(tree(button("Delete")));
  const error = await failure(desktop, "button[name=Save]", { state: "actionable", timeout: 150 });
  check(error, "not_found", /nothing matches/);
});

Deno.test("a disabled element may be enough: attached and visible do not ask for more", async () => {
  const desktop = desktopWith(button("Save", { without: ["enabled", "sensitive"] }));
  assert.equal((await locate(desktop, "button").resolve({ state: "visible" })).row, 2);
  check(await failure(desktop, "button", { state: "enabled" }), "not_actionable", /disabled/);
});

Deno.test("all and count answer at once and are not strict", async () => {
  const desktop = desktopWith(button("Save"), button("Quit"));
  assert.deepEqual((await locate(desktop, "button").all()).map((match) => match.row), [2, 3]);
  assert.equal(await locate(desktop, "button").count(), 2);
  assert.equal(await locate(desktop, "link").count(), 0);
});

Deno.test("waiting until something is gone ends when it is, and names what stays", async () => {
  const desktop = desktopWith(button("Save"));
  desktop.after = (count) => {
    if (count === 1) desktop.become(tree());
  };
  await locate(desktop, "button").waitGone({ timeout: 900 });
  const stays = desktopWith(button("Save", { without: ["showing"] }));
  await assert.rejects(
    locate(stays, "button").waitGone({ timeout: 60 }),
    (e) =>
      e instanceof BackstepError && e.code === "timeout" && /button "Save" is still there/.test(e.message),
  );
  await locate(stays, "button").waitGone({ timeout: 60, hidden: true });
});

Deno.test("whatever was in an application that is gone is gone", async () => {
  const desktop = desktopWith(button("Save"));
  desktop.apps = [];
  await locate(desktop, "button").waitGone({ timeout: 60 });
});

Deno.test("an explanation of nothing, of several and of a missing root names that condition", async () => {
  const desktop = desktopWith(button("Save"), button("Quit"));
  assert.equal((await explain(locate(desktop, "link"))).unmet, "exists");
  const several = await explain(locate(desktop, "button"));
  assert.deepEqual([several.unmet, several.matches, several.elements.length], ["unique", 2, 2]);
  assert.equal((await explain(locate(desktop, "button", locate(desktop, "dialog")))).unmet, "root");
  const ready = await explain(locate(desktop, "button[name=Save]"));
  assert.match(ready.sentence, /^button "Save" in application "Editor" > window "Draft" is ready$/);
});
