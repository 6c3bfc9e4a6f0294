import assert from "node:assert/strict";
import { chordOf } from "./chord.ts";
import { Clock } from "./clock.ts";
import { secretName } from "./secret-name.ts";
import { edits } from "./typing.ts";
import { Unstable } from "./unstable.ts";

Deno.test("chords are named as press takes them", () => {
  assert.equal(chordOf(0x73, ["shift", "ctrl"]), "ctrl+shift+s");
  assert.equal(chordOf(0xff0d, []), "Return");
  assert.equal(chordOf(0xff8d, []), "Return");
  assert.equal(chordOf(0xfe20, ["shift"]), "shift+Tab");
  assert.equal(chordOf(0x2b, ["ctrl"]), "ctrl++");
  assert.equal(chordOf(0x1008ff11, []), undefined);
});

Deno.test("keys that change the text of a field are a part of what is typed; others are keys", () => {
  const is = (keysym: number, modifiers: readonly ("ctrl" | "shift")[] = [], lines = false) =>
    edits({ keysym, modifiers }, lines, chordOf(keysym, modifiers));
  assert.ok(is(0xff08));
  assert.ok(is(0x76, ["ctrl"]));
  assert.ok(is(0xff0d, [], true));
  assert.ok(!is(0xff0d));
  assert.ok(!is(0xff09));
  assert.ok(!is(0x73, ["ctrl"]));
});

Deno.test("a secret is called after its field", () => {
  assert.equal(secretName("Password entry"), "PASSWORD_ENTRY");
  assert.equal(secretName("Geheimwort für Zoë:"), "GEHEIMWORT_FUR_ZOE");
  assert.equal(secretName("2nd PIN"), "SECRET_2ND_PIN");
  assert.equal(secretName("密码"), "PASSWORD");
});

Deno.test("the display's time is ours less the shortest way that an event took", () => {
  const clock = new Clock();
  assert.equal(clock.own({ time: 1_000 }, 5_012).time, 5_012);
  assert.equal(clock.own({ time: 1_100 }, 5_105).time, 5_105);
  assert.equal(clock.own({ time: 1_200 }, 5_290).time, 5_205);
  // The display counts 32 bits of milliseconds.
  assert.equal(clock.own({ time: 10 }, 5_400 + 2 ** 32).time, 5_400 + 2 ** 32);
});

Deno.test("what changes while nobody does anything is learnt, what a person changes is not", () => {
  const unstable = new Unstable();
  for (let n = 0; n < 6; n++) {
    unstable.heard("clock", 100 * n, true);
    unstable.heard("label", 100 * n, false);
    unstable.heard("slow", 1_000 * n, true);
  }
  assert.ok(unstable.has("clock"));
  assert.ok(!unstable.has("label"));
  assert.ok(!unstable.has("slow"));
});
