import assert from "node:assert/strict";
import { z } from "zod";

const Code = z.string().regex(/^[a-z_]+$/);
const Place = z.strictObject({ file: z.string(), line: z.int().min(1), column: z.int().min(1) });
const ErrorShape = z.strictObject({
  code: Code,
  message: z.string().min(1),
  hint: z.string().optional(),
  place: Place.optional(),
  details: z.record(z.string(), z.json()).optional(),
});
const Milliseconds = z.int().min(0);
const Verdict = z.enum([
  "restored",
  "already",
  "rebuilt",
  "compensated",
  "conflict",
  "unrestorable",
  "unknown",
  "failed",
]);

/** What `run --format json` prints, to the letter. */
const DifferenceShape = z.strictObject({
  participant: z.string(),
  property: z.string(),
  expected: z.json(),
  actual: z.json(),
});

const RunShape = z.strictObject({
  run: z.string().regex(/^\d{8}-\d{6}-[0-9a-f]{6}$/),
  workflow: z.string().min(1),
  desktop: z.strictObject({ kind: z.enum(["isolated", "attached", "simulated"]), label: z.string().min(1) }),
  status: z.enum(["passed", "failed", "cancelled"]),
  exit: z.int(),
  duration_ms: Milliseconds,
  steps: z.array(z.strictObject({
    path: z.string().min(1),
    name: z.string().min(1),
    operation: z.string().min(1),
    effect: z.enum(["read", "restorable", "observed", "compensable", "irreversible"]),
    status: z.enum(["passed", "failed", "skipped"]),
    duration_ms: Milliseconds,
    attempts: z.int().min(2).optional(),
    output: z.json().optional(),
    error: ErrorShape.optional(),
  })),
  rollback: z.strictObject({
    verdict: z.enum(["none", "restored", "rebuilt", "drift", "failed"]),
    steps: z.array(z.strictObject({
      path: z.string().min(1),
      verdict: Verdict,
      what: z.string().min(1),
      method: z.string().optional(),
      reason: z.string().optional(),
      incidental: z.literal(true).optional(),
      conflict: z.strictObject({ property: z.string(), found: z.json(), left: z.json(), was: z.json() })
        .optional(),
    })),
    drift: z.array(DifferenceShape),
    beside: z.array(DifferenceShape).min(1).optional(),
    barrier: z.strictObject({ path: z.string().min(1), name: z.string().min(1) }).optional(),
    enrolled: z.array(z.strictObject({
      kind: z.string().min(1),
      label: z.string().min(1),
      properties: z.array(z.string().min(1)).min(1),
      verdict: Verdict,
    })),
  }),
  unstable: z.array(z.string().min(1)),
  error: ErrorShape.optional(),
  expected: z.boolean().optional(),
});

/** Standard output as the one JSON value that it is, on one line with nothing before or after. */
export function oneJson(out: string): unknown {
  assert.match(out, /^[^\n]+\n$/, "one line and nothing else");
  return JSON.parse(out);
}

/** A run's result, every key and type of it checked. */
export function runResult(out: string): z.infer<typeof RunShape> {
  return RunShape.parse(oneJson(out));
}

/** What `--format json` prints of what went wrong. */
export function failure(out: string): z.infer<typeof ErrorShape> {
  return z.strictObject({ error: ErrorShape }).parse(oneJson(out)).error;
}

/** No escape byte: nothing that colours, moves or clears. */
export function assertPlain(...texts: string[]): void {
  // deno-lint-ignore no-control-regex -- these are what is looked for
  for (const text of texts) assert.doesNotMatch(text, /[\x00-\x08\x0b-\x1f\x7f]/);
}
