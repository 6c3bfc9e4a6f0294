import assert from "node:assert/strict";
import { simulate } from "../desktop/simulated/simulate.ts";
import { buildSnapshot } from "../desktop/build.ts";
import { appOf, area, button, dialogOf, field, GTK3, label, node, password, windowOf } from "./_build.ts";
import { readTree } from "./_trees.ts";
import { detect } from "./detect.ts";
import { read, type Scene } from "./scene.ts";
import { BUSY_AFTER, type State, stateOf } from "./state.ts";

const SMALL = { x: 0, y: 0, width: 9, height: 9 };

const cases: readonly (readonly [state: State, what: string, scene: Scene])[] = [
  ["idle", "a window with a text", windowOf("Letter", area())],
  ["idle", "an application without a window", appOf(GTK3)],
  [
    "idle",
    "a word in a document that only looks like it",
    windowOf("Story", label("He was loading his donkey with all that he had in the world, and left.")),
  ],
  ["loading", "a progress bar on its way", windowOf("Copying", node("progressBar"), button("Cancel"))],
  ["loading", "a text that says so", windowOf("Mail", label("Loading…"))],
  ["loading", "the same in Chinese", windowOf("邮件", label("正在加载"))],
  [
    "loading",
    "a page that is busy",
    appOf(
      GTK3,
      node("frame", "Shop", {
        rect: SMALL,
        children: [node("documentWeb", "Shop", { also: ["busy"], rect: SMALL })],
      }),
    ),
  ],
  ["error", "an alert of what failed", dialogOf("alert", "App", label("It failed."), button("Close"))],
  ["error", "a status bar that says so", windowOf("Mail", node("statusBar", "Error: no connection"))],
  [
    "error",
    "a label in the status bar",
    windowOf("Mail", node("statusBar", "", { children: [label("Senden fehlgeschlagen")] })),
  ],
  ["auth_required", "a login form", windowOf("Shop", field("User"), password("Password"), button("Sign in"))],
  [
    "auth_required",
    "the same in a dialog",
    dialogOf("dialog", "Sign in", field("User"), password("Password"), button("OK")),
  ],
  ["modal_dialog", "a question", dialogOf("alert", "Sure?", button("Yes"), button("No"))],
  ["modal_dialog", "any modal dialog", dialogOf("dialog", "Colours", area())],
];

for (const [state, what, scene] of cases) {
  Deno.test(`${what} is ${state}`, () => {
    assert.equal(stateOf(scene), state);
  });
}

Deno.test("who answers late is busy, whatever shows", () => {
  const scene = dialogOf("alert", "App", label("It failed."), button("Close"));
  assert.equal(stateOf(scene, { answeredIn: BUSY_AFTER }), "error");
  assert.equal(stateOf(scene, { answeredIn: BUSY_AFTER + 1 }), "busy");
  assert.equal(stateOf(scene, { answeredIn: Infinity }), "busy");
});

Deno.test("a dialog that keeps nothing from being used is no modal one", () => {
  const scene = appOf(
    GTK3,
    node("frame", "Letter", { also: ["active"], children: [area()] }),
    node("dialog", "Find", { children: [field("What")] }),
  );
  assert.equal(scene.isDialog, false, "the active window is in front");
  assert.equal(stateOf(scene), "idle");
});

Deno.test("what lies behind a dialog is not looked at", () => {
  const behind = node("frame", "Main", {
    children: [node("progressBar"), password("Password"), button("Sign in"), field("User")],
  });
  const scene = appOf(GTK3, behind, node("dialog", "Colours", { also: ["modal"], children: [area()] }));
  assert.equal(stateOf(scene), "modal_dialog");
  assert.deepEqual(detect(scene).all, []);
});

Deno.test("a window can be asked for by its row", () => {
  const snapshot = buildSnapshot({
    role: "application",
    states: [],
    children: [
      node("frame", "Shop", { children: [field("User"), password("Password"), button("Sign in")] }),
      node("alert", "Sure?", { also: ["modal"], children: [button("Yes"), button("No")] }),
    ],
  }, GTK3);
  assert.equal(detect(read(snapshot)).pattern?.name, "confirmation_dialog");
  assert.equal(detect(read(snapshot, { front: 1 })).pattern?.name, "login_form");
});

Deno.test("the states of real applications, as they were recorded", () => {
  const states = Object.fromEntries(
    [
      "gnome-calculator",
      "gedit",
      "gedit-unsaved",
      "gtk4-error_alert",
      "qt6-login_form",
      "chromium-progress_indicator",
      "mousepad-open",
    ]
      .map((name) => [name, stateOf(read(readTree(name)))]),
  );
  assert.deepEqual(states, {
    "gnome-calculator": "idle",
    "gedit": "idle",
    "gedit-unsaved": "modal_dialog",
    "gtk4-error_alert": "error",
    "qt6-login_form": "auth_required",
    "chromium-progress_indicator": "loading",
    "mousepad-open": "modal_dialog",
  });
});

Deno.test("the applications of the simulated desktop show what they are", async () => {
  const shown: Record<string, readonly [string | undefined, State]> = {};
  for (const id of ["sim.calculator", "sim.editor", "sim.settings", "sim.list", "sim.login"]) {
    const desktop = simulate({ applications: [id] });
    const [application] = await desktop.applications();
    assert.ok(application);
    const scene = read(await desktop.snapshot(application));
    shown[id] = [detect(scene).pattern?.name, stateOf(scene)];
  }
  assert.deepEqual(shown, {
    "sim.calculator": [undefined, "idle"],
    "sim.editor": ["text_editor", "idle"],
    "sim.settings": ["settings_page", "idle"],
    "sim.list": [undefined, "idle"],
    "sim.login": ["login_form", "auth_required"],
  });
});

Deno.test("the dialogs of the simulated editor are distinguished", async () => {
  const desktop = simulate({ applications: ["sim.editor"] });
  const [application] = await desktop.applications();
  assert.ok(application);
  const shows = async () => detect(read(await desktop.snapshot(application))).pattern?.name;
  await desktop.typeText("x");
  await desktop.pressKeys(["ctrl", "s"]);
  assert.equal(await shows(), "file_save_dialog");
  await desktop.pressKeys(["Escape"]);
  await desktop.pressKeys(["ctrl", "w"]);
  assert.equal(await shows(), "confirmation_dialog");
});

Deno.test("names are read without mnemonics and dots, and underscores that are part of a name stay", () => {
  const names = [["_Close Close", "Close"], ["Con_nect Connect", "Connect"], ["_Save As…", "Save As"], [
    "Print...",
    "Print",
  ]];
  for (const [name = "", read = ""] of [...names, ["Page _1", "Page 1"], ["snake_case", "snake_case"]]) {
    const scene = windowOf("Main", button(name));
    assert.deepEqual(scene.of("button").map((row) => scene.name(row)), [read]);
  }
});
