import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pause } from "../src/base/call.ts";
import { catalogue } from "../src/catalogue.ts";
import { runWorkflow } from "../src/engine/run/run.ts";
import { parseWorkflow } from "../src/workflow/parse.ts";
import { missingFor } from "../scripts/action-names/stage.ts";
import { type Plan, plans } from "../scripts/recordings/acts.ts";
import { Injector } from "../scripts/recordings/injector.ts";
import { Person } from "../scripts/recordings/person.ts";
import { RecordStage } from "../scripts/recordings/stage.ts";
import { Recording } from "./_recording.ts";
import { withPlace } from "./cli/program.ts";

const missing = missingFor("gtk3");

/** A file as a person has written it, with comments and spacing of their own. */
const FILE = `# Fill the form in.
name:   A form        # by hand
app: record-fixture

steps:
    # First the title.
    -   set: { target: 'textfield[name="Title"]', value: draft }   # short

    - transaction:
        name: author
        steps:
          - set: { target: 'textfield[name="Author"]', value: ada }
          - set: { target: 'checkbox[name="Bold"]', value: true }


    - name: the last one
      click: 'button[name="Save"]'
`;

Deno.test({
  name:
    "record --from runs a file up to a step and records on into it: the rest of its text stays byte for byte",
  ignore: missing !== undefined,
}, async () => {
  let text: string;
  {
    await using stage = await RecordStage.open("gtk3");
    await using injector = await Injector.start(stage.session);
    const file = join(stage.folder, "form.yaml");
    writeFileSync(file, FILE);
    const person = new Person(injector);
    const act = async (recording: Recording, plan: Plan, said: string) => {
      await recording.does(plan, said, stage, person);
      await pause(500);
    };
    let run: string;
    {
      await using recording = await Recording.begin(stage, "", ["--from", `${file}@1`]);
      const done = stage.account().map(({ what, of, value }) => [what, of, value].join(" "));
      assert.ok(done.includes("text Title draft"), "it ran up to the step");
      assert.ok(!done.some((line) => /Author|Bold|Save/.test(line)), "and no further");
      await act(recording, plans.click("check", "Italic"), "Italic");
      await act(recording, plans.fill("Password", "hunter2q9", false), "PASSWORD");
      await recording.order("end", "written");
      assert.equal(await recording.finished(), 0, recording.errors);
      run = /"what":"ready","run":"([\w-]+)"/.exec(recording.output)?.[1] ?? "";
    }
    text = readFileSync(file, "utf8");
    const once = FILE.replace(
      "# short\n",
      `# short
    - set: { target: 'checkbox[name="Italic"]', value: true }
    - set: { target: 'passwordfield[name="Password"]', value: '{{secrets.PASSWORD}}' }
`,
    ).replace("record-fixture\n", "record-fixture\nsecrets: [ PASSWORD ]\n");
    assert.equal(text, once);
    // The same file by the id of its run, in a transaction.
    writeFileSync(file, FILE);
    {
      await using recording = await Recording.begin(stage, "", ["--from", `${run}@2.1`]);
      await act(recording, plans.click("radio", "Blue"), "Blue");
      await recording.order("end", "written");
      assert.equal(await recording.finished(), 0, recording.errors);
    }
    assert.equal(
      readFileSync(file, "utf8"),
      FILE.replace(
        "value: ada }\n",
        `value: ada }
          - set: { target: 'radio[name="Blue"]', value: true }
`,
      ),
    );
    // A step that fails on the way: it is shown, and nothing is written.
    const broken = FILE.replace('textfield[name="Title"]', 'textfield[name="Nothing"]');
    writeFileSync(file, broken.replace("value: draft }", "value: draft }\n        timeout: 300ms"));
    const before = readFileSync(file, "utf8");
    await using recording = new Recording(stage, "", ["--from", `${file}@the last one`]);
    assert.equal(await recording.finished(), 1, recording.errors);
    assert.match(recording.output, /"what":"failed".*Nothing/);
    assert.match(recording.errors, /Nothing was recorded/);
    assert.equal(readFileSync(file, "utf8"), before);
  }
  await using stage = await RecordStage.open("gtk3");
  const workflow = parseWorkflow(text, { file: "form.yaml", operations: catalogue });
  const result = await runWorkflow(workflow, {
    operations: catalogue,
    session: stage.session,
    vars: {},
    surroundings: { env: () => undefined, secret: () => "hunter2q9" },
    folder: stage.folder,
    state: stage.folder,
  });
  assert.equal(result.status, "passed", JSON.stringify(result.error));
});

Deno.test("record --from names what it cannot go on from, before a desktop is opened", () =>
  withPlace(async (place) => {
    const loop = place.file(
      "loop.yaml",
      `name: L
app: sim.settings
steps:
  - repeat: { times: 2, steps: [ { name: inner, click: slider } ] }
  - id: seen
    find: slider
  - { assert: { target: slider, value: '{{step_2.count}}' } }
`,
    );
    const cases = place.file(
      "cases.yaml",
      `name: C
vars: { n: { type: number, default: 1 } }
cases: [ { n: 2 } ]
steps:
  - find: slider
`,
    );
    const flow = place.file("flow.yaml", "name: F\nsteps: [ { find: slider } ]\n");
    const program = place.file("p.ts", "export default {};\n");
    const wanted: [string, RegExp][] = [
      [`${loop}@9`, /there is no such step/],
      [`${loop}@seem`, /Did you mean seen/],
      [`${loop}@inner`, /inside of `repeat:`/],
      [`${loop}@1`, /line 7 names step 2 by its number/],
      [`${cases}@1`, /`cases:`/],
      [`${flow}@1`, /stand in \[ … \]/],
      [`${program}@1`, /p\.ts/],
      ["nothing.yaml@1", /there is no such file/],
      ["nothing", /FILE@STEP/],
      ["20261120-233000-c3f9a1@1", /there is no such run/],
    ];
    for (const [from, why] of wanted) {
      const { code, err } = await place.run(["record", "--from", from, "--session", "isolated"]);
      assert.notEqual(code, 0, from);
      assert.match(err, why, `${from}: ${err}`);
    }
    const twice = await place.run(["record", "--from", `${loop}@2`, "--output", "x.yaml"]);
    assert.equal(twice.code, 2);
    assert.match(twice.err, /takes no --output/);
  }));
