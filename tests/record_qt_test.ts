import assert from "node:assert/strict";
import { catalogue } from "../src/catalogue.ts";
import { runWorkflow } from "../src/engine/run/run.ts";
import { parseWorkflow } from "../src/workflow/parse.ts";
import { resolveVariables } from "../src/workflow/values.ts";
import { missingFor } from "../scripts/action-names/stage.ts";
import { replay } from "../scripts/recordings/replay.ts";
import { recordSession } from "../scripts/recordings/session.ts";
import { RecordStage } from "../scripts/recordings/stage.ts";

/** What Qt does not tell as others do: menus outside of its tree, dates without a number, and a window that is not aware of the keyboard. */
const KINDS = ["context menu", "date", "file chooser", "back by tab"];
/** By it, each of them is done once, and then "Save" is clicked. */
const SEED = 56;

const missing = missingFor("qt5");

Deno.test({
  name: "context menus and dates of Qt, and what is typed after its file chooser, are recorded and replay",
  ignore: missing !== undefined,
}, async () => {
  const { trials, yaml, account, windows } = await recordSession("qt5", SEED, KINDS.length + 1, KINDS);
  assert.deepEqual(trials.map(({ plan }) => plan.kind).sort(), [...KINDS, "button"].sort());
  for (const { plan, verdict, lines, steps } of trials) {
    assert.equal(verdict, "right", `${plan.kind}: ${JSON.stringify({ lines, steps })}`);
  }
  assert.match(yaml, /menuitem\[name="Re(?:name|move)"\]/);
  assert.match(yaml, /spinbutton\[name="Due"\]', value: ['"]?20/);
  const { result, outcome, wanted } = await replay("qt5", yaml, account, windows);
  assert.equal(result.status, "passed", JSON.stringify(result.error));
  assert.deepEqual(outcome, wanted);
});

/** A transaction whose second step cannot be done. */
const FILE = `name: date
app: record-fixture
steps:
  - transaction:
      name: form
      steps:
        - set: { target: 'spinbutton[name="Due"]', value: '2031-02-03' }
        - set: { target: 'spinbutton[name="Copies"]', value: some }
`;

Deno.test({
  name:
    "a date of Qt is set to what it shows and rolled back, as its application says; a number takes no text",
  ignore: missing !== undefined,
}, async () => {
  await using stage = await RecordStage.open("qt5");
  const workflow = parseWorkflow(FILE, { file: "date.yaml", operations: catalogue });
  const result = await runWorkflow(workflow, {
    operations: catalogue,
    session: stage.session,
    vars: resolveVariables(workflow),
    surroundings: { env: () => undefined, secret: () => undefined },
    folder: stage.folder,
    state: stage.folder,
  });
  assert.match(result.error?.message ?? "", /Cannot set spinbutton "Copies" to this text: it takes a number/);
  assert.equal(result.rollback.verdict, "restored");
  const dates = stage.account().filter(({ what }) => what === "date").map(({ value }) => value);
  assert.deepEqual(dates, ["2031-02-03", "2026-03-17"]);
});
