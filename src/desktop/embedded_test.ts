import assert from "node:assert/strict";
import { answeringAddress, behavingAs, embeddedPath, embedderOf, isEmbedded } from "./embedded.ts";
import { isGtk3, isWeb } from "./toolkits.ts";

const HOST = { bus: ":1.3", name: "host", pid: 7, toolkit: "gtk", toolkitVersion: "3.24.38" };
const INNER = { bus: ":1.4", path: "/org/a11y/atspi/accessible/9" };

Deno.test("an element of an embedded process is one of its application, and is asked where it answers", () => {
  const element = { bus: HOST.bus, path: embeddedPath(INNER) };
  assert.equal(isEmbedded(element), true);
  assert.deepEqual(answeringAddress(element), INNER);
});

Deno.test("any other element answers where it is", () => {
  const element = { bus: HOST.bus, path: "/org/a11y/atspi/accessible/1" };
  assert.equal(isEmbedded(element), false);
  assert.deepEqual(answeringAddress(element), element);
});

Deno.test("a page behaves as the web does, the window around it as its toolkit", () => {
  const page = behavingAs(HOST, { path: embeddedPath(INNER) });
  assert.equal(isWeb(page), true);
  assert.equal(isGtk3(page), false);
  assert.equal(embedderOf(page), HOST);
  assert.equal(behavingAs(HOST, { path: "/1" }), HOST);
  assert.equal(embedderOf(HOST), HOST);
});
