import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSession } from "../src/session/open-session.ts";
import { FAILS, passed, perform, type Step, tell } from "./_acts.ts";
import { PageServer } from "./_page.ts";
import { isInstalled } from "./_installed.ts";

/** A booking, on a form of controls that browsers and pages make in many ways. */
const BOOKING: readonly Step[] = [
  { set: { target: 'combobox[name="Room"]', value: "Hall" } },
  { select: { target: 'list[name="Extras"]', items: ["Dinner", "Dog"] } },
  { set: { target: 'spinbutton[name="Year"]:nth(1)', value: 2026 } },
  { set: { target: 'spinbutton[name="Hours"]', value: 7 } },
  { set: { target: 'textfield[name="AM/PM"]', value: "AM" } },
  { set: { target: 'spinbutton[name="Month"]:nth(2)', value: 12 } },
  { click: 'radio[name="3 stars"]' },
  { set: { target: 'togglebutton[name="Late arrival"]', value: true } },
  { set: { target: 'slider[name="Noise"]', value: 5 } },
  { set: { target: 'spinbutton[name="Guests"]', value: 4 } },
  { set: { target: 'spinbutton[name="Discount"]', value: -1.25 } },
  { set: { target: 'textarea[name="Notes"]', value: "a\n\nb" } },
];

const BOOKED = {
  room: "Hall",
  extras: ["Dinner", "Dog"],
  arrival: "2026-01-31T07:05",
  birthday: "",
  two: false,
  three: true,
  late: "true",
  noise: "5",
  guests: "4",
  discount: "-1.25",
  notes: "a\n\nb",
};

const missing = !isInstalled("/usr/bin/firefox-esr");

Deno.test({
  name:
    `a form that nobody tuned for is filled in Firefox, and its twin that fails comes back, as its page says${
      missing ? ": not run, firefox-esr is not installed" : ""
    }`,
  ignore: missing,
}, async () => {
  const state = mkdtempSync(join(tmpdir(), "bs-state-"));
  const page = await PageServer.open();
  const session = await openSession({ kind: "isolated", state });
  const run = (...steps: readonly Step[]) => perform(session, state, "firefox-esr", steps);
  try {
    passed(await run({ launch: { app: "firefox-esr", args: [page.url("booking.html")] } }));
    assert.ok(await page.until(({ lines }) => lines.length > 0), "the page wrote nothing");
    // What is chosen at first can be chosen by nobody: it is disabled.
    passed(await run({ set: { target: 'combobox[name="Room"]', value: "Attic" } }));
    await page.until(({ state }) => state["room"] === "Attic");
    const before = page.state;
    const failed = await run({ transaction: { name: "booking", steps: [...BOOKING, FAILS] } });
    assert.match(failed.error?.message ?? "", /nothing has this id/, tell(failed));
    await page.until(({ state }) => JSON.stringify(state) === JSON.stringify(before));
    assert.deepEqual(page.state, before, tell(failed));
    assert.equal(failed.rollback.verdict, "restored", tell(failed));
    const done = await run(...BOOKING);
    passed(done);
    const same = () => Object.entries(BOOKED).every(([id, value]) => equal(page.state[id], value));
    await page.until(same);
    assert.deepEqual({ ...page.state, ...BOOKED }, page.state, tell(done));
    assert.ok(!page.lines.some(({ what }) => what === "silent"), "something changed and no event came");
  } finally {
    await session.close();
    await page.close();
    rmSync(state, { recursive: true, force: true });
  }
});

function equal(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
