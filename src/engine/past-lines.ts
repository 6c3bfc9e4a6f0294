import { z } from "zod";
import type { Json } from "../base/error.ts";
import type { Effect } from "../contract/effect.ts";
import type { RollbackVerdict, StepVerdict } from "../contract/events.ts";
import type { Image } from "../contract/participant.ts";
import type { Invocation } from "../contract/operation.ts";
import type { Condition, Undo } from "./step.ts";

const anything = z.custom<Json>(() => true);
const record = z.record(z.string(), anything);
// What was sealed was authenticated when it was unsealed: it is what this program wrote.
const ImageJson: z.ZodType<Image> = z.custom<Image>((value) => typeof value === "object" && value !== null);
const Scoped = z.object({ vars: record, steps: record, numbered: z.record(z.string(), anything) });

export const Intent = z.object({
  input: anything,
  name: z.string(),
  app: z.string().nullable(),
  stood: z.string().nullable(),
  undo: z.custom<Undo>((value) => typeof value === "object" && value !== null).optional(),
  doneWhen: z.custom<Condition>((value) => typeof value === "object" && value !== null).optional(),
  scope: Scoped.optional(),
  withheld: z.boolean().optional(),
  before: z.array(z.object({ participant: anything, key: z.string(), image: ImageJson })),
});

export const Outcome = z.object({
  after: z.array(ImageJson.nullable()),
  inverse: z.object({ operation: z.string(), input: anything }).nullable(),
  left: z.string().nullable(),
  output: anything,
});

export const Head = z.object({
  run: z.string(),
  workflow: z.string(),
  file: z.string(),
  digest: z.string(),
  at: z.number(),
  desktop: z.object({
    kind: z.enum(["isolated", "attached", "simulated"]),
    label: z.string(),
    id: z.string().nullable(),
    mode: z.enum(["focus", "background"]),
  }),
  secrets: z.array(z.string()),
  durability: z.enum(["barriers", "full"]).optional(),
  sealed: z.string(),
});

export const Given = z.object({
  vars: record,
  app: z.string().nullable(),
  folder: z.string(),
  policy: z.enum(["stop", "ask", "force"]),
  secretFiles: z.record(z.string(), z.string()).optional(),
});

/** The first line of a journal: what runs, and where. */
export type Head = z.infer<typeof Head>;

/** A deed as the journal tells it. */
export interface PastDeed {
  readonly path: string;
  /** Number of its line. */
  readonly intent: number;
  readonly operation: string;
  readonly effect: Effect;
  readonly passable: boolean;
  readonly told: z.infer<typeof Intent>;
  /** The transaction that it belongs to; "" is the file. */
  ledger: string;
  /** "none": the process was killed before it was known. */
  outcome: "none" | "done" | "failed" | "unknown";
  after: readonly (Image | null)[];
  inverse: Invocation | undefined;
  left: string | undefined;
  output: Json;
  /** What a way back that was cut off has dealt with… */
  readonly undone: Map<string, StepVerdict>;
  /** …and what it was at. */
  readonly undoing: Set<string>;
}

/** A step that was over. */
export interface PastStep {
  readonly status: "passed" | "failed" | "skipped";
  readonly output: Json | undefined;
}

/** What follows a passed run: it is taken back after all, or what that took is put in place again. */
export interface Afterthought {
  readonly kind: "undo" | "redo";
  /** The first deed that it is about. */
  readonly from: number;
}

export function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

export function number(value: Json | undefined): number {
  return typeof value === "number" ? value : 0;
}

const EFFECTS: readonly Effect[] = ["read", "restorable", "observed", "compensable", "irreversible"];
export function effectOf(value: Json | undefined): Effect {
  return EFFECTS.find((effect) => effect === value) ?? "irreversible";
}

export function outcomeOf(value: Json | undefined): "done" | "failed" | "unknown" {
  return value === "done" || value === "failed" ? value : "unknown";
}

const VERDICTS: readonly StepVerdict[] = [
  "restored",
  "already",
  "rebuilt",
  "compensated",
  "conflict",
  "unrestorable",
  "unknown",
];
export function verdictOf(value: Json | undefined): StepVerdict {
  return VERDICTS.find((verdict) => verdict === value) ?? "failed";
}

const ROLLBACKS: readonly RollbackVerdict[] = ["none", "restored", "rebuilt", "drift"];
export function rollbackVerdictOf(value: Json | undefined): RollbackVerdict {
  return ROLLBACKS.find((verdict) => verdict === value) ?? "failed";
}
