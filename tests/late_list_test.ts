import assert from "node:assert/strict";
import { Deadline } from "../src/base/call.ts";
import { chooseNamed } from "../src/desktop/actions/choose.ts";
import { PATIENCE, withFixture } from "./_fixture.ts";

Deno.test("Qt 5: while a list is opening no key goes to its closed box, which would show something else", () =>
  withFixture("choose/late_list.py", async ({ desktop, shows, application, element }) => {
    await shows("First");
    const box = await element(await application(), "combobox");
    const done = await chooseNamed(desktop, box, "Third", Deadline.after(PATIENCE));
    assert.deepEqual([done.method, done.verified], ["XTEST keys", true]);
    await shows("First, Third");
  }));
