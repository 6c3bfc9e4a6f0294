import assert from "node:assert/strict";
import type { PersonRecord } from "../../ffi/records.ts";
import { inputEventOf } from "./input-event.ts";

function record(over: Partial<PersonRecord>): PersonRecord {
  return {
    kind: "person",
    session: 1n,
    at: 5n,
    what: 1,
    detail: 1,
    x: 3,
    y: 4,
    modifiers: 0,
    time: 7,
    moved: false,
    lost: 0,
    ...over,
  };
}

Deno.test("what the core reports of a person becomes an event by its kind", () => {
  const placed = { x: 3, y: 4, modifiers: [], time: 7 };
  const cases: readonly (readonly [Partial<PersonRecord>, unknown])[] = [
    [{}, { what: "button", down: true, button: "left", ...placed }],
    [{ what: 2, detail: 9 }, { what: "button", down: false, button: "forward", ...placed }],
    [{ detail: 12 }, undefined],
    [{ moved: true, modifiers: 15 }, {
      what: "button",
      down: true,
      button: "left",
      ...placed,
      modifiers: ["ctrl", "shift", "alt", "super"],
      moved: true,
    }],
    [{ what: 3, detail: 4 }, { what: "wheel", right: 0, down: -1, ...placed }],
    [{ what: 3, detail: 7 }, { what: "wheel", right: 1, down: 0, ...placed }],
    [{ what: 4, detail: 0xff0d }, { what: "key", keysym: 0xff0d, name: "Return", modifiers: [], time: 7 }],
    [{ what: 4, detail: 0x73, modifiers: 1 }, {
      what: "key",
      keysym: 0x73,
      name: "s",
      modifiers: ["ctrl"],
      time: 7,
    }],
    [{ what: 4, detail: 0x1008ff13 }, { what: "key", keysym: 0x1008ff13, modifiers: [], time: 7 }],
    [{ what: 5, detail: 0 }, { what: "text", time: 7 }],
    [{ what: 6, detail: 0 }, { what: "rest", ...placed }],
    [{ what: 77 }, undefined],
  ];
  for (const [over, expected] of cases) assert.deepEqual(inputEventOf(record(over)), expected);
});
