import assert from "node:assert/strict";
import { Deadline } from "../src/base/call.ts";
import { untilDeadline } from "../src/desktop/actions/read-back.ts";
import { type Flows, tell, withFlows } from "./_flow.ts";
import { isInstalled } from "./_installed.ts";

const PAGE = "tests/fixtures/rich/page.html";
/** What the fields of the page hold at first, in their order, by the page's own account. */
const AT_FIRST = {
  Mixed: "one<div>two</div>",
  Paragraphs: "<p>first <b>bold</b></p><p>second</p>",
  List: "<ul><li>one</li><li>two</li></ul>",
  Picture: "a<img>b",
};
type Field = keyof typeof AT_FIRST;

/** Until the page says that its fields hold this, and what they held before where nothing is said. */
async function shows({ session }: Flows, changed: { readonly [F in Field]?: string }): Promise<void> {
  const wanted = Object.values({ ...AT_FIRST, ...changed }).join(" | ");
  const titles = async () => (await session.desktop.windows()).map(({ title }) => title);
  const has = (now: readonly string[]) => now.some((title) => title.startsWith(`${wanted} - `));
  const { held, last } = await untilDeadline(session.desktop, titles, has, Deadline.after(5_000));
  assert.ok(held, `${last.join("\n")}\nis not\n${wanted}`);
}

/** An act in a transaction that fails after it. */
const undone = (step: string) => `
steps:
  - transaction:
      name: undone
      steps:
        - ${step}
        - assert: { target: '[name="Other"]', text: never, timeout: 100 }
`;

/** The page's account after an act, and after its rollback. */
interface Case {
  readonly field: Field;
  readonly step: string;
  readonly holds: string;
  /** Default: what it held at first. */
  readonly back?: string;
}

const CASES: readonly Case[] = [
  {
    field: "Mixed",
    step: `set: { target: '[name="Mixed"]', value: "three\\nfour\\nfive" }`,
    holds: "three<div>four</div><div>five</div>",
  },
  {
    field: "Mixed",
    step: `type: { into: '[name="Mixed"]', text: " and three" }`,
    holds: "one<div>two and three</div>",
  },
  {
    field: "Paragraphs",
    step: `type: { into: '[name="Paragraphs"]', text: "\\nthird" }`,
    holds: "<p>first <b>bold</b></p><p>second</p><p>third</p>",
    // Nobody can type what is bold: the verdict says so.
    back: "<p>first bold</p><p>second</p>",
  },
  {
    field: "List",
    step: `set: { target: '[name="List"]', value: changed }`,
    holds: "<ul><li>changed</li></ul>",
  },
];

/** A test on the page in Chromium. */
function onPage(name: string, body: (flows: Flows) => Promise<void>): void {
  const ignore = !isInstalled("/usr/bin/chromium");
  Deno.test(
    { name: `${name}${ignore ? ": not run, chromium is not installed" : ""}`, ignore },
    () =>
      withFlows(async (flows) => {
        const opened = await flows.run(`
app: chromium
steps:
  - launch: { app: chromium, files: ["${PAGE}"] }
  - wait: '[name="Other"]'
`);
        assert.equal(opened.status, "passed", tell(opened));
        await shows(flows, {});
        await body(flows);
      }),
  );
}

onPage(
  "what one writes into a page in paragraphs and lists is read back, and undone in their lines",
  async (flows) => {
    for (const { field, step, holds, back = AT_FIRST[field] } of CASES) {
      const done = await flows.run(`app: chromium\nsteps:\n  - ${step}\n`);
      assert.equal(done.status, "passed", tell(done));
      assert.equal(Object(done.steps[0]?.output)["verified"], true, tell(done));
      await shows(flows, { [field]: holds });
      // The page is as it was at first again.
      const reload = await flows.run(`app: chromium\nsteps:\n  - press: f5\n`);
      assert.equal(reload.status, "passed", tell(reload));
      await shows(flows, {});

      const failed = await flows.run(`app: chromium\n${undone(step)}`);
      assert.deepEqual([failed.error?.code, failed.rollback.verdict], ["assertion", "drift"], tell(failed));
      assert.match(JSON.stringify(failed.rollback), /comes without the formatting/);
      await shows(flows, { [field]: back });
      assert.equal((await flows.run(`app: chromium\nsteps:\n  - press: f5\n`)).status, "passed");
      await shows(flows, {});
    }
  },
);

onPage(
  "a text with a picture in it is not written over with marks: the rollback says that it cannot",
  async (flows) => {
    const step = `set: { target: '[name="Picture"]', value: changed }`;
    const failed = await flows.run(`app: chromium\n${undone(step)}`);
    assert.deepEqual([failed.error?.code, failed.rollback.verdict], ["assertion", "failed"], tell(failed));
    assert.match(JSON.stringify(failed.rollback), /something is embedded in the text that is no text/);
    await shows(flows, { Picture: "changed" });
  },
);

onPage("assertions and values have the lines of what is embedded", async (flows) => {
  const asserted = await flows.run(`
app: chromium
steps:
  - assert: { target: '[name="Paragraphs"]', text: "first bold\\nsecond" }
  - value: '[name="List"]'
`);
  assert.equal(asserted.status, "passed", tell(asserted));
  assert.equal(Object(asserted.steps[1]?.output)["value"], "one\ntwo");
});
