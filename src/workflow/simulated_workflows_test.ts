import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { catalogue } from "../catalogue.ts";
import { readSelector } from "../desktop/selector/mod.ts";
import { LOGIN } from "../desktop/simulated/applications/login.ts";
import { runWorkflow } from "../engine/run/run.ts";
import { openSession } from "../session/open-session.ts";
import { loadWorkflow } from "./load.ts";
import { resolveVariables } from "./values.ts";

const FOLDER = new URL("../../workflows/simulated/", import.meta.url).pathname;

for (const name of readdirSync(FOLDER).filter((file) => file.endsWith(".yaml"))) {
  Deno.test(`workflows/simulated/${name} ends as it expects, with no display`, async () => {
    const state = mkdtempSync(join(tmpdir(), "backstep-workflows-"));
    const session = await openSession({ kind: "simulated" });
    try {
      const workflow = loadWorkflow(join(FOLDER, name), {
        operations: catalogue,
        checkSelector: (text) => void readSelector(text),
      });
      assert.equal(workflow.session, "simulated");
      const result = await runWorkflow(workflow, {
        operations: catalogue,
        session,
        vars: resolveVariables(workflow),
        surroundings: { env: () => undefined, secret: () => LOGIN.password },
        folder: FOLDER,
        state,
      });
      assert.equal(result.expected, true, JSON.stringify(result, null, 1));
      assert.ok(!JSON.stringify(result).includes(LOGIN.password));
      const last = result.steps.filter((step) => step.path.startsWith("after.")).map((step) => step.status);
      assert.deepEqual(last, ["passed"], "the application quits without a question");
    } finally {
      await session.close();
      rmSync(state, { recursive: true });
    }
  });
}
