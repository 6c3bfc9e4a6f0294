import assert from "node:assert/strict";
import { Deadline, pause } from "../../base/call.ts";
import { instead } from "../_instead.ts";
import type { DesktopEvent, Watch } from "../desktop.ts";
import { Locator } from "../locator/mod.ts";
import { simulate } from "../simulated/simulate.ts";
import { heard, READ_BACK, typeAndHear } from "./type-and-hear.ts";

Deno.test("a new line is a character in a field of several lines, and a key in any other", () => {
  assert.deepEqual(heard("Zürich", false), { inserted: 6 });
  assert.deepEqual(heard("one\ntwo", true), { inserted: 7 });
  assert.equal(heard("one\ntwo", false), undefined);
  // They leave many a field, and may be written by others.
  assert.equal(heard("one\ttwo", true), undefined);
  assert.equal(heard("one\rtwo", true), undefined);
  assert.deepEqual(heard("Zürich", false, "Zürich, and more"), { inserted: 6, grown: -10 });
});

const inserted = (count: number) => ["insert", count] as const;
const removed = (count: number) => ["delete", count] as const;
const MOVED = ["caret", 0] as const;
/** What is expected, what is reported at once each, and after how many looks it is over. */
const CASES = [
  ["all was inserted", { inserted: 7 }, [[inserted(3)], [inserted(4)], [inserted(1)]], 2],
  ["more was inserted", { inserted: 7 }, [[inserted(3)], [inserted(5)], [inserted(1)]], 2],
  ["nothing is expected", undefined, [[inserted(3)], [inserted(4)]], 3],
  ["too little was inserted", { inserted: 8 }, [[inserted(3)], [inserted(4)]], 3],
  [
    "what is left of a text was not typed again",
    { inserted: 10, grown: -10 },
    [[removed(10)], [inserted(1)]],
    1,
  ],
  ["a text is replaced bit by bit", { inserted: 5, grown: 0 }, [[removed(5), inserted(2)], [inserted(3)]], 2],
  ["a text of the same length is selected, and not replaced", { inserted: 5, grown: 0 }, [[MOVED]], 2],
] as const;

for (const [name, expected, reported, looks] of CASES) {
  Deno.test(`keys are waited for: ${name}`, async () => {
    const desktop = simulate({ applications: ["sim.settings"] });
    const [application] = await desktop.applications();
    assert.ok(application);
    const locator = new Locator(desktop, { application, selector: '[name="Name"]' });
    const { element } = await locator.resolve({ timeout: 1_000 });
    let asked = 0;
    const watch: Watch = {
      async next({ timeout = 0 }) {
        if (asked++ < reported.length) return "event";
        await pause(timeout);
        return "timeout";
      },
      take: () =>
        (reported[asked - 1] ?? []).map(([kind, detail2]): DesktopEvent => ({
          bus: element.bus,
          path: element.path,
          kind: kind === "caret" ? "object:text-caret-moved" : `object:text-changed:${kind}`,
          detail1: 0,
          detail2,
          text: "",
        })),
      close: () => {},
    };
    const deadline = Deadline.after(1_000);
    const scripted = instead(desktop, { watch: () => watch });
    await typeAndHear(scripted, element, () => Promise.resolve(), expected, READ_BACK, deadline);
    assert.equal(asked, looks);
    await desktop.close();
  });
}
