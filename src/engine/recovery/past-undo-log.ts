import type { Call } from "../../base/call.ts";
import { type BackstepError, type Json, toBackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import { isMap } from "../../base/json.ts";
import type { Participant } from "../../contract/participant.ts";
import { type Revival, revive } from "../../participants/revive.ts";
import type { BeforeImage, UndoEntry } from "../rollback/undo-log.ts";
import type { Mask } from "../secrets/mask.ts";
import type { PastAction } from "../journal/past-run.ts";
import { encryptedParticipant } from "../rollback/encrypted-participant.ts";
import { Scope, type Surroundings } from "../model/scope.ts";
import { pastSurface } from "./past-surface.ts";

/** Where actions of another process are found again. */
export interface Finding extends Revival {
  readonly surroundings: Surroundings;
  /** Masks what is read as it was masked when it was written down; undefined: the run had no secrets. */
  readonly encryptionMask: Mask | undefined;
}

/** An action of another process, as one that can be undone: its participants are found by their own words. */
export async function entryOf(action: PastAction, finding: Finding, call: Call): Promise<UndoEntry> {
  const { reported, effect, outcome } = action;
  const images: BeforeImage[] = [];
  for (const [index, one] of reported.beforeImages.entries()) {
    const now = await found(one.participant, one.key, finding, call);
    const masked = finding.encryptionMask ? encryptedParticipant(now, finding.encryptionMask) : now;
    const surface = one.surface && await pastSurface(one.surface, finding.session.desktop, call);
    const participant = surface ? { ...masked, surface } : masked;
    const gone = action.gone.get(index);
    const half = action.undoing.has(participant.label) && !action.undone.has(participant.label);
    // A write that was cut off left neither the one nor the other: whatever stands there is ours.
    images.push({
      participant,
      before: one.image,
      after: half ? undefined : action.after[index] ?? undefined,
      ...defined({ gone, absent: one.absent }),
    });
  }
  const scope = scopeOf(action, finding.surroundings);
  const app = reported.app ?? undefined;
  const before = reported.stood ?? undefined;
  return {
    path: action.path,
    name: reported.name,
    operation: action.operation,
    effect,
    beforeImages: images,
    undo: reported.undo ? { declared: reported.undo, scope, app, before, left: action.left } : undefined,
    inverse: action.inverse,
    barrier: effect === "irreversible",
    passable: action.passable,
    history: 0,
    intent: action.intent,
    opened: effect === "observed" && before !== undefined ? { app, before, left: action.left } : undefined,
    outcome: outcome === "none" ? "unknown" : outcome,
    undone: action.undone,
  };
}

/** What the placeholders of an action's `undo:` and `done_when` stand for. */
export function scopeOf({ reported: { scope } }: PastAction, surroundings: Surroundings): Scope {
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
