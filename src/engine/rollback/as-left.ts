import { Deadline } from "../../base/call.ts";
import { type BackstepError, type Json, toBackstepError } from "../../base/error.ts";
import { isMap, toJson } from "../../base/json.ts";
import type { ChangedAfterwards } from "../../contract/events.ts";
import type { Act, ActOutcome } from "../../contract/gate.ts";
import { differences, equalJson, type Image, type Participant } from "../../contract/participant.ts";
import type { Desktop } from "../../desktop/desktop.ts";
import { bounded } from "../model/bounded.ts";
import type { Journaling } from "../journal/journaling.ts";
import type { DesktopAccess } from "../model/desktop-access.ts";
import type { Reporting } from "../model/reporting.ts";
import type { Masking } from "../secrets/masking.ts";
import { writeDown } from "../journal/write-late.ts";
import { sentNothing } from "./nothing-sent.ts";
import type { BeforeImage, UndoEntry } from "./undo-log.ts";
import { Patience } from "./patience.ts";
import { readTogether } from "./read-together.ts";
import type { Rollbacks } from "./final-reads.ts";

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
  took({ path, effect, outcome, beforeImages: images }: UndoEntry, act: Act, answer: ActOutcome): void {
    const own = images.filter(({ participant }) => act.resolved.participants.includes(participant));
    // A box with an entry has its text and its item; where one of them took what was set, the other may be as it was.
    const took = own.some(hasChanged);
    const sets = readAsSet(answer) ? act.resolved.sets : undefined;
    for (const beforeImage of images) {
      const { participant, after } = beforeImage;
      const existing = effect === "restorable" && outcome === "done" && !participant.late;
      if (!existing || !after || IN_PASSING.has(participant.kind)) this.#left.delete(participant.key);
      else {
        const back = !took && own.includes(beforeImage) && isAsBefore(beforeImage);
        const wanted = back && sets !== undefined ? { wanted: sets } : {};
        this.#left.set(participant.key, { path, participant, image: after, ...wanted });
      }
    }
  }

  /** It is rolled back, and looked at by that. */
  forget(entries: readonly UndoEntry[]): void {
    for (const { beforeImages: images } of entries) {
      for (const { participant } of images) this.#left.delete(participant.key);
    }
  }

  /** Reads each once more, and forgets it. What does not answer, or is gone with its window, is not known to have changed. */
  async look(desktop: Desktop, deadline: Deadline): Promise<ChangedAfterwards[]> {
    const patience = new Patience(deadline);
    const all = [...this.#left.values()];
    this.#left.clear();
    const changed = await readTogether(all, (left) => left.participant, desktop, async (left, look) => {
      const now = await patience.with((call) => left.participant.capture(look, call)).catch(unread);
      if (now instanceof Error) return [];
      return "wanted" in left ? changedBack(left, now) : changedSince(left, now);
    });
    return changed.flat();
  }
}

/** The operation says that it changed something, and read it back. */
function readAsSet(answer: ActOutcome): boolean {
  if (!answer.ok) return false;
  const output = toJson(answer.output);
  return isMap(output) && output["verified"] === true && !sentNothing(answer);
}

/** Did the step leave it otherwise than it was, and not only in passing? */
function hasChanged({ participant, before, after }: BeforeImage): boolean {
  return after !== undefined && !IN_PASSING.has(participant.kind) &&
    differences("", before, after).length > 0;
}

/** Does all that is protected read after the step as it did before, and is there anything that could tell? */
function isAsBefore({ before, after }: BeforeImage): boolean {
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

/** What the steps of a run left. */
export interface LeftBySteps {
  /** Undefined: nobody asks, as in a rollback and in `after:`. */
  readonly asLeft: AsLeft | undefined;
}

/** Looks at what the steps left, and tells what changed afterwards: it makes no step fail. */
export async function stillAsLeft(
  run: LeftBySteps & Pick<Rollbacks, "finalReads"> & DesktopAccess & Journaling & Masking & Reporting,
): Promise<void> {
  if (!run.asLeft || run.deadline.signal?.aborted) return;
  const deadline = Deadline.after(LOOK, run.hardStop);
  const found = await run.asLeft.look(run.session.desktop, deadline);
  if (found.length === 0) return;
  const changed = bounded(run.mask.apply<ChangedAfterwards[]>(found));
  run.finalReads.changed.push(...changed);
  const encrypted = run.encryption.encrypt(run.mask.json(changed.map((one) => ({ ...one }))));
  writeDown({ kind: "changed-afterwards", path: "", encrypted }, run);
  run.emit({ event: "changed-afterwards", path: "", changed });
}
