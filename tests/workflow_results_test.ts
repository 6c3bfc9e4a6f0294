import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { catalogue } from "../src/catalogue.ts";
import type { RunResult } from "../src/contract/events.ts";
import { readSelector, strategies } from "../src/desktop/selector/mod.ts";
import { runWorkflow } from "../src/engine/run/run.ts";
import { openSession } from "../src/session/open-session.ts";
import { loadWorkflow } from "../src/workflow/load.ts";
import { resolveVariables } from "../src/workflow/values.ts";
import { comparable, fieldsThatDiffer, recordedResult } from "./_results.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Those on real applications are compared in `workflows_test.ts`. */
for (const file of readdirSync(join(root, "workflows/simulated")).sort()) {
  Deno.test(`workflows/simulated/${file} reports what it reported when it was recorded`, async () => {
    const recorded = recordedResult(`simulated/${file}`);
    const result = await resultOf(file);
    assert.deepEqual(fieldsThatDiffer(recorded, comparable(result)), []);
    // Whoever compares must see it where a verdict is another one.
    const [first, ...others] = result.steps;
    assert.ok(first);
    const other: RunResult = { ...result, exit: 3, steps: [{ ...first, effect: "irreversible" }, ...others] };
    assert.deepEqual(
      fieldsThatDiffer(recorded, comparable(other)).map((field) => field.split(":")[0]),
      ["exit", "steps[0].effect"],
    );
  });
}

async function resultOf(file: string): Promise<RunResult> {
  const workflow = loadWorkflow(join(root, "workflows/simulated", file), {
    operations: catalogue,
    root,
    checkSelector: (text, strategy) => {
      readSelector(text, strategies.find((one) => one === strategy));
    },
  });
  const state = mkdtempSync(join(tmpdir(), "bs-state-"));
  const session = await openSession({ kind: "simulated" });
  try {
    return await runWorkflow(workflow, {
      operations: catalogue,
      session,
      vars: resolveVariables(workflow, { vars: {} }),
      surroundings: { env: () => undefined, secret: () => undefined },
      folder: root,
      state,
    });
  } finally {
    await session.close();
    rmSync(state, { recursive: true, force: true });
  }
}
