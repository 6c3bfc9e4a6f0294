import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Desk } from "../scripts/attack/desk.ts";
import { judge } from "../scripts/attack/judge.ts";
import type { Plan } from "../scripts/attack/plan.ts";
import { missingFor } from "../scripts/attack/toolkits.ts";

/** What `deno task attack` once found: a plan as small as it became, and what must be said of it. */
interface Case extends Omit<Plan, "seed"> {
  readonly name: string;
  readonly exit: number;
  /** The code of the first step that failed. */
  readonly code?: string;
  /** How often the application saw this control change at somebody's hands. */
  readonly changes?: readonly [key: string, times: number];
}

const LIST_OPEN = [{ click: "combobox" }, { click: 'listitem[name="four"]' }];
const OPEN = { name: "a row under an open list is not clicked", traits: [], exit: 1, code: "not_actionable" };

const CASES: readonly Case[] = [
  { ...OPEN, toolkit: "qt5", steps: LIST_OPEN },
  { ...OPEN, toolkit: "qt6", steps: LIST_OPEN },
  { ...OPEN, toolkit: "gtk3", steps: LIST_OPEN },
  { ...OPEN, toolkit: "gtk4", steps: [{ click: '[name="Language"]' }, { click: 'listitem[name="four"]' }] },
  {
    name: "a button whose press was refused and done is pressed once",
    toolkit: "chromium",
    traits: [{ trait: "deny", at: 1 }],
    steps: [{ click: 'button[name="Plus"]', undo: [{ click: 'button[name="Minus"]' }] }],
    exit: 4,
    code: "refused",
  },
  {
    name: "a text that was refused and written is written once",
    toolkit: "gtk3",
    traits: [{ trait: "deny", at: 1 }],
    steps: [{ set: { target: '[name="Alpha"]', value: "v1" } }],
    exit: 0,
    changes: ["alpha", 1],
  },
  {
    name: "a page that sleeps is not known to be as before",
    toolkit: "chromium",
    traits: [{ trait: "hang", at: 1, ms: 3_000 }],
    steps: [{ click: '[name="Green"]' }],
    exit: 4,
    code: "no_effect",
  },
  {
    name: "a rollback that clicked in a list before that was made anew says so",
    toolkit: "qt6",
    traits: [
      { trait: "recreate", key: "rows", at: 4, ms: 150 },
      { trait: "late", key: "rows", ms: 600 },
    ],
    steps: [
      { set: { target: '[name="Rows"]', value: "four" } },
      { set: { target: 'textfield[name="Beta"]', value: "w2 ab" } },
      { assert: { target: 'button[name="Nowhere"]', timeout: 0 } },
    ],
    exit: 1,
    code: "assertion",
  },
];

for (const { name, exit, code, changes, ...plan } of CASES) {
  const missing = missingFor(plan.toolkit);
  const title = `${name}: ${plan.toolkit}`;
  Deno.test({
    name: missing.length > 0 ? `${title}: not run, ${missing.join(", ")} is not installed` : title,
    ignore: missing.length > 0,
  }, async () => {
    const state = mkdtempSync(join(tmpdir(), "bs-state-"));
    const desk = await Desk.open(plan.toolkit, state);
    try {
      const played = await desk.play({ seed: 1, ...plan });
      const { result } = played;
      const reported = JSON.stringify([result?.steps, result?.rollback]);
      assert.deepEqual(judge(played), [], reported);
      const failed = result?.steps.find(({ status }) => status === "failed")?.error?.code;
      assert.deepEqual([result?.exit, failed], [exit, code], reported);
      if (changes === undefined) return;
      const [key, times] = changes;
      const made = played.account.changes.filter((one) => one.key === key && one.by === "outside");
      assert.equal(made.length, times, JSON.stringify(made));
    } finally {
      await desk.close();
      rmSync(state, { recursive: true, force: true });
    }
  });
}
