import { z } from "zod";
import type { ErrorCode, Json } from "../../base/error.ts";
import type { Effect } from "../../contract/effect.ts";
import type { Schema } from "../../contract/schema.ts";

/**
 * How a step of a plan stands:
 *
 * - `resolved`: what it acts on was found as things are now; its effect and rollback are known.
 * - `later`: it depends on an earlier step (see `why`), and cannot be known yet. Outside of the hash and of the coverage.
 * - `fails`: as things are now it would fail, and no earlier step can change that.
 * - `done`: a step of `before:` that prepared the private desktop.
 * - `holds`: it only holds other steps, or marks a place.
 */
export type PlanStatus = "resolved" | "later" | "fails" | "done" | "holds";

/** What an irreversible step means for the rollback: it ends there, it is passed and named, or the run refuses the step. */
export type PlanBarrier = "ends" | "passed" | "refused";

/** One step of a plan. */
export interface PlanStep {
  /** Its path in the file: "2", "2.1", "before.1". */
  readonly path: string;
  /** Which part of the file it stands in. */
  readonly part: "before" | "steps" | "after";
  /** The operation's name, or "transaction", "if", "savepoint"… */
  readonly operation: string;
  /** For people: `type textarea "…" of gedit`. */
  readonly name: string;
  /** How it stands. */
  readonly status: PlanStatus;
  /** What undoing it would need; absent where that is not known. */
  readonly effect?: Effect;
  /** The rollback in words; absent where there is none, or none is needed. */
  readonly way?: string;
  /** Whether the rollback covers it; absent for what only looks, and where it is not known. */
  readonly covered?: boolean;
  /** Of an irreversible step. */
  readonly barrier?: PlanBarrier;
  /** What is protected and restored, for people. */
  readonly protects?: readonly string[];
  /** What it is given, secrets masked; absent where that is not known yet. */
  readonly input?: Json;
  /** Resolved as things are now: the step of this path, before it, may change what is there. */
  readonly assuming?: string;
  /** It stands in a branch or has an `if:`, and may not run at all. */
  readonly conditional?: boolean;
  /** How many turns a loop has, of which the first is listed. */
  readonly turns?: number;
  /** Why it is later, would fail, or has no undo. */
  readonly why?: string;
  /** Of a step that would fail: the code of its error. */
  readonly code?: ErrorCode;
}

/** What a workflow would do, learnt without touching anything. */
export interface Plan {
  /** Of this form. */
  readonly version: 1;
  /** Over the step model, its variables and what resolved: the same plan has the same hash. */
  readonly hash: string;
  /** The workflow's name. */
  readonly workflow: string;
  /** Its file. */
  readonly file: string;
  /** Of the step model. */
  readonly digest: string;
  /** Where it was planned. */
  readonly desktop: { readonly kind: string; readonly label: string };
  /** Values of its variables, secrets masked. */
  readonly vars: { readonly [name: string]: Json };
  /** In the order in which they would run. */
  readonly steps: readonly PlanStep[];
  /** How much of what is known to change something can be undone; `percent` is null where there is no such step. */
  readonly coverage: {
    readonly percent: number | null;
    readonly covered: number;
    readonly of: number;
    readonly later: number;
  };
  /** Paths of the irreversible steps. */
  readonly barriers: readonly string[];
  /** Why what follows the last step is not known: a program asked for an answer that only a run has. */
  readonly ends?: string;
}

const Effects = z.enum(["read", "restorable", "observed", "compensable", "irreversible"]);

/** What a plan printed or kept as JSON is: strict, so that a misspelt or unknown field is a fault. */
export const PlanSchema: Schema<unknown> = z.strictObject({
  version: z.literal(1),
  hash: z.string().regex(/^[0-9a-f]{32}$/),
  workflow: z.string(),
  file: z.string(),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  desktop: z.strictObject({ kind: z.enum(["isolated", "attached", "simulated"]), label: z.string() }),
  vars: z.record(z.string(), z.json()),
  steps: z.array(z.strictObject({
    path: z.string(),
    part: z.enum(["before", "steps", "after"]),
    operation: z.string(),
    name: z.string(),
    status: z.enum(["resolved", "later", "fails", "done", "holds"]),
    effect: Effects.optional(),
    way: z.string().optional(),
    covered: z.boolean().optional(),
    barrier: z.enum(["ends", "passed", "refused"]).optional(),
    protects: z.array(z.string()).optional(),
    input: z.json().optional(),
    assuming: z.string().optional(),
    conditional: z.boolean().optional(),
    turns: z.int().optional(),
    why: z.string().optional(),
    code: z.string().optional(),
  })),
  coverage: z.strictObject({
    percent: z.number().min(0).max(100).nullable(),
    covered: z.int(),
    of: z.int(),
    later: z.int(),
  }),
  barriers: z.array(z.string()),
  ends: z.string().optional(),
});
