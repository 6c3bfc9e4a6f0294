import assert from "node:assert/strict";
import { Role } from "../roles.ts";
import { State } from "../states.ts";
import { tellChosenTabs } from "./qt-tabs.ts";

const bits = (...states: number[]) => states.reduce((all, state) => all | (1 << state), 0) >>> 0;

function reported(role: number, low: number): number {
  const states = Uint32Array.of(low, 0);
  tellChosenTabs({ count: 1, role: Uint16Array.of(role), states });
  return states[0] ?? 0;
}

Deno.test("the tab that Qt calls focused is the selected one, and not the one with the focus", () => {
  const { focusable, focused, selectable, selected } = State;
  assert.equal(reported(Role.pageTab, bits(focusable, focused)), bits(focusable, selectable, selected));
  assert.equal(reported(Role.pageTab, bits(focusable)), bits(focusable, selectable));
});

Deno.test("a tab that tells by itself whether it is selected, and what is no tab, stay as they are", () => {
  const { focused, selectable } = State;
  assert.equal(reported(Role.pageTab, bits(focused, selectable)), bits(focused, selectable));
  assert.equal(reported(Role.pushButton, bits(focused)), bits(focused));
});

Deno.test("the checked tab of Qt Quick is the selected one, and may have the focus or not", () => {
  const { checked, focused, selectable, selected } = State;
  assert.equal(reported(Role.pageTab, bits(checked)), bits(checked, selectable, selected));
  const states = Uint32Array.of(bits(focused), 0, bits(checked), 0);
  tellChosenTabs({ count: 2, role: Uint16Array.of(Role.pageTab, Role.pageTab), states });
  assert.deepEqual([...states], [bits(focused, selectable), 0, bits(checked, selectable, selected), 0]);
});
