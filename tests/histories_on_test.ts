import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tellOn } from "../scripts/histories/real/on.ts";
import { missingFor, toolkit } from "../scripts/histories/real/toolkits.ts";
import { openSession } from "../src/session/open-session.ts";

const gtk3 = toolkit("gtk3");
const missing = missingFor(gtk3);

// A transaction that is rolled back, one with another hand in between, one with an opposite action: fifty of each toolkit are
// told by `deno task histories --on`.
Deno.test({
  name: "the same histories end alike on a real application, by its own account" +
    (missing.length > 0 ? `: not run, ${missing.join(", ")} is not installed` : ""),
  ignore: missing.length > 0,
}, async () => {
  const state = mkdtempSync(join(tmpdir(), "bs-state-"));
  const session = await openSession({ kind: "isolated", state });
  try {
    for (const seed of [4, 26, 55]) {
      const { disagreements } = await tellOn(session, gtk3, { seed, count: 1 });
      assert.equal(disagreements.length, 0, disagreements[0]?.report);
    }
  } finally {
    await session.close();
    rmSync(state, { recursive: true, force: true });
  }
});
