import assert from "node:assert/strict";
import { buildSnapshot, type NodeDescription } from "../build.ts";
import { State } from "../states.ts";
import { QtTabs } from "./qt-tabs.ts";

const { checked, focusable, focused, selectable, selected } = State;
const bits = (...states: number[]) => states.reduce((all, state) => all | (1 << state), 0) >>> 0;
const qt = { bus: ":1.1", name: "a", pid: 1, toolkit: "Qt", toolkitVersion: "6.4.2" };

/** What is said of each of them, where they were read together, or one by itself. */
function said(
  tabs: QtTabs,
  reported: readonly number[],
  { alone = false, role = "pageTab" }: { alone?: boolean; role?: "pageTab" | "pushButton" } = {},
): number[] {
  const children = reported.map((_, at): NodeDescription => ({ role, path: `/tab/${at}` }));
  const [only] = children;
  const tree: NodeDescription = alone && only ? only : { role: "application", path: "/", children };
  const snapshot = buildSnapshot(tree, qt);
  const first = alone ? 0 : 1;
  for (const [at, low] of reported.entries()) snapshot.columns.states[2 * (first + at)] = low;
  tabs.tell(snapshot);
  return reported.map((_, at) => snapshot.columns.states[2 * (first + at)] ?? 0);
}

Deno.test("the tab that Qt calls focused is the selected one, and not the one with the focus", () => {
  for (const alone of [false, true]) {
    assert.deepEqual(said(new QtTabs(), [bits(focusable, focused)], { alone }), [
      bits(focusable, selectable, selected),
    ]);
    assert.deepEqual(said(new QtTabs(), [bits(focusable)], { alone }), [bits(focusable, selectable)]);
  }
});

Deno.test("a tab that tells by itself whether it is selected, and what is no tab, stay as they are", () => {
  assert.deepEqual(said(new QtTabs(), [bits(focused, selectable)]), [bits(focused, selectable)]);
  assert.deepEqual(said(new QtTabs(), [bits(focused)], { role: "pushButton" }), [bits(focused)]);
});

Deno.test("the checked tab of Qt Quick is the selected one, and may have the focus or not", () => {
  const tabs = new QtTabs();
  assert.deepEqual(said(tabs, [bits(focused), bits(checked)]), [
    bits(focused, selectable),
    bits(checked, selectable, selected),
  ]);
  // By itself too: it is pressed, and not chosen yet.
  assert.deepEqual(said(tabs, [bits(focused)], { alone: true }), [bits(focused, selectable)]);
  assert.deepEqual(said(tabs, [bits(checked)], { alone: true }), [bits(checked, selectable, selected)]);
  tabs.forget(qt.bus);
  assert.deepEqual(said(tabs, [bits(focused)], { alone: true }), [bits(selectable, selected)]);
});
