import assert from "node:assert/strict";
import { Deadline, pause } from "../../base/call.ts";
import { instead } from "../_instead.ts";
import type { DesktopEvent, Watch } from "../desktop.ts";
import { Locator } from "../locator/mod.ts";
import { simulate } from "../simulated/simulate.ts";
import { heard, READ_BACK, typeAndHear } from "./type-and-hear.ts";

Deno.test("a new line is a character in a field of several lines, and a key in any other", () => {
  assert.equal(heard("Zürich", false), 6);
  assert.equal(heard("one\ntwo", true), 7);
  assert.equal(heard("one\ntwo", false), undefined);
  // They leave many a field, and may be written by others.
  assert.equal(heard("one\ttwo", true), undefined);
  assert.equal(heard("one\rtwo", true), undefined);
});

for (const [characters, looks] of [[7, 2], [undefined, 3]] as const) {
  Deno.test(`keys are waited for until ${characters ?? "no more"} characters have been inserted`, async () => {
    const desktop = simulate({ applications: ["sim.settings"] });
    const [application] = await desktop.applications();
    assert.ok(application);
    const locator = new Locator(desktop, { application, selector: '[name="Name"]' });
    const { element } = await locator.resolve({ timeout: 1_000 });
    const inserted = (count: number): DesktopEvent => ({
      bus: element.bus,
      path: element.path,
      kind: "object:text-changed:insert",
      detail1: 0,
      detail2: count,
      text: "",
    });
    const reported = [[inserted(3)], [inserted(4)]];
    let asked = 0;
    const watch: Watch = {
      async next({ timeout = 0 }) {
        if (asked++ < reported.length) return "event";
        await pause(timeout);
        return "timeout";
      },
      take: () => reported[asked - 1] ?? [],
      close: () => {},
    };
    const deadline = Deadline.after(1_000);
    const scripted = instead(desktop, { watch: () => watch });
    await typeAndHear(scripted, element, () => Promise.resolve(), characters, READ_BACK, deadline);
    assert.equal(asked, looks);
    await desktop.close();
  });
}
