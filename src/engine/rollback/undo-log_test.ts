import assert from "node:assert/strict";
import type { Participant } from "../../contract/participant.ts";
import { simulate } from "../../desktop/simulated/simulate.ts";
import { entryWith } from "./_entry.ts";
import { type UndoEntry, UndoLog } from "./undo-log.ts";

/** A participant in a window, or in none. */
async function participants(): Promise<{ readonly inside: Participant; readonly outside: Participant }> {
  const desktop = simulate({ applications: ["sim.settings"] });
  const [application] = await desktop.applications();
  assert.ok(application);
  const element = (await desktop.snapshot(application)).element(1);
  await desktop.close();
  const outside: Participant = {
    kind: "test",
    key: "test",
    label: "test",
    capture: () => Promise.resolve({ properties: {} }),
    restore: () => Promise.resolve("none"),
    describe: () => null,
  };
  return { outside, inside: { ...outside, surface: { application, element, word: "window" } } };
}

function entryOf(path: string, participant: Participant): UndoEntry {
  return entryWith({
    path,
    name: path,
    beforeImages: [{ participant, before: { properties: {} }, after: undefined }],
  });
}

Deno.test("what is drawn in something is listed as the log grows, is cut, and is begun anew", async () => {
  const { inside, outside } = await participants();
  const log = new UndoLog();
  const drawn = () => log.drawn.map(({ entry }) => entry.path);
  assert.deepEqual(drawn(), []);
  log.entries.push(entryOf("1", inside), entryOf("2", outside));
  assert.deepEqual(drawn(), ["1"]);
  log.entries.push(entryOf("3", inside));
  assert.deepEqual(drawn(), ["1", "3"]);
  log.cut(1);
  assert.deepEqual(drawn(), ["1"]);
  log.cut(0);
  log.entries.push(entryOf("4", inside));
  assert.deepEqual(drawn(), ["4"], "as many as before, and others");
  log.entries.unshift(entryOf("0", inside));
  assert.deepEqual(drawn(), ["0", "4"]);
  const inner = new UndoLog(0, log);
  inner.entries.push(entryOf("5", inside));
  log.absorb(inner);
  assert.deepEqual(drawn(), ["0", "4", "5"]);
});
