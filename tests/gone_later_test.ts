// What went with its dialog is judged from the journal too: after a kill, and when a run that has ended is undone and redone. By
// the application's own account.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { json, onKept, text } from "./cli/kept.ts";
import type { Place } from "./cli/program.ts";
import { NOTES } from "./_dialogs.ts";

const NAME = 'text of textfield "Name"';
const GONE = "gone with its dialog (step 2.3)";

/** Writes a text, then a name into a dialog that is cancelled, and another text: the last step did not close it. */
const STEPS = `name: In a dialog
app: notes
steps:
  - set: { target: 'textarea[name="Text"]', value: 'kept' }
  - transaction:
      name: in a dialog
      steps:
        - click: 'button[name="New Note"]'
          undo: [ { press: Escape } ]
        - set: { target: 'dialog textfield[name="Name"]', value: plans }
        - click: 'dialog button[name="Cancel"]'
          undo: []
        - set: { target: 'textarea[name="Text"]', value: 'later' }
`;
/** The same, and then it waits for what never comes. */
const WAITS = `${STEPS}        - wait: { target: 'button[name="Nowhere"]', timeout: 10s }
`;

/** Its last action closes the dialog after its answer, which is waited for. */
const LAST = `${STEPS.slice(0, STEPS.indexOf("        - click: 'dialog button[name=\"Cancel\"]'"))}\
        - click: 'dialog button[name="Cancel Later"]'
          undo: { steps: [], guard: { exists: 'button[name="Plain"]' } }
        - wait: { target: 'dialog', for: gone }
`;

const Reported = z.looseObject({
  steps: z.array(z.looseObject({ what: z.string(), verdict: z.string(), reason: z.string().optional() })),
});

/** What became of the name in the dialog. */
function nameIn(result: unknown): string {
  const runs = z.looseObject({ runs: z.array(z.unknown()) }).safeParse(result);
  const { steps } = Reported.parse(runs.success ? runs.data.runs[0] : result);
  const found = steps.find(({ what }) => what === NAME);
  return `${found?.verdict}, ${found?.reason}`;
}

/** What the application says that it did since it was ready. */
function account(place: Place): string[] {
  return readFileSync(join(place.work, "account"), "utf8").trim().split("\n").slice(1);
}

async function onNotes(action: (place: Place, id: string, shown: () => Promise<string>) => Promise<void>) {
  await onKept(async (place, id) => {
    await json(place, ["launch", NOTES, "--arg", place.work, "--session", id]);
    const shown = async () =>
      text(await json(place, ["value", 'textarea[name="Text"]', "--app", "notes", "--session", id]), "value");
    await action(place, id, shown);
  });
}

/** Runs until its dialog is cancelled and the step after that is over, and is killed then. */
async function killed(place: Place, id: string, workflow = WAITS): Promise<void> {
  const file = place.file("waits.yaml", workflow);
  const running = place.start(["run", file, "--session", id]);
  await running.says("2.4");
  running.child.kill("SIGKILL");
  await running.finished;
}

Deno.test("a run that was killed after its dialog was closed is recovered: what the dialog held is gone with it", () =>
  onNotes(async (place, id, shown) => {
    await killed(place, id);
    assert.equal(await shown(), "later");
    const found = await json(place, ["recover", "--rollback"]);
    assert.equal(nameIn(found), `gone, ${GONE}`, JSON.stringify(found));
    assert.match(JSON.stringify(found), /"verdict":"restored","exit":0|"exit":0.*"verdict":"restored"/);
    assert.equal(await shown(), "");
    assert.deepEqual(account(place), ["opened", "cancelled"]);
  }));

Deno.test("a run that was killed then is resumed: what went with its dialog is no drift", () =>
  onNotes(async (place, id, shown) => {
    await killed(place, id);
    const found = await json(place, ["recover", "--resume"], 1);
    assert.match(JSON.stringify(found), /"verdict":"resumed"/);
    assert.equal(nameIn(found), `gone, ${GONE}`, JSON.stringify(found));
    assert.equal(await shown(), "");
    assert.deepEqual(account(place), ["opened", "cancelled"]);
  }));

Deno.test("a run that has ended is undone and redone: what went with its dialog is gone each time", () =>
  onNotes(async (place, id, shown) => {
    const run = text(await json(place, ["run", place.file("steps.yaml", STEPS), "--session", id]), "run");
    const undone = await json(place, ["undo", run]);
    assert.equal(text(undone, "verdict"), "restored", JSON.stringify(undone));
    assert.equal(nameIn(undone), `gone, ${GONE}`);
    assert.equal(await shown(), "");
    // Clicks are not done again, and named.
    const redone = await json(place, ["redo", run], 3);
    assert.equal(nameIn(redone), `gone, ${GONE}`, JSON.stringify(redone));
    assert.equal(await shown(), "later");
    assert.deepEqual(account(place), ["opened", "cancelled"]);
  }));

Deno.test("a dialog that closes after the answer of the last step went by it: at the end of a run, and after a kill", () =>
  onNotes(async (place, id) => {
    const run = text(await json(place, ["run", place.file("last.yaml", LAST), "--session", id]), "run");
    const undone = await json(place, ["undo", run]);
    assert.equal(nameIn(undone), `gone, ${GONE}`, JSON.stringify(undone));
    await killed(place, id, `${LAST}        - wait: { target: 'button[name="Nowhere"]', timeout: 10s }\n`);
    const found = await json(place, ["recover", "--rollback"]);
    assert.equal(nameIn(found), `gone, ${GONE}`, JSON.stringify(found));
    assert.deepEqual(account(place), ["opened", "cancelled", "opened", "cancelled"]);
  }));
