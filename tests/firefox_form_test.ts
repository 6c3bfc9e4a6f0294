import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { Json } from "../src/base/error.ts";
import { openSession } from "../src/session/open-session.ts";
import { FAILS, passed, perform, type Step, tell } from "./_acts.ts";
import { type PageLine, PageServer } from "./_page.ts";
import { isInstalled } from "./_installed.ts";

/** A control of the form: what is done to it, and what its page must say of that. */
interface Control {
  readonly what: string;
  /** What it is called in the page's account. */
  readonly id: string;
  readonly target: string;
  readonly do: Step;
  /** What the page holds then. */
  readonly holds: Json;
  /** What `value` reads then; undefined: it is not read so. */
  readonly reads?: Json;
  /** Tidies up. */
  readonly then?: Step;
}

const set = (target: string, value: Json): Pick<Control, "target" | "do"> => ({
  target,
  do: { set: { target, value } },
});

const CONTROLS: readonly Control[] = [
  {
    what: "a part of a date",
    id: "day",
    ...set('spinbutton[name="Day"]', 20),
    holds: "2024-03-20",
    reads: 20,
  },
  {
    what: "another part of it",
    id: "day",
    ...set('spinbutton[name="Year"]', 2031),
    holds: "2031-03-20",
    reads: 2031,
  },
  {
    what: "a part of a time",
    id: "alarm",
    ...set('spinbutton[name="Minutes"]', 45),
    holds: "07:45",
    reads: 45,
  },
  { what: "a field", id: "name", ...set('textfield[name="Name"]', "Grace"), holds: "Grace", reads: "Grace" },
  {
    what: "a field of several lines",
    id: "notes",
    ...set('textarea[name="Notes"]', "three\nfour"),
    holds: "three\nfour",
    reads: "three\nfour",
  },
  { what: "a check box", id: "box", ...set('checkbox[name="Box"]', true), holds: true, reads: true },
  { what: "a radio button", id: "second", ...set('radio[name="Second"]', true), holds: true, reads: true },
  { what: "a select", id: "colour", ...set('combobox[name="Colour"]', "Blue"), holds: "Blue", reads: "Blue" },
  {
    what: "a select of which several are chosen",
    id: "tools",
    target: 'list[name="Tools"]',
    do: { select: { target: 'list[name="Tools"]', items: ["Axe", "Drill"] } },
    holds: ["Axe", "Drill"],
  },
  { what: "a number", id: "number", ...set('spinbutton[name="Number"]', 55), holds: "55", reads: 55 },
  {
    what: "a number without bounds",
    id: "free",
    ...set('spinbutton[name="Free"]', -5),
    holds: "-5",
    reads: -5,
  },
  { what: "an empty number", id: "none", ...set('spinbutton[name="None"]', 12), holds: "12", reads: 12 },
  { what: "a slider", id: "volume", ...set('slider[name="Volume"]', 80), holds: "80", reads: 80 },
  {
    what: "a field with suggestions",
    id: "town",
    ...set('combobox[name="Town"]', "Oslo"),
    holds: "Oslo",
    reads: "Oslo",
    // Its suggestions stay open, as they do for a person, and cover what lies below.
    then: { press: "Escape" },
  },
  { what: "details", id: "details", ...set('button[name="Details"]', true), holds: true },
];

/** Of text with markup nobody can type what was there: its rollback must say so. */
const RICH = 'textarea[name="Rich"]';
const RICH_STEPS: readonly (readonly Step[])[] = [
  [{ set: { target: RICH, value: "other" } }],
  [{ set: { target: RICH, value: "other" } }, { set: { target: RICH, value: "plain bold end" } }],
];

/** Milliseconds that a page gets after a step, which ends as soon as the page has changed. */
const PATIENCE = 3_000;

const program = "/usr/bin/firefox-esr";
const missing = !isInstalled(program);

Deno.test({
  name: `each control of a form in Firefox is set, read and rolled back, as its page says${
    missing ? ": not run, firefox-esr is not installed" : ""
  }`,
  ignore: missing,
}, async (t) => {
  const state = mkdtempSync(join(tmpdir(), "bs-state-"));
  const page = await PageServer.open();
  const session = await openSession({ kind: "isolated", state });
  const run = (...steps: readonly Step[]) => perform(session, state, "firefox-esr", steps);
  try {
    passed(await run({ launch: { app: "firefox-esr", args: [page.url("form.html")] } }));
    await t.step("numbers read right at the first look", async () => {
      const read = await run({ value: 'slider[name="Volume"]', id: "action" });
      assert.equal(outputOf(read).value, 40, tell(read));
    });
    assert.ok(await page.until(({ lines }) => lines.length > 0), "the page wrote nothing");
    for (const control of CONTROLS) {
      await t.step(`${control.what}: rolled back`, async () => {
        const before = page.state;
        const from = page.lines.length;
        const result = await run({ transaction: { name: "rolled back", steps: [control.do, FAILS] } });
        assert.match(result.error?.message ?? "", /nothing has this id/, tell(result));
        const was = () => page.lines.slice(from).some(({ state }) => equal(state[control.id], control.holds));
        await page.until(() => was() && equal(page.state, before), PATIENCE);
        await quiet(page);
        const lines = page.lines.slice(from);
        const reported = `${tell(result)}\n${said(lines, control)}`;
        assert.ok(was(), reported);
        assert.deepEqual(page.state, before, reported);
        heard(lines, control);
        assert.equal(result.rollback.verdict, "restored", reported);
      });
      await t.step(`${control.what}: set and read`, async () => {
        const from = page.lines.length;
        const done = await run(control.do);
        passed(done);
        await page.until(({ state }) => equal(state[control.id], control.holds), PATIENCE);
        await quiet(page);
        const lines = page.lines.slice(from);
        assert.deepEqual(page.state[control.id], control.holds, `${tell(done)}\n${said(lines, control)}`);
        heard(lines, control);
        if (control.reads !== undefined) {
          const read = await run({ value: control.target, id: "action" });
          assert.equal(outputOf(read).value, control.reads, tell(read));
        }
        if (control.then !== undefined) passed(await run(control.then));
      });
    }
    for (const steps of RICH_STEPS) {
      await t.step(
        `formatted content, ${steps.length} steps: its text comes back, and what is lost is said`,
        async () => {
          await page.reload();
          const before = page.state["rich"];
          assert.equal(before, "plain <b>bold</b> end");
          const result = await run({ transaction: { name: "rolled back", steps: [...steps, FAILS] } });
          await page.until(({ state }) => /plain.*bold.*end/.test(String(state["rich"])), PATIENCE);
          await quiet(page);
          const reported = `${tell(result)}\n${JSON.stringify(page.state["rich"])}`;
          assert.match(String(page.state["rich"]).replaceAll(/<[^>]*>/g, ""), /^plain.bold.end$/, reported);
          assert.equal(page.state["rich"] === before, result.rollback.verdict === "restored", reported);
          if (page.state["rich"] !== before) {
            assert.match(JSON.stringify(result.rollback), /formatting/, reported);
          }
        },
      );
    }
  } finally {
    await session.close();
    await page.close();
    rmSync(state, { recursive: true, force: true });
  }
});

type Result = Awaited<ReturnType<typeof perform>>;

function outputOf(result: Result): { readonly value: unknown } {
  passed(result);
  return z.looseObject({ value: z.unknown() }).parse(result.steps[0]?.output);
}

/** The page looks at itself every 50 ms: it has said all once it is asked for one more thing and has said nothing else. */
async function quiet(page: PageServer): Promise<void> {
  const polls = page.polls;
  await page.until(({ polls: now }) => now >= polls + 3);
}

/** An event told the page's listeners of it, and nothing changed without one. */
function heard(lines: readonly PageLine[], { id, holds }: Control): void {
  const reported = lines.map(({ what, of }) => `${what} ${of}`).join(", ");
  assert.ok(!lines.some(({ what }) => what === "silent"), `it changed and no event came: ${reported}`);
  const events = lines.filter(({ what }) => what === "input" || what === "change" || what === "toggle");
  assert.ok(events.some(({ state }) => equal(state[id], holds)), `no event came with it: ${reported}`);
}

function equal(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function said(lines: readonly PageLine[], { id }: Control): string {
  return lines.map(({ what, of, state }) => `${what} ${of}: ${JSON.stringify(state[id])}`).join("\n");
}
