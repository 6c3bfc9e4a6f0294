import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunResult } from "../src/contract/events.ts";
import { readJournal, runFolder } from "../src/engine/journal/journal.ts";
import type { Plan } from "../src/engine/plan/plan-model.ts";
import { command } from "./_command.ts";

async function inState(action: (state: string) => Promise<void>): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "bs-script-"));
  try {
    await action(state);
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

Deno.test("draft.ts types into gedit, opens its dialog, fails, and everything is rolled back", () =>
  inState(async (state) => {
    const { code, out, err } = await command(["run", "workflows/draft.ts", "--format", "json"], state);
    assert.equal(code, 1, err + out);
    const result: RunResult = JSON.parse(out);
    assert.equal(result.rollback.verdict, "restored", JSON.stringify(result.rollback.drift));
    assert.equal(result.expected, true);
    assert.deepEqual(
      result.steps.map(({ path, operation, status }) => `${path} ${operation} ${status}`),
      [
        "before.1 launch passed",
        "1.1 type passed",
        "1.2 assert passed",
        "1.3 press passed",
        "1.4 set passed",
        "1.5 assert failed",
        "1.3.undo.1 press passed",
        "after.1 quit passed",
      ],
    );
    const kinds = readJournal(runFolder(state, result.run)).map(({ kind }) => kind);
    for (
      const kind of ["run", "begin", "action-begin", "rollback", "undoing", "undone", "rolled-back", "end"]
    ) {
      assert.ok(kinds.some((one) => one === kind), kind);
    }
  }));

Deno.test("a plan of draft.ts does nothing of it, and lists what is known", () =>
  inState(async (state) => {
    const { code, out, err } = await command(["plan", "workflows/draft.ts", "--format", "json"], state);
    assert.equal(code, 0, err + out);
    const { steps, coverage, ends }: Plan = JSON.parse(out);
    assert.equal(ends, undefined);
    assert.deepEqual(
      steps.filter(({ part }) => part === "steps").map(({ path, status }) => `${path} ${status}`),
      [
        "1 holds",
        "1.1 resolved",
        "1.2 resolved",
        "1.3 resolved",
        "1.4 later",
        "1.5 resolved",
      ],
    );
    assert.deepEqual(coverage, { percent: 100, covered: 2, of: 2, later: 1 });
  }));

Deno.test("a file that is no workflow is told with what it should export", () =>
  inState(async (state) => {
    const file = join(state, "nothing.ts");
    writeFileSync(file, "export default 5;\n");
    const { code, err } = await command(["run", file, "--session", "simulated"], state);
    assert.equal(code, 2);
    assert.match(err, /its default export is no workflow/);
    assert.match(err, /Its default export is `workflow\(/);
    assert.equal((await command(["run", join(state, "none.ts")], state)).code, 2);
  }));
