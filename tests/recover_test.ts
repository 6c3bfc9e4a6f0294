import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Matrix } from "../scripts/crash/matrix.ts";
import { json, onKept, text } from "./cli/kept.ts";

const SHORT = fileURLToPath(new URL("../scripts/crash/short.yaml", import.meta.url));
const VICTIM = fileURLToPath(new URL("../scripts/crash/run.ts", import.meta.url));
/** Cells of the crash matrix that are gone through here; all of them by `deno task crash-matrix`. */
const CELLS = 8;

Deno.test("a run that is killed with SIGKILL at a write or a call is restored or resumed", async () => {
  const matrix = await Matrix.open(SHORT);
  try {
    const points = await matrix.points();
    const kinds = [
      "in the middle of a line: intent",
      "after a line: intent",
      "after a call: act setText",
      "before a line: outcome",
      "in the middle of an artefact",
      "after a line: undoing",
      "after a call: act setValue",
      "after a line: undone",
    ];
    assert.equal(kinds.length, CELLS);
    for (const [turn, kind] of kinds.entries()) {
      const from = Math.floor(points.length * turn / 20);
      const found = points.findIndex((point, at) => at >= from && point.startsWith(kind));
      const at = found < 0 ? points.findIndex((point) => point.startsWith(kind)) : found;
      assert.ok(at >= 0, `${kind} in ${[...new Set(points)].join(", ")}`);
      const cell = await matrix.cell(at, turn % 2 === 0 ? "rollback" : "resume");
      assert.ok(cell.good, `${points[at]}: ${JSON.stringify(cell)}`);
    }
  } finally {
    await matrix.close();
  }
});

/** A key cannot be undone, and nothing tells whether it was pressed. */
const PRESSES = `name: A key
app: gtk3-widget-factory
steps:
  - press: F7
`;

Deno.test("a key that was pressed when the run was killed, between intent and outcome, is in doubt; known to be pressed it is not", () =>
  onKept(async (place, desktop) => {
    await json(place, ["launch", "gtk3-widget-factory", "--session", desktop]);
    const file = join(place.work, place.file("press.yaml", PRESSES));
    const victim = async (run: string, at: string): Promise<void> => {
      const reported = { state: place.state, desktop, file, root: place.work, run, at };
      const through = [Deno.execPath(), "run", "-A", "--no-check", VICTIM];
      const finished = await place.run([JSON.stringify(reported)], { through });
      assert.deepEqual([finished.code, finished.out], [null, ""], finished.err);
    };
    await victim("between", "after a call: pressKeys F7");
    const doubt = JSON.stringify(await json(place, ["recover", "between", "--rollback"], 4));
    assert.match(doubt, /"verdict":"in doubt"/);
    assert.match(doubt, /"probed":\[\{"path":"1","name":"press F7","state":"in doubt"\}\]/);
    assert.match(doubt, /"barrier":\{"path":"1"/);

    await victim("known", "after a line: outcome");
    const existing = JSON.stringify(await json(place, ["recover", "known", "--rollback"]));
    assert.match(existing, /"verdict":"restored"/);
    assert.match(existing, /"probed":\[\]/);
    assert.match(existing, /"barrier":\{"path":"1"/);
  }));

Deno.test("undo and redo of a committed run on a kept desktop restore and re-apply the text in gedit", () =>
  onKept(async (place, id) => {
    await json(place, ["launch", "org.gnome.gedit", "--session", id]);
    const shown = async () =>
      text(await json(place, ["value", "textarea:visible", "--app", "gedit", "--session", id]), "value");
    const file = place.file(
      "write.yaml",
      `name: Write
app: gedit
steps:
  - type: { into: 'textarea:visible', text: 'Every step' }
  - type: { into: 'textarea:visible', text: ' knows the way back.' }
`,
    );
    const run = text(await json(place, ["run", file, "--session", id]), "run");
    assert.equal(await shown(), "Every step knows the way back.");
    assert.equal(text(await json(place, ["undo", run, "--last", "1"]), "verdict"), "restored");
    assert.equal(await shown(), "Every step");
    assert.equal(text(await json(place, ["undo", run]), "verdict"), "restored");
    assert.equal(await shown(), "");
    assert.equal(text(await json(place, ["undo", run]), "verdict"), "already");
    assert.equal(text(await json(place, ["redo", run]), "verdict"), "restored");
    assert.equal(await shown(), "Every step knows the way back.");
    const listed = await place.run(["runs", "list"]);
    assert.match(listed.out, new RegExp(`^${run} +passed .* Write`));
    // What was on the desktop is encrypted, and an export has no key.
    const to = join(place.folder, "exported");
    await json(place, ["runs", "export", run, to]);
    const leaked = (await place.run(["runs", "show", run, "--format", "json"])).out;
    assert.doesNotMatch(leaked + allText(to), /Every step/);
    await place.run(["session", "stop", id, "--force"]);
    const gone = await place.run(["undo", run]);
    assert.equal(gone.code, 1);
    assert.match(gone.err, /Cannot find the desktop of run .* again/);
  }));

function allText(folder: string): string {
  return [...Deno.readDirSync(folder)].map(({ name, isDirectory }) =>
    isDirectory ? allText(join(folder, name)) : Deno.readTextFileSync(join(folder, name))
  ).join("");
}

Deno.test("a killed run whose desktop died is gone, and its journal is closed", () =>
  onKept(async (place, id) => {
    await json(place, ["launch", "gtk3-widget-factory", "--session", id]);
    const file = place.file(
      "slow.yaml",
      `name: Slow
app: gtk3-widget-factory
steps:
  - set: { target: 'spinbutton:enabled', value: 75 }
  - wait: { target: 'button[name="Nowhere"]', timeout: 30s }
`,
    );
    const running = place.start(["run", file, "--session", id]);
    await running.says("spinbutton");
    running.child.kill("SIGKILL");
    await running.finished;
    const looked = JSON.stringify(await json(place, ["recover", "--dry-run"]));
    assert.match(looked, /"verdict":"open".*set-value|"verdict":"open".*spinbutton/);
    await place.run(["session", "stop", id, "--force"]);
    const gone = JSON.stringify(await json(place, ["recover", "--rollback"], 1));
    assert.match(
      gone,
      /^\{"runs":\[\{"run":"[^"]+","workflow":"Slow","steps":\[\],"drift":\[\].*"verdict":"gone"/,
    );
    assert.deepEqual(await json(place, ["recover"]), { runs: [] });
  }));
