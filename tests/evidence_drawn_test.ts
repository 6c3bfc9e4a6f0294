// The picture after a step shows what the step did, also where the next one follows at once: an application draws a frame later.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEvidence } from "../src/engine/evidence/read.ts";
import { newRunId } from "../src/engine/run/run-id.ts";
import { openSession } from "../src/session/open-session.ts";
import { runText } from "./_workflow.ts";

const STEPS = 24;
const WORKFLOW = `name: Drawn
app: gtk3-widget-factory
steps:
${
  Array.from(
    { length: STEPS },
    (_, k) => `  - set: { target: 'textfield:visible:enabled:nth(${k % 2 + 1})', value: 'text ${k}' }`,
  ).join("\n")
}
`;

Deno.test({
  name: "the picture after a step shows what it did, though the next step acts at once",
  ignore: !existsSync("/usr/bin/gtk3-widget-factory"),
  async fn() {
    const state = mkdtempSync(join(tmpdir(), "backstep-drawn-"));
    const session = await openSession({ kind: "isolated" });
    try {
      await session.launcher.launch("gtk3-widget-factory", { timeout: 30_000 });
      const run = newRunId();
      const result = await runText(WORKFLOW, { session, state, run, evidence: "on" });
      assert.equal(result.status, "passed", JSON.stringify(result.error));
      const steps = readEvidence(state, run).evidence?.steps ?? [];
      assert.equal(steps.length, STEPS);
      const same = steps.flatMap(({ path, evidence: { action, after } }) =>
        action?.picture === undefined || after?.picture === undefined || action.picture === after.picture
          ? [`${path}: ${action?.picture} and ${after?.picture}`]
          : []
      );
      assert.deepEqual(same, []);
    } finally {
      await session.close();
      rmSync(state, { recursive: true, force: true });
    }
  },
});
