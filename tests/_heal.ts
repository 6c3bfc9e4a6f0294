import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type Place, ROOT } from "./cli/program.ts";

/** The form. */
export const FORM = join(ROOT, "tests/fixtures/heal/gtk3.py");
/** A secret that is typed into it. */
export const TOKEN = "lantern-4711-quay";

/** A workflow on the form; how the form is changed stands in the environment. */
export function orderFile(account: string, steps: string): string {
  return `# Kept as it is: comments, spacing and quotes.
name:   Order
app: gtk3.py
session: isolated
timeout: 60s
secrets: [ORDER_TOKEN]
before:
  - launch: { app: /usr/bin/python3, args: [${JSON.stringify(FORM)}, ${
    JSON.stringify(account)
  }, "{{env.ONE}}", "{{env.TWO}}"] }
steps:
${steps}`;
}

/** Two fields and a check box. */
export const STEPS =
  `  - set: { target: 'textfield[name="Delivery address"]', value: '{{secrets.ORDER_TOKEN}}' }
  - set:   { target:   'textfield[name="Customer"]', value: Ada }  # who
    timeout: 2s
  - click: 'checkbox[name="Express delivery"]'
    timeout: 2s
`;
/** A button. */
export const PRINT = `  - click: "button[name=\\"Print receipt\\"]"
    timeout: 2s
`;

const Suggestion = z.object({
  from: z.string(),
  to: z.string(),
  score: z.number(),
  proof: z.object({ verdict: z.string(), reason: z.string() }).optional(),
  patch: z.string().optional(),
});
const Result = z.object({
  status: z.string(),
  exit: z.number(),
  rollback: z.object({ verdict: z.string() }),
  error: z.object({
    code: z.string(),
    hint: z.string().optional(),
    details: z.looseObject({
      suggestion: Suggestion.optional(),
      no_suggestion: z.object({ refused: z.string() }).optional(),
    }).optional(),
  }).optional(),
});

/** Runs a file while the form is changed so, and answers the result. */
export async function ran(place: Place, file: string, changes: readonly string[], ...more: string[]) {
  const [one = "none", two = "none"] = changes;
  const finished = await place.run(["run", file, "--format", "json", ...more], {
    env: { ONE: one, TWO: two, ORDER_TOKEN: TOKEN },
    timeout: 120_000,
  });
  assert.ok(!finished.out.includes(TOKEN) && !finished.err.includes(TOKEN));
  const result = Result.parse(JSON.parse(finished.out));
  assert.equal(finished.code, result.exit, finished.err);
  const { suggestion, no_suggestion: none } = result.error?.details ?? {};
  return { ...result, suggestion, refused: none?.refused };
}

/** What the form wrote down of one control since it was shown last. */
export function accountOf(path: string, control: string): unknown[] {
  const lines = readFileSync(path, "utf8").trim().split("\n").map((line) =>
    z.looseObject({ what: z.string(), control: z.string().optional() }).parse(JSON.parse(line))
  );
  const shown = lines.findLastIndex(({ what }) => what === "shown");
  return lines.slice(shown + 1).filter((line) => line.control === control).map(({ what, text, active }) =>
    text ?? active ?? what
  );
}
