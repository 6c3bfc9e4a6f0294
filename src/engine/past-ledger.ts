import type { Call } from "../base/call.ts";
import { type BackstepError, type Json, toBackstepError } from "../base/error.ts";
import { isMap } from "../base/json.ts";
import type { Participant } from "../contract/participant.ts";
import { type Revival, revive } from "../participants/revive.ts";
import type { Enrolment, LedgerEntry } from "./ledger.ts";
import type { Mask } from "./mask.ts";
import type { PastDeed } from "./past.ts";
import { sealedParticipant } from "./sealed-participant.ts";
import { Scope, type Surroundings } from "./scope.ts";

/** Where deeds of another process are found again. */
export interface Finding extends Revival {
  readonly surroundings: Surroundings;
  /** Masks what is read as it was masked when it was written down; undefined: the run had no secrets. */
  readonly sealed: Mask | undefined;
}

/** A deed of another process, as one that can be taken back: its participants are found by their own words. */
export async function entryOf(deed: PastDeed, finding: Finding, call: Call): Promise<LedgerEntry> {
  const { told, effect, outcome } = deed;
  const enrolments: Enrolment[] = [];
  for (const [index, one] of told.before.entries()) {
    const now = await found(one.participant, one.key, finding, call);
    const participant = finding.sealed ? sealedParticipant(now, finding.sealed) : now;
    const half = deed.undoing.has(participant.label) && !deed.undone.has(participant.label);
    // A write that was cut off left neither the one nor the other: whatever stands there is ours.
    enrolments.push({
      participant,
      before: one.image,
      after: half ? undefined : deed.after[index] ?? undefined,
    });
  }
  const scope = scopeOf(deed, finding.surroundings);
  const app = told.app ?? undefined;
  const before = told.stood ?? undefined;
  return {
    path: deed.path,
    name: told.name,
    operation: deed.operation,
    effect,
    enrolments,
    undo: told.undo ? { declared: told.undo, scope, app, before, left: deed.left } : undefined,
    inverse: deed.inverse,
    barrier: effect === "irreversible",
    passable: deed.passable,
    history: 0,
    intent: deed.intent,
    opened: effect === "observed" && before !== undefined ? { app, before, left: deed.left } : undefined,
    outcome: outcome === "none" ? "unknown" : outcome,
    undone: deed.undone,
  };
}

/** What the placeholders of a deed's `undo:` and `done_when` stand for. */
export function scopeOf({ told: { scope } }: PastDeed, surroundings: Surroundings): Scope {
  if (!scope) return new Scope({}, surroundings);
  const numbered = Object.fromEntries(
    Object.entries(scope.numbered).map(([n, output]) => [Number(n), output]),
  );
  return new Scope(scope.vars, surroundings, { steps: scope.steps, numbered });
}

/** A participant; one whose application is gone says so whenever it is asked. */
async function found(described: Json, key: string, finding: Finding, call: Call): Promise<Participant> {
  try {
    return await revive(described, key, finding, call);
  } catch (thrown) {
    const error = toBackstepError(thrown);
    if (error.code !== "app_not_running" && error.code !== "ambiguous" && error.code !== "invalid") {
      throw error;
    }
    return gone(described, key, error);
  }
}

function gone(described: Json, key: string, error: BackstepError): Participant {
  const words = isMap(described) ? described : {};
  const kind = typeof words["kind"] === "string" ? words["kind"] : "";
  return {
    kind,
    key,
    label: typeof words["label"] === "string"
      ? words["label"]
      : `${kind} of ${String(words["application"] ?? "")}`,
    capture: () => Promise.reject(error),
    restore: () => Promise.reject(error),
    describe: () => described,
  };
}
