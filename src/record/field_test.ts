import assert from "node:assert/strict";
import { buildSnapshot } from "../desktop/build.ts";
import { Field } from "./field.ts";

/** A field of a page that holds these texts, one a reading, and told last then that its text changed. */
function field(texts: readonly string[], edited: () => number): Field {
  const application = { bus: ":1.5", name: "a", pid: 7, toolkit: "Chromium", toolkitVersion: "156" };
  const snapshot = buildSnapshot({
    role: "application",
    children: [{ role: "entry", name: "Title", also: ["editable"] }],
  }, application);
  let n = 0;
  const reading = {
    role: snapshot.role(1),
    name: "Title",
    description: "",
    id: "",
    statesLow: snapshot.statesLow(1),
    statesHigh: snapshot.statesHigh(1),
    interfaces: 0,
    rect: undefined,
    textCut: false,
    caret: 0,
    textSelection: undefined,
    value: undefined,
    selectedChildren: undefined,
    actions: [],
    attributes: {},
    childCount: 0,
  };
  const desktop = {
    read: () => Promise.resolve({ ...reading, text: texts[Math.min(n++, texts.length - 1)] }),
  };
  const look = { application, snapshot, windows: [], from: 0, at: 0 };
  return new Field(desktop, look, 1, {
    holder: snapshot.element(1),
    secret: false,
    edited,
    onSecret: () => {},
  });
}

Deno.test("a page that tells of a key late is read again before it is said what was typed", async () => {
  let edited = -Infinity;
  const late = field(["", "x"], () => edited);
  late.key(performance.now());
  // Return follows at once: what stands there is read before the page has taken the first key.
  await late.read();
  edited = performance.now() + 1;
  assert.equal(late.late, true);
  assert.deepEqual(await late.text(true), { text: "x", sure: true });
  late.close();
});

Deno.test("what a page tells in time counts, and what may have been emptied meanwhile is not sure", async () => {
  let edited = -Infinity;
  const timely = field(["x", ""], () => edited);
  edited = performance.now();
  timely.key(edited);
  await timely.read();
  assert.equal(timely.late, false);
  assert.deepEqual(await timely.text(true), { text: "x", sure: true });
  timely.close();
  const emptied = field(["", ""], () => edited);
  emptied.key(performance.now());
  await emptied.read();
  edited = performance.now() + 1;
  assert.deepEqual(await emptied.text(true), { text: "", sure: false });
  emptied.close();
});
