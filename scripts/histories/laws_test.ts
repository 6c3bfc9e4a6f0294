import assert from "node:assert/strict";
import { judge } from "./judge.ts";
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
  faults: [{ fault: "delay" as const, calls: 15, when: { at: 2, call: "act" as const } }],
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

/** A person chooses blue between our look at the group and our choice of green, which leaves red as the person left it. */
const CHOICES = {
  seed: 0,
  head: {},
  steps: [
    { click: 'button[name="Send"]' },
    { click: '[name="Green"]' },
    { click: 'button[name="Plus"]', undo: [{ click: 'button[name="Minus"]' }] },
    {
      transaction: {
        steps: [
          { click: 'button[name="Open"]', undo: [{ press: "Escape" }] },
          { click: 'button[name="Send"]', irreversible: true },
          { set: { target: '[name="Level"]', value: 30 } },
        ],
      },
    },
  ],
  faults: [
    { fault: "timeout" as const, landed: true, when: { at: 6, call: "act" as const } },
    {
      fault: "interfere" as const,
      app: "hist.form",
      element: "blue",
      set: { checked: true },
      when: { at: 2, call: "read" as const },
      after: true,
    },
  ],
};

Deno.test("which radio button was chosen while ours was being chosen may be any that was: both are right", async () => {
  const folder = memoryFolder();
  try {
    const history = await live(CHOICES, folder.path);
    const red = changesOf(history).filter(({ key }) => key === "red");
    assert.deepEqual(red.map(({ by, after }) => [by, after]), [["other", "false"], ["us", "true"]]);
    assert.deepEqual(judge(history), []);
  } finally {
    folder.remove();
  }
});
