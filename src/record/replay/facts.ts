import { z } from "zod";

/** The element of a step, as it was found. */
const Element = z.strictObject({
  role: z.string(),
  name: z.string(),
  /** States but the focus, which is wherever somebody last was. */
  states: z.array(z.string()),
  /** What it held afterwards; absent: it holds nothing, or what it holds is never read. */
  value: z.union([z.string(), z.number(), z.boolean()]).optional(),
  /** From the corner of its window, in pixels; absent: it has no place. */
  place: z.strictObject({ x: z.int(), y: z.int() }).optional(),
  /** Its way down from its window: roles, and which of several with the same one. */
  tree: z.string(),
});
export type ElementFacts = z.infer<typeof Element>;

/** What a run found at one step. */
const Step = z.strictObject({
  path: z.string(),
  name: z.string(),
  operation: z.string(),
  /** The selector that it was found by. */
  target: z.string().optional(),
  status: z.enum(["passed", "failed", "skipped"]),
  duration_ms: z.number(),
  /** How many matched, where it was not one. */
  matches: z.int().optional(),
  element: Element.optional(),
});
export type StepFacts = z.infer<typeof Step>;

/** What is kept beside a file: what a run of it found, without secrets. */
export const KeptRun = z.strictObject({
  version: z.literal(1),
  workflow: z.string(),
  /** SHA-256 of the file then. */
  source: z.string(),
  desktop: z.string(),
  steps: z.array(Step),
});
export type KeptRun = z.infer<typeof KeptRun>;
