import assert from "node:assert/strict";
import { pressedOnce } from "./laws.ts";
import { live, memoryFolder } from "./live.ts";
import { changesOf } from "./values.ts";

/** The second of two presses is done late, while the third step presses. */
const STORY = {
  seed: 0,
  head: {},
  steps: [
    { click: 'button[name="Plus"]' },
    { click: 'button[name="Send"]' },
    { set: { target: 'textfield[name="Beta"]', value: "x" } },
    { click: 'button[name="Send"]' },
  ],
  faults: [{ fault: "delay" as const, ms: 2_900, when: { at: 2, call: "act" as const } }],
};

Deno.test("a press that the application does late is that of the step which sent it", async () => {
  const folder = memoryFolder();
  try {
    const history = await live(STORY, folder.path);
    const changes = changesOf(history);
    const sent = changes.filter(({ key }) => key === "sent");
    assert.deepEqual(sent.map(({ by }) => by), ["late", "us"]);
    assert.deepEqual(pressedOnce(history, changes), []);
    // Had the step before pressed nothing, the late press would be the second of this one.
    const alone = history.reported.filter(({ event }) =>
      !("step" in event && event.event === "step-finished" && event.step.path === "2")
    );
    assert.deepEqual(pressedOnce({ ...history, reported: alone }, changes).map(({ law }) => law), [
      "repeated",
    ]);
  } finally {
    folder.remove();
  }
});
