import assert from "node:assert/strict";
import { type Phrases, says } from "./words.ts";

const yes: readonly (readonly [string, Phrases])[] = [
  ["Save", "save"],
  ["SAVE AS", "save"],
  ["Speichern unter", "save"],
  ["Enregistrer sous", "save"],
  ["名前を付けて保存", "save"],
  ["Sign in with a passkey", "signIn"],
  ["S'identifier", "signIn"],
  ["Don’t save", "refuse"],
  ["Couldn't open the file", "failure"],
  ["Não foi possível abrir", "failure"],
  ["Öffnen", "open"],
];
const no: readonly (readonly [string, Phrases])[] = [
  ["Saved", "save"],
  ["Unsaveable", "save"],
  ["Reopen", "open"],
  ["Nothing", "refuse"],
  ["Okapi", "agree"],
  ["Terrorist", "failure"],
  ["Research", "search"],
  ["", "save"],
];

Deno.test("phrases are found as words, in any language that is listed and any case", () => {
  for (const [text, list] of yes) assert.ok(says(text, list), `${text}: ${list}`);
});

Deno.test("parts of words are not", () => {
  for (const [text, list] of no) assert.ok(!says(text, list), `${text}: ${list}`);
});
