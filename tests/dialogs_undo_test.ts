// What a dialog held goes with it: the step that closed it decides the verdict. Judged by the application's own account and
// by the disk.
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { RunResult } from "../src/contract/events.ts";
import { NOTES, Stand } from "./_dialogs.ts";

const FAILS = "- assert: { target: '[id=\"nothing has this id\"]', exists: true, timeout: 0 }";
const OPEN = `- click: 'button[name="New Note"]'
            undo: [ { press: Escape } ]`;
const NAME = 'dialog textfield[name="Name"]';

function workflow(steps: string, more = ""): string {
  return `name: dialogs
app: notes
${more}
steps:
  - transaction:
      name: in a dialog
      steps:
        ${steps.trim().replaceAll("\n          ", "\n        ")}
        ${FAILS}
`;
}

/** What became of each thing that was rolled back. */
const reported = ({ rollback }: RunResult) =>
  rollback.steps.filter(({ incidental }) => !incidental).map(({ what, verdict, reason = "" }) =>
    `${what}: ${verdict}${verdict === "gone" ? `, ${reason}` : ""}`
  );

Deno.test("what was typed into a dialog that a later step closed is gone with it, and that step decides", async (t) => {
  await using stand = await Stand.open();
  await stand.do("launch", { app: NOTES, args: [stand.folder] });
  const notes = join(stand.folder, "notes");

  await t.step("cancelled, with a rollback that has nothing to do: restored", async () => {
    const result = await stand.run(workflow(`
          ${OPEN}
          - set: { target: '${NAME}', value: plans }
          - click: 'dialog button[name="Cancel"]'
            undo: []`));
    assert.match(result.error?.message ?? "", /nothing has this id/);
    assert.equal(result.rollback.verdict, "restored", JSON.stringify(result.rollback));
    assert.ok(
      reported(result).includes('text of textfield "Name": gone, gone with its dialog (step 1.3)'),
      reported(result).join("\n"),
    );
    assert.deepEqual(stand.account(), ["opened", "cancelled"]);
  });

  await t.step("opened from a menu, and cancelled: restored", async () => {
    const result = await stand.run(workflow(`
          - click: 'menu[name="File"]'
          - click: 'menuitem[name="New Note..."]'
            undo: [ { press: Escape } ]
          - set: { target: '${NAME}', value: plans }
          - click: 'dialog button[name="Cancel"]'
            undo: []`));
    assert.equal(result.rollback.verdict, "restored", JSON.stringify(result.rollback));
  });

  await t.step(
    "still open when the transaction fails: restored, and closed by the undo of what opened it",
    async () => {
      const result = await stand.run(workflow(`
          - click: 'menu[name="File"]'
          - click: 'menuitem[name="New Note..."]'
            undo: [ { press: Escape } ]
          - set: { target: '${NAME}', value: plans }`));
      assert.equal(result.rollback.verdict, "restored", JSON.stringify(result.rollback));
      assert.deepEqual(stand.account().slice(-2), ["opened", "cancelled"]);
    },
  );

  await t.step(
    "below the completions of a field: they are closed first, and the undo reaches the dialog",
    async () => {
      const result = await stand.run(workflow(`
          ${OPEN}
          - type: { into: 'dialog textfield[name="Folder"]', text: L }
          - wait: { target: 'cell[name="Letters"]' }`));
      assert.equal(result.rollback.verdict, "restored", JSON.stringify(result.rollback));
      assert.deepEqual(stand.account().slice(-2), ["opened", "cancelled"]);
    },
  );

  await t.step("accepted as irreversible: the note stays, and the step is named", async () => {
    const result = await stand.run(workflow(`
          ${OPEN}
          - set: { target: '${NAME}', value: plans }
          - click: 'dialog button[name="Create"]'
            irreversible: true`));
    assert.equal(result.rollback.verdict, "drift", JSON.stringify(result.rollback));
    assert.ok(result.rollback.drift.some(({ participant }) => participant.includes('button "Create"')));
    assert.deepEqual(readdirSync(notes), ["plans"]);
  });

  await t.step("accepted, with the file declared: the file goes, and all is restored", async () => {
    const result = await stand.run(workflow(
      `
          ${OPEN}
          - set: { target: '${NAME}', value: more }
          - click: 'dialog button[name="Create"]'
            undo: []`,
      `files: [ '${notes}' ]`,
    ));
    assert.equal(result.rollback.verdict, "restored", JSON.stringify(result.rollback));
    assert.deepEqual(readdirSync(notes), ["plans"]);
    assert.equal(stand.account().at(-1), "created more");
  });

  await t.step("closed by a step that says nothing of it: what it did is not known", async () => {
    const result = await stand.run(workflow(`
          ${OPEN}
          - set: { target: '${NAME}', value: enough }`));
    assert.equal(result.rollback.verdict, "failed", JSON.stringify(result.rollback));
    assert.equal(existsSync(join(notes, "enough")), true);
  });

  await t.step("a check item of a menu with a working undo: restored", async () => {
    const result = await stand.run(workflow(`
          - click: 'menu[name="View"]'
          - click: 'checkmenuitem[name="Wrap Lines"]'
            undo:
              - click: 'menu[name="View"]'
              - click: 'checkmenuitem[name="Wrap Lines"]'`));
    assert.equal(result.rollback.verdict, "restored", JSON.stringify(result.rollback));
    assert.deepEqual(stand.account().slice(-2), ["wrap on", "wrap off"]);
  });
});
