import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { Deadline, pause } from "../src/base/call.ts";
import { catalogue } from "../src/catalogue.ts";
import type { RunResult } from "../src/contract/events.ts";
import { press } from "../src/desktop/actions/press.ts";
import { runWorkflow } from "../src/engine/run/run.ts";
import { openSession } from "../src/session/open-session.ts";
import type { Session } from "../src/session/session.ts";
import { parseWorkflow } from "../src/workflow/parse.ts";
import { FAILS, type Step } from "./_truth.ts";
import { isInstalled } from "./_installed.ts";

const source = fileURLToPath(new URL("fixtures/swing/Form.java", import.meta.url));
const needs = [["/usr/share/java/java-atk-wrapper.jar", "libatk-wrapper-java"], [
  "/usr/bin/javac",
  "default-jdk",
]];
const missing = needs.find(([file = ""]) => !isInstalled(file))?.[1];
const unless = missing === undefined ? "" : `: not run, ${missing} is not installed`;

const State = z.record(z.string(), z.string());
type State = z.infer<typeof State>;
const Line = z.object({ what: z.string(), of: z.string(), state: State });

/** What is done in a transaction that fails: the form's own account must be as before, or the verdict not `restored`. */
interface Case {
  readonly name: string;
  readonly first?: readonly Step[];
  readonly steps: readonly Step[];
  /** What the account says after the steps were done for good. */
  readonly becomes: State;
  /** Default restored. */
  readonly verdict?: "restored" | "drift";
}

const city = "combobox:nth(2)";
const tree = (name: string) => `treeitem[name="${name}"]`;

const CASES: readonly Case[] = [
  {
    name: "a text",
    steps: [{ set: { target: 'textfield[name="Name"]', value: "Grüße" } }],
    becomes: { Name: "Grüße" },
  },
  {
    name: "a text of lines",
    steps: [{ set: { target: 'textarea[name="Notes"]', value: "one\ntwo" } }],
    becomes: { Notes: "one\ntwo" },
  },
  {
    name: "a password, which is never read and so never restored",
    steps: [{ set: { target: 'passwordfield[name="Secret"]', value: "new" } }],
    becomes: { Secret: "new" },
    verdict: "drift",
  },
  {
    name: "a check box, a toggle button and a radio button",
    steps: [
      { click: 'checkbox[name="Wrap"]' },
      { click: 'togglebutton[name="Bold"]' },
      { click: 'radio[name="Large"]' },
    ],
    becomes: { Wrap: "true", Bold: "true", Large: "true", Small: "false" },
  },
  {
    name: "a combo box, by its list",
    steps: [{ click: "combobox:nth(1)" }, { click: 'combobox:nth(1) listitem[name="Blue"]' }],
    becomes: { Colour: "Blue" },
  },
  {
    name: "a combo box with an entry: an item, then what is none",
    steps: [{ set: { target: city, value: "Rome" } }, { set: { target: city, value: "Bergen" } }],
    becomes: { City: "Bergen", "City as written": "Bergen" },
  },
  {
    name: "a combo box that showed what is none of its items",
    steps: [{ set: { target: city, value: "Paris" } }],
    becomes: { City: "Paris", "City as written": "Paris" },
  },
  {
    name: "what was written into a combo box and not yet taken is not called restored",
    first: [{ type: { into: `${city} textfield`, text: "!" } }],
    steps: [{ set: { target: city, value: "Rome" } }],
    becomes: { City: "Rome" },
    verdict: "drift",
  },
  {
    name: "numbers: the model keeps its whole ones",
    steps: [
      { set: { target: 'spinbutton[name="Count"]', value: 7 } },
      { set: { target: 'slider[name="Volume"]', value: 24 } },
    ],
    becomes: { Count: "7", Volume: "24" },
  },
  {
    name: "a spin button of days, of which the number is always 0",
    steps: [{ set: { target: 'spinbutton[name="Day"] textfield', value: "Friday" } }],
    becomes: { Day: "Friday" },
  },
  {
    name: "rows of a list",
    steps: [
      { select: 'listitem[name="Cherry"]' },
      { select: { target: 'list[name="Fruit"]', items: ["Apple", "Date"] } },
    ],
    becomes: { Fruit: "Apple,Date" },
  },
  {
    name: "another row of that list",
    steps: [{ select: 'listitem[name="Banana"]' }],
    becomes: { Fruit: "Banana" },
  },
  { name: "a row of a table", steps: [{ select: 'cell[name="Milk"]' }], becomes: { rows: "[1]" } },
  { name: "another one", steps: [{ select: 'cell[name="3"]' }], becomes: { rows: "[2]" } },
  {
    name: "rows of a tree, opened and chosen",
    steps: [{ set: { target: tree("Europe"), value: true } }, { select: tree("Italy") }],
    becomes: { shown: "World,Europe,Norway,Italy,Asia", path: "[World, Europe, Italy]" },
  },
  {
    name: "the first row of a tree",
    steps: [{ select: tree("World") }],
    becomes: { path: "[World]" },
  },
  { name: "a tab", steps: [{ click: 'tab[name="Delivery"]' }], becomes: { tab: "Delivery" } },
  {
    name: "a dialog, answered by its undo",
    steps: [{ click: 'button[name="Ask"]', undo: [{ click: 'dialog button[name="No"]' }] }],
    becomes: {},
  },
];

/** The form on a private desktop, and what it writes. */
class Form {
  readonly #session: Session;
  readonly #folder: string;
  constructor(session: Session, folder: string) {
    this.#session = session;
    this.#folder = folder;
  }

  run(steps: readonly Step[]): Promise<RunResult> {
    const file = JSON.stringify({ name: "swing", app: "java", on_failure: "stop", timeout: "60s", steps });
    return runWorkflow(parseWorkflow(file, { file: "swing.yaml", operations: catalogue }), {
      operations: catalogue,
      session: this.#session,
      vars: {},
      surroundings: { env: () => undefined, secret: () => undefined },
      folder: this.#folder,
      state: this.#folder,
    });
  }

  /** The state of all controls, as Swing has it, after all that was sent before. */
  async state(): Promise<State> {
    const deadline = Deadline.after(10_000);
    const { desktop } = this.#session;
    const before = this.#lines().length;
    const [application] = await desktop.applications(deadline.call());
    assert.ok(application);
    const snapshot = await desktop.snapshot(application, deadline.call());
    const row = Array.from({ length: snapshot.size }, (_, at) => at).find((at) =>
      snapshot.name(at) === "Tell"
    );
    assert.ok(row !== undefined);
    await press(desktop, snapshot.element(row), {}, deadline);
    for (;;) {
      const reported = this.#lines().slice(before).find(({ what }) => what === "asked");
      if (reported !== undefined) return reported.state;
      if (deadline.passed) throw new Error("the form wrote nothing");
      await pause(5);
    }
  }

  #lines() {
    return readFileSync(join(this.#folder, "told.jsonl"), "utf8").trim().split("\n")
      .map((line) => Line.parse(JSON.parse(line)));
  }
}

Deno.test({
  name: `a form of Swing is set, rolled back and judged by its own account${unless}`,
  ignore: missing !== undefined,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "bs-swing-"));
  const session = await openSession({ kind: "isolated", state: folder });
  try {
    await session.launcher.launch("java", { args: [source, folder], timeout: 30_000 });
    const form = new Form(session, folder);
    for (const { name, first = [], steps, becomes, verdict = "restored" } of CASES) {
      await t.step(name, async () => {
        if (first.length > 0) assert.equal((await form.run(first)).status, "passed");
        const before = await form.state();
        const back = await form.run([{ transaction: { name: "rolled back", steps: [...steps, FAILS] } }]);
        const reported = JSON.stringify({ error: back.error, rollback: back.rollback }).slice(0, 4_000);
        assert.match(back.error?.message ?? "", /nothing has this id/, reported);
        assert.equal(back.rollback.verdict, verdict, reported);
        const after = await form.state();
        if (verdict === "restored") assert.deepEqual(after, before, reported);
        const done = await form.run(steps);
        assert.equal(done.status, "passed", JSON.stringify(done.error));
        const state = await form.state();
        for (const [of, value] of Object.entries(becomes)) assert.equal(state[of], value, of);
        if (name.startsWith("a dialog")) await form.run([{ press: "Escape" }]);
      });
    }
  } finally {
    await session.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
