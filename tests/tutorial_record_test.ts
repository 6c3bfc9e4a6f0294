import assert from "node:assert/strict";
import { tutorial } from "../scripts/tutorial/page.ts";
import { playTutorial } from "../scripts/tutorial/play.ts";
import { missingFor } from "../scripts/action-names/stage.ts";
import { play } from "./cli/screen.ts";

Deno.test({
  name: "docs/tutorial/record-your-first-workflow.md: each command, in an empty folder and a real terminal",
  ignore: missingFor("gtk3") !== undefined,
}, async () => {
  assert.equal(tutorial.commands.length, 5);
  const { recording, recorded, recordedOn, runs } = await playTutorial();
  assert.equal(recorded, tutorial.files[0], "the file is as the page shows it");
  const { lines, painted } = play(recording.replaceAll("\x07", ""), 88);
  assert.ok(painted);
  const text = lines.join("\n");
  assert.match(text, /u undo/);
  assert.match(text, /↶ set checkbox\[name="Vegetarian"\] .* undone, and taken out/);
  assert.match(text, /\n {2}4 {2}assert label\[name="Ada is coming"\] exists: true\n/);
  assert.match(text, /\nguests\.yaml: 4 steps\nRun it: backstep run guests\.yaml\n/);
  assert.match(runs[0] ?? "", /passed/);
  assert.match(runs[1] ?? "", /Grace is coming[^]*passed/);
  const after = `          irreversible: true
  - set: { target: 'checkbox[name="Vegetarian"]', value: false }
  - assert: { target: 'label[name="{{vars.guest}} is coming"]', exists: true }
`;
  assert.ok(recordedOn.endsWith(after), recordedOn);
});
