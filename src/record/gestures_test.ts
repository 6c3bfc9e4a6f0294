import assert from "node:assert/strict";
import { type Gesture, Gestures, type Heard } from "./gestures.ts";

const place = { x: 100, y: 50, modifiers: [] as const };

function button(down: boolean, time: number, more: Partial<Heard & { what: "button" }> = {}): Heard {
  return { what: "button", button: "left", down, ...place, time, ...more };
}

function click(time: number, more: Partial<Heard & { what: "button" }> = {}): Heard[] {
  return [button(true, time, more), button(false, time + 40, more)];
}

/** What a row of events makes, with a short form of each act. */
function acts(events: readonly Heard[]): string[] {
  const gestures = new Gestures();
  const made = events.flatMap((event) => [...gestures.flushDue(event.time), ...gestures.push(event)]);
  return [...made, ...gestures.flush()].map(short);
}

function short(gesture: Gesture): string {
  switch (gesture.do) {
    case "click":
      return `${gesture.button} ${gesture.count}`;
    case "drag":
      return `drag to ${gesture.to.x}, ${gesture.to.y}`;
    case "wheel":
      return `wheel ${gesture.right} ${gesture.down}`;
    case "key":
      return `key ${gesture.keysym.toString(16)}`;
    case "typing":
      return `${gesture.keys} keys`;
  }
}

Deno.test("clicks at one place within the time of a double click are one act, others are their own", () => {
  assert.deepEqual(acts([...click(0), ...click(200)]), ["left 2"]);
  assert.deepEqual(acts([...click(0), ...click(150), ...click(300), ...click(450)]), ["left 3", "left 1"]);
  assert.deepEqual(acts([...click(0), ...click(600)]), ["left 1", "left 1"]);
  assert.deepEqual(acts([...click(0), ...click(200, { x: 140 })]), ["left 1", "left 1"]);
  assert.deepEqual(acts([...click(0), ...click(200, { button: "right" })]), ["left 1", "right 1"]);
  assert.deepEqual(acts([...click(0), ...click(200, { modifiers: ["ctrl"] })]), ["left 1", "left 1"]);
});

Deno.test("a button that comes up elsewhere was a drag, and one that went down before was nothing", () => {
  assert.deepEqual(acts([button(true, 0), button(false, 300, { x: 240, y: 60 })]), ["drag to 240, 60"]);
  assert.deepEqual(acts([button(true, 0), button(false, 300, { x: 104 })]), ["left 1"]);
  assert.deepEqual(acts([button(false, 0), ...click(10)]), ["left 1"]);
  assert.deepEqual(acts(click(0, { button: "back" })), []);
});

Deno.test("notches are one turn, keys that type one run, and each other key an act of its own", () => {
  const notch = (time: number, down: number): Heard => ({ what: "wheel", ...place, right: 0, down, time });
  assert.deepEqual(acts([notch(0, 1), notch(100, 1), notch(200, 1), notch(900, -1)]), [
    "wheel 0 3",
    "wheel 0 -1",
  ]);
  const text = (time: number): Heard => ({ what: "text", time });
  const key = (keysym: number, time: number): Heard => ({ what: "key", keysym, modifiers: [], time });
  assert.deepEqual(acts([text(0), text(80), key(0xff0d, 160), text(240)]), ["2 keys", "key ff0d", "1 keys"]);
  assert.deepEqual(acts([text(0), text(900)]), ["1 keys", "1 keys"]);
  assert.deepEqual(acts([...click(0), text(100)]), ["left 1", "1 keys"]);
});

Deno.test("what may still grow is held until its time is over", () => {
  const gestures = new Gestures();
  for (const event of click(1_000)) assert.deepEqual(gestures.push(event), []);
  const due = gestures.due ?? NaN;
  assert.equal(due, 1_440);
  assert.deepEqual(gestures.flushDue(due - 1), []);
  assert.deepEqual(gestures.flushDue(due).map(short), ["left 1"]);
  assert.equal(gestures.due, undefined);
});
