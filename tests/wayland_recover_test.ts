import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { json } from "./cli/kept.ts";
import { ROOT, withPlace } from "./cli/program.ts";

const BUTTONS = join(ROOT, "tests/fixtures/wayland/gtk3.py");

Deno.test("a Wayland desktop whose owner was killed in a transaction stays until recover has restored it", async () => {
  await withPlace(async (place) => {
    const log = join(place.work, place.file("log", ""));
    const texts = () => readFileSync(log, "utf8").split("\n").filter((line) => line.startsWith("text "));
    const file = place.file(
      "typed.yaml",
      `name: Typed
steps:
  - transaction:
      steps:
        - set: { target: 'textfield[name="Text"]', value: 'before' }
        - type: { into: 'textfield[name="Text"]', text: ' and Grüße' }
        - wait: { target: 'button[name="Nowhere"]', timeout: 50s }
before:
  - launch: { app: /usr/bin/python3, args: ['${BUTTONS}', '${log}', wayland] }
`,
    );
    const running = place.start(["run", file, "--session", "isolated", "--display", "wayland"]);
    await running.says("type textfield");
    running.child.kill("SIGKILL");
    await running.finished;
    assert.equal(texts().at(-1), "text before and Grüße");

    // `check` ends what was abandoned, and this is not.
    await place.run(["check"]);
    const listed = JSON.stringify(await json(place, ["session", "list"]));
    assert.match(listed, /wayland:\/.*"in doubt"|"in doubt".*wayland:\//);
    await json(place, ["recover", "--dry-run"]);
    assert.equal(texts().at(-1), "text before and Grüße");

    const recovered = JSON.stringify(await json(place, ["recover", "--rollback"]));
    assert.match(recovered, /"verdict":"restored"/);
    assert.equal(texts().at(-1), "text ");
    assert.deepEqual(await json(place, ["recover"]), { runs: [] });
    assert.deepEqual(place.traces(), []);
  });
});
