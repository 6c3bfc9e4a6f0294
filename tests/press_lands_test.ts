// Keys go another way into a page than what is asked over accessibility: a field that is set right after Tab gets its text.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { missingFor, TOOLKITS } from "../scripts/action-names/stage.ts";
import { RecordStage } from "../scripts/recordings/stage.ts";
import { catalogue } from "../src/catalogue.ts";
import { newRunId } from "../src/engine/run/run-id.ts";
import { runWorkflow } from "../src/engine/run/run.ts";
import { parseWorkflow } from "../src/workflow/parse.ts";

const TIMES = 16;
const workflow = `name: Tab
steps:
${
  Array.from(
    { length: TIMES },
    (_, k) => `  - press: Tab\n  - set: { target: 'textfield[name="Title"]', value: 'text ${k}' }`,
  ).join("\n")
}
`;

for (const toolkit of TOOLKITS) {
  const missing = missingFor(toolkit);
  const name = `a field that is set right after Tab gets the text, and its neighbours get none: ${toolkit}`;
  Deno.test({ name, ignore: missing !== undefined }, async () => {
    const state = mkdtempSync(join(tmpdir(), "bs-tab-"));
    await using stage = await RecordStage.open(toolkit);
    try {
      const parsed = parseWorkflow(`app: ${stage.application.name}\n${workflow}`, {
        file: "tab.yaml",
        operations: catalogue,
        load: () => assert.fail("there is no other file"),
      });
      const { status, error } = await runWorkflow(parsed, {
        operations: catalogue,
        session: stage.session,
        vars: {},
        surroundings: { env: () => undefined, secret: () => undefined },
        folder: state,
        state,
        run: newRunId(),
        evidence: "off",
      });
      const written = stage.account().filter(({ what }) => what === "text");
      assert.deepEqual(written.filter(({ of }) => of !== "Title"), []);
      assert.equal(status, "passed", error?.message);
      assert.equal(written.at(-1)?.value, `text ${TIMES - 1}`);
    } finally {
      rmSync(state, { recursive: true, force: true });
    }
  });
}
