import { equal, throws } from "node:assert/strict";
import { bindingsOf, chordOf, isConventional } from "./chord.ts";

Deno.test("a chord is what its keys resolve to, however they are written", () => {
  for (const name of ["space", " ", "spacebar", "sp_ace", "SPACE", "_space_"]) {
    equal(chordOf([name]).key, "Space", name);
  }
  for (const name of ["Return", "re-turn", "enter", "KP-Enter", "kpenter", "numpadenter", "\r", "\n"]) {
    equal(chordOf([name]).key, "Return", name);
  }
  equal(chordOf(["Shift_L", "Control", "D"]).text, "ctrl+shift+d");
  equal(chordOf(["cmd", "d"]).text, "ctrl+d");
  equal(chordOf(["shift", "a"]).commands, false);
  throws(() => chordOf(["\u0001"]), { code: "invalid" });
});

Deno.test("keys of actions are read as toolkits write them", () => {
  const { mnemonic, chords } = bindingsOf("d;<Alt>f:d;<Primary>d");
  equal(mnemonic, "d");
  equal(chords.join(), "ctrl+d");
  equal(bindingsOf("<Alt>s").chords.join(), "alt+s");
  equal(bindingsOf("<Alt>s").mnemonic, "s");
  equal(bindingsOf("Ctrl+Shift+Delete").chords.join(), "ctrl+shift+Delete");
  equal(bindingsOf("F5").chords.join(), "F5");
  equal(bindingsOf("XF86NoSuchKey").chords.length, 0);
});

Deno.test("what is harmless by convention is a short list: all else with ctrl, alt, super or a function key is not", () => {
  const harmless = (keys: string, typing = false) => isConventional(chordOf(keys.split(" ")), typing);
  for (
    const keys of ["ctrl c", "ctrl a", "ctrl f", "Tab", "shift Tab", "Escape", "Down", "a", "F1", "shift"]
  ) {
    equal(harmless(keys), true, keys);
  }
  for (
    const keys of [
      "ctrl d",
      "ctrl s",
      "ctrl w",
      "alt F4",
      "alt f",
      "super",
      "F5",
      "Delete",
      "ctrl v",
      "ctrl z",
    ]
  ) {
    equal(harmless(keys), false, keys);
  }
  for (const keys of ["Delete", "BackSpace", "ctrl v", "ctrl z"]) equal(harmless(keys, true), true, keys);
});

Deno.test("on macOS the command key has the conventions that the control key has elsewhere", () => {
  const harmless = (keys: string) => isConventional(chordOf(keys.split(" ")), true, "macos");
  for (const keys of ["super c", "super shift z", "super v", "Tab"]) equal(harmless(keys), true, keys);
  for (const keys of ["super q", "super w", "super", "super s"]) equal(harmless(keys), false, keys);
  equal(isConventional(chordOf(["super", "c"]), true, "linux"), false);
});
