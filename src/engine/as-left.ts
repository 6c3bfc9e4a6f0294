import { Deadline } from "../base/call.ts";
import { type BackstepError, type Json, toBackstepError } from "../base/error.ts";
import { isMap } from "../base/json.ts";
import type { ChangedAfterwards } from "../contract/events.ts";
import type { Act, ActOutcome } from "../contract/gate.ts";
import { differences, equalJson, type Image, type Participant } from "../contract/participant.ts";
import type { Desktop } from "../desktop/desktop.ts";
import { bounded } from "./bounded.ts";
import type { Enrolment, LedgerEntry } from "./ledger.ts";
import { Patience } from "./patience.ts";
import { type RunContext, toJson } from "./run-context.ts";
import { writeDown } from "./write-down.ts";

/** Milliseconds for reading all that the steps left. */
const LOOK = 1_000;

/** What other steps move in passing: where a view is scrolled to, what is marked, how a window lies. */
const IN_PASSING: ReadonlySet<string> = new Set(["scroll", "text-selection", "window", "focus"]);

/** What a step left of one participant. */
interface Left {
  readonly path: string;
  readonly participant: Participant;
  readonly image: Image;
  /** What it was set to, and read as, before it read as before the step again. */
  readonly wanted?: Json;
}

/**
 * What the steps of a run left, each participant as the last step that enrolled it did. An action that may have changed more
 * than it enrolled (a push button, a key) ends what is known: what reads otherwise after that may be its effect.
 */
export class AsLeft {
  readonly #left = new Map<string, Left>();

  /** A step is over. */
  took({ path, effect, outcome, enrolments }: LedgerEntry, act: Act, answer: ActOutcome): void {
    const sets = readAsSet(answer) ? act.resolved.sets : undefined;
    for (const enrolment of enrolments) {
      const { participant, after } = enrolment;
      const known = effect === "restorable" && outcome === "done" && !participant.late;
      if (!known || !after || IN_PASSING.has(participant.kind)) this.#left.delete(participant.key);
      else {
        const back = act.resolved.participants.includes(participant) && isAsBefore(enrolment);
        const wanted = back && sets !== undefined ? { wanted: sets } : {};
        this.#left.set(participant.key, { path, participant, image: after, ...wanted });
      }
    }
  }

  /** It is rolled back, and looked at by that. */
  forget(entries: readonly LedgerEntry[]): void {
    for (const { enrolments } of entries) {
      for (const { participant } of enrolments) this.#left.delete(participant.key);
    }
  }

  /** Reads each once more, and forgets it. What does not answer, or is gone with its window, is not known to have changed. */
  async look(desktop: Desktop, deadline: Deadline): Promise<ChangedAfterwards[]> {
    const patience = new Patience(deadline);
    const changed: ChangedAfterwards[] = [];
    const all = [...this.#left.values()];
    this.#left.clear();
    for (const left of all) {
      const { participant } = left;
      const now = await patience.with((call) => participant.capture(desktop, call)).catch(unread);
      if (now instanceof Error) continue;
      changed.push(...("wanted" in left ? changedBack(left, now) : changedSince(left, now)));
    }
    return changed;
  }
}

/** The operation says that it changed something, and read it back. */
function readAsSet(answer: ActOutcome): boolean {
  if (!answer.ok) return false;
  const output = toJson(answer.output);
  return isMap(output) && output["verified"] === true && output["method"] !== "none";
}

/** Does all that is protected read after the step as it did before, and is there anything that could tell? */
function isAsBefore({ before, after }: Enrolment): boolean {
  if (!after || before.unrestorable || Object.keys(before.properties).length === 0) return false;
  return differences("", before, after).length === 0;
}

function changedSince({ path, participant, image }: Left, now: Image): ChangedAfterwards[] {
  return differences(participant.label, image, now).map((one) => ({ path, ...one, afterwards: true }));
}

/** It changed back between two looks at it: named, unless it reads as it was set again, or in words that cannot be compared. */
function changedBack({ path, participant, image, wanted = null }: Left, now: Image): ChangedAfterwards[] {
  return Object.entries(now.properties).flatMap(([property, actual]) => {
    const still = equalJson(image.properties[property] ?? null, actual);
    const other = typeof actual === typeof wanted && !equalJson(actual, wanted);
    if (!still && !other) return [];
    return [{ path, participant: participant.label, property, expected: wanted, actual, afterwards: true }];
  });
}

function unread(thrown: unknown): BackstepError {
  return toBackstepError(thrown);
}

/** Looks at what the steps left, and tells what changed afterwards: it makes no step fail. */
export async function stillAsLeft(run: RunContext): Promise<void> {
  if (!run.asLeft || run.deadline.signal?.aborted) return;
  const deadline = Deadline.after(LOOK, run.hardStop);
  const found = await run.asLeft.look(run.session.desktop, deadline);
  if (found.length === 0) return;
  const changed = bounded(run.mask.apply<ChangedAfterwards[]>(found));
  run.lastLooks.changed.push(...changed);
  const sealed = run.seal.seal(run.mask.json(changed.map((one) => ({ ...one }))));
  writeDown({ kind: "changed-afterwards", path: "", sealed }, run);
  run.emit({ event: "changed-afterwards", path: "", changed });
}
