import assert from "node:assert/strict";
import type { Json } from "../../src/base/error.ts";
import { buildSnapshot, type NodeDescription } from "../../src/desktop/build.ts";
import type { RoleName } from "../../src/desktop/roles.ts";
import type { ActionStep } from "../../src/record/output/model.ts";
import { FURTHER } from "./further-acts.ts";
import { judge } from "./judge.ts";
import { outcomeOf } from "./replay.ts";
import type { Line } from "./stage.ts";

const all = (role: RoleName, ...names: string[]): NodeDescription[] => names.map((name) => ({ role, name }));
const LOOK = buildSnapshot({
  role: "application",
  children: [{
    role: "frame",
    name: "Record",
    children: [
      ...all("pushButton", "Save", "Notes", "Keep", "Zoom", "Rotate", "Parcel", "Basket", "Drawer", "More"),
      ...all("toggleButton", "Tools"),
      ...all("listItem", "Alpha", "Beta", "Gamma", "North", "East"),
      ...all("menuItem", "Rename", "Remove"),
      ...all("tableCell", "Fruit", "Roots"),
      ...all("slider", "Volume", "Loudness"),
      { role: "text", name: "Title", also: ["editable"] },
      { role: "text", name: "Author", also: ["editable"] },
      { role: "text", name: "Story", also: ["multiLine"] },
      { role: "text", name: "Other", also: ["multiLine"] },
    ],
  }],
}, { bus: ":1.5", name: "a", pid: 7, toolkit: "gtk", toolkitVersion: "3.24" });

const step = (operation: string, input: Record<string, Json>, confidence = 1): ActionStep => {
  return { kind: "action", operation, input, confidence };
};
const on = (operation: string, role: string, name: string, more: Record<string, Json> = {}) =>
  step(operation, { target: `${role}[name="${name}"]`, ...more });
const line = (what: string, of: string): Line => ({ what, of });

/** Of each kind: what the application wrote, the steps that are right, and for each of them another one that is not. */
const CASES: Readonly<Record<string, { lines: Line[]; right: ActionStep[]; wrong: ActionStep[] }>> = {
  "wheel": {
    lines: [line("value", "Story")],
    right: [on("scroll", "textarea", "Story", { direction: "down", amount: 9 })],
    wrong: [on("scroll", "textarea", "Other", { direction: "down", amount: 9 })],
  },
  "wheel value": {
    lines: [line("value", "Volume")],
    right: [on("set", "slider", "Volume", { value: 7 })],
    wrong: [on("set", "slider", "Loudness", { value: 7 })],
  },
  "slider drag": {
    lines: [line("value", "Volume")],
    right: [on("set", "slider", "Volume", { value: 7 })],
    wrong: [on("set", "slider", "Loudness", { value: 7 })],
  },
  "drag and drop": {
    lines: [line("dropped", "Basket")],
    right: [step("drag", { from: 'button[name="Parcel"]', to: 'button[name="Basket"]' })],
    wrong: [step("drag", { from: 'button[name="Parcel"]', to: 'button[name="Drawer"]' })],
  },
  "context menu": {
    lines: [line("selected", "Alpha"), line("activated", "Rename")],
    right: [on("click", "listitem", "Alpha", { button: "right" }), on("click", "menuitem", "Rename")],
    wrong: [on("click", "listitem", "Beta", { button: "right" }), on("click", "menuitem", "Remove")],
  },
  "several rows": {
    lines: [],
    right: [on("click", "listitem", "North"), on("click", "listitem", "East", { modifiers: ["ctrl"] })],
    wrong: [on("click", "listitem", "Gamma"), on("click", "listitem", "Alpha", { modifiers: ["ctrl"] })],
  },
  "tree expander": {
    lines: [line("expanded", "Fruit")],
    right: [on("set", "cell", "Fruit", { value: true })],
    wrong: [on("set", "cell", "Roots", { value: true })],
  },
  "tree row": {
    lines: [line("selected", "Fruit")],
    right: [on("click", "cell", "Fruit")],
    wrong: [on("click", "cell", "Roots")],
  },
  "expander": {
    lines: [line("opened", "More")],
    right: [on("set", "button", "More", { value: true })],
    wrong: [on("set", "button", "Save", { value: true })],
  },
  "popover": {
    lines: [line("clicked", "Zoom")],
    right: [on("set", "togglebutton", "Tools", { value: true }), on("click", "button", "Zoom")],
    wrong: [on("click", "button", "Save"), on("click", "button", "Rotate")],
  },
  "chord": {
    lines: [],
    right: [step("press", { keys: "ctrl+s" })],
    wrong: [step("press", { keys: "ctrl+d" })],
  },
  "text chosen": {
    lines: [line("text", "Title")],
    right: [on("set", "textfield", "Title", { value: "then others" })],
    wrong: [on("set", "textfield", "Author", { value: "then others" })],
  },
  "back by tab": {
    lines: [line("text", "Title")],
    right: [
      step("press", { keys: "shift+Tab", into: 'textfield[name="Author"]' }),
      on("set", "textfield", "Title"),
    ],
    wrong: [
      step("press", { keys: "shift+Tab", into: 'button[name="Save"]' }),
      on("set", "textfield", "Author"),
    ],
  },
  "arrow": {
    lines: [line("selected", "Alpha"), line("selected", "Beta")],
    right: [
      on("click", "listitem", "Alpha"),
      step("press", { keys: "Down", into: 'listitem[name="Alpha"]' }),
    ],
    wrong: [on("click", "listitem", "Beta"), step("press", { keys: "Down", into: 'cell[name="Fruit"]' })],
  },
  "window closed": {
    lines: [line("clicked", "Notes"), line("clicked", "Keep"), line("closed", "Notes")],
    right: [
      on("click", "button", "Notes"),
      on("click", "button", "Keep"),
      step("window", { do: "close", title: "Notes" }),
    ],
    wrong: [
      on("click", "button", "Save"),
      on("click", "button", "Zoom"),
      step("window", { do: "close", title: "Record" }),
    ],
  },
  "window moved": {
    lines: [],
    right: [step("window", { do: "place", x: 1, y: 2, title: "Record" })],
    wrong: [step("window", { do: "place", x: 1, y: 2, title: "Notes" })],
  },
};

for (const [kind, { lines, right, wrong }] of Object.entries(CASES)) {
  Deno.test(`a recorded ${kind} is judged right; one on something else, too much or nothing is not`, () => {
    const plan = FURTHER[kind]?.(() => 0);
    assert.ok(plan);
    const verdict = (steps: readonly ActionStep[]) => judge(plan, lines, steps, [LOOK]);
    assert.equal(verdict(right), "right");
    assert.equal(verdict(right.map((one) => ({ ...one, confidence: 0.4 }))), "low");
    for (const [n, other] of wrong.entries()) {
      assert.equal(verdict(right.with(n, other)), "wrong", `step ${n + 1}`);
    }
    assert.equal(verdict([...right, on("click", "button", "Save")]), "wrong", "something else was done, too");
    assert.equal(verdict([]), "wrong", "nothing was recorded");
  });
}

Deno.test("what is judged by its replay alone differs by what came of it", () => {
  for (const kind of ["date", "file chooser"]) {
    const plan = FURTHER[kind]?.(() => 0);
    assert.ok(plan);
    assert.equal(judge(plan, [line("date", "Due")], [], [LOOK]), "wrong", `nothing was recorded of ${kind}`);
  }
  const file = (value: string): Line => ({ what: "file", value });
  const date = (value: string): Line => ({ what: "date", of: "Due", value });
  const story = (value: number): Line => ({ what: "value", of: "Story", value });
  assert.deepEqual(outcomeOf([story(1), file("a.txt"), story(9), date("2034-05-06")]), [
    "file  a.txt",
    "Due is 2034-05-06",
    "Story is 9",
  ]);
  assert.notDeepEqual(outcomeOf([file("a.txt")]), outcomeOf([file("b.txt")]));
  assert.notDeepEqual(outcomeOf([file("a.txt")]), outcomeOf([]));
  assert.notDeepEqual(outcomeOf([date("2034-05-06")]), outcomeOf([date("2034-05-07")]));
  assert.notDeepEqual(outcomeOf([story(9)]), outcomeOf([story(18)]));
});
