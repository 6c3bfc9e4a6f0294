import assert from "node:assert/strict";
import { keyNamed, keyNameOf, keyNames, keysymsOf, parseChord } from "./keys.ts";

const chords: [string, string[]][] = [
  ["ctrl+shift+s", ["ctrl", "shift", "s"]],
  ["Ctrl+Shift+S", ["ctrl", "shift", "s"]],
  ["cmd+option+esc", ["ctrl", "alt", "Escape"]],
  [" ctrl + PAGE_UP ", ["ctrl", "PageUp"]],
  ["ctrl++", ["ctrl", "+"]],
  ["ctrl + +", ["ctrl", "+"]],
  ["ctrl+shift++", ["ctrl", "shift", "+"]],
  ["+", ["+"]],
  ["ctrl+plus", ["ctrl", "plus"]],
  ["alt+F4", ["alt", "F4"]],
  ["win+ArrowLeft", ["super", "Left"]],
  ["meta+space", ["super", "Space"]],
  ["Enter", ["Return"]],
  ["ctrl+-", ["ctrl", "-"]],
  ["ctrl+ä", ["ctrl", "ä"]],
];
for (const [chord, keys] of chords) {
  Deno.test(`the chord ${JSON.stringify(chord)} is ${keys.join(", then ")}`, () => {
    assert.deepEqual(parseChord(chord), keys);
  });
}

for (
  const chord of ["", "+s", "ctrl+", "ctrl+++", "++", "ctrl++s", "ctrl+s+s", "ctrl+control+s", "ctrl+\u0001"]
) {
  Deno.test(`the chord ${JSON.stringify(chord)} is refused`, () => {
    assert.throws(() => parseChord(chord), { name: "BackstepError", code: "invalid" });
  });
}

const keysyms: [string, number][] = [
  ["a", 0x61],
  ["A", 0x61],
  ["7", 0x37],
  ["é", 0xe9],
  ["€", 0x010020ac],
  ["😀", 0x0101f600],
  ["Return", 0xff0d],
  ["backspace", 0xff08],
  ["Page_Down", 0xff56],
  ["page down", 0xff56],
  ["f1", 0xffbe],
  ["F24", 0xffd5],
  [" ", 0x20],
  ["\n", 0xff0d],
  ["capslock", 0xffe5],
  ["AltGr", 0xfe03],
];
for (const [name, keysym] of keysyms) {
  Deno.test(`the key ${JSON.stringify(name)} has keysym 0x${keysym.toString(16)}`, () => {
    assert.equal(keyNamed(name).keysym, keysym);
  });
}

Deno.test("an unknown key is refused with the closest names", () => {
  assert.throws(() => keyNamed("Retrun"), { code: "invalid", hint: /Return/ });
  assert.throws(() => keyNamed("F25"), { code: "invalid", hint: /F2/ });
  assert.throws(() => keyNamed("x".repeat(10_000)), (error: Error) => error.message.length < 200);
});

Deno.test("every canonical name is a key by itself, in any case", () => {
  for (const name of keyNames) {
    assert.equal(keyNamed(name).name, name);
    assert.equal(keyNamed(name.toUpperCase()).name, name);
  }
});

Deno.test("only modifiers say that they modify", () => {
  assert.deepEqual(keyNames.filter((name) => keyNamed(name).modifier), [
    "ctrl",
    "shift",
    "alt",
    "super",
    "altgr",
  ]);
});

Deno.test("no keys at all are refused", () => {
  assert.throws(() => keysymsOf([]), { code: "invalid" });
});

Deno.test("the keysym of a key gives its name back", () => {
  for (const name of [...keyNames, "a", "ä", "ß", "я", "7", "€"]) {
    assert.equal(keyNameOf(keyNamed(name).keysym), name);
  }
  assert.equal(keyNameOf(0x41), "a");
  for (const keysym of [0, 0x10, 0x7f, 0xa0, 0x1008ff13, 0xffff00, 0x0100d800]) {
    assert.equal(keyNameOf(keysym), undefined);
  }
});
