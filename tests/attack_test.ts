import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { playMany } from "../scripts/attack/many.ts";
import { planText, TOOLKITS } from "../scripts/attack/plan.ts";
import { missingFor } from "../scripts/attack/toolkits.ts";

const missing = TOOLKITS.flatMap((name) => missingFor(name));

// Ten of each toolkit, always the same ones: `deno task attack` takes a new seed each time.
Deno.test({
  name: "50 nasty applications on five toolkits get no false verdict, by their own account" +
    (missing.length > 0 ? `: not run, ${missing.join(", ")} is not installed` : ""),
  ignore: missing.length > 0,
}, async () => {
  const state = mkdtempSync(join(tmpdir(), "bs-state-"));
  try {
    const { found, ends, toolkits } = await playMany({ seed: 1, count: 50, shrinks: 0, state });
    const why = found.map(({ plan, falsehoods }) =>
      `${planText(plan)}${falsehoods.map(({ law, why }) => `  ${law}: ${why}`).join("\n")}`
    );
    assert.deepEqual(why, [], why.join("\n\n"));
    assert.equal(toolkits.length, TOOLKITS.length);
    // Where nothing is ever restored, nothing is said that could be false.
    assert.ok((ends["restored"] ?? 0) >= 15, JSON.stringify(ends));
    assert.ok((ends["passed"] ?? 0) >= 3, JSON.stringify(ends));
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
});
