import { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { ChangedAfterwards, RollbackResult } from "../../contract/events.ts";
import { bounded } from "../model/bounded.ts";
import { writeDown } from "../journal/write-late.ts";
import type { Journaling } from "../journal/journaling.ts";
import type { DesktopAccess } from "../model/desktop-access.ts";
import type { Reporting } from "../model/reporting.ts";
import type { Masking } from "../secrets/masking.ts";
import type { FinalRead } from "./final-read.ts";
import { AFTER_WRITE } from "./last-write.ts";
import type { BeforeImage, UndoEntry } from "./undo-log.ts";
import { lookedAgain } from "./rollback.ts";

/** Milliseconds for the look itself, beside what it waits. */
const LOOK = 5_000;

/** A rollback whose last look is still to come, and as what it is known to the run by now. */
export interface DueLook {
  readonly path: string;
  readonly look: FinalRead;
  /** In the run's `rollbacks`. */
  readonly back: RollbackResult;
}

/** Keeps the last look of a rollback until its time has come: other work of the run goes on meanwhile. */
export class FinalReads {
  #due: DueLook | undefined;
  /** What earlier rollbacks restored and no action has enrolled since, by its key; `since`: so many actions were before. */
  readonly #restored = new Map<string, { readonly image: BeforeImage; readonly since: number }>();
  /** Actions since the first of these, and those that were rolled back. */
  readonly #acted: UndoEntry[] = [];
  readonly #undone = new Set<UndoEntry>();
  readonly changed: ChangedAfterwards[] = [];

  put(due: DueLook): void {
    this.#due = due;
  }

  take(): DueLook | undefined {
    const due = this.#due;
    this.#due = undefined;
    return due;
  }

  /** What earlier rollbacks restored, where all actions since are ones that this rollback undoes: it must still be so. */
  besides({ entries }: FinalRead): BeforeImage[] {
    const own = new Set(entries);
    const other = this.#acted.findLastIndex((entry) => !own.has(entry) && !this.#undone.has(entry));
    return [...this.#restored.values()].filter(({ since }) => since > other).map(({ image }) => image);
  }

  /** What a rollback restored is read again with those that follow. */
  keep(look: FinalRead): void {
    for (const entry of look.entries) this.#undone.add(entry);
    for (const image of look.restored) {
      this.#restored.set(image.participant.key, { image, since: this.#acted.length });
    }
  }

  /** An action is about to change what it enrolled, and perhaps more. */
  acted(entry: UndoEntry): void {
    if (this.#restored.size === 0) return;
    this.#acted.push(entry);
    for (const { participant } of entry.beforeImages) this.#restored.delete(participant.key);
  }
}

/** The rollbacks of a run. */
export interface Rollbacks {
  /** Every one of this run, in order. */
  readonly rollbacks: RollbackResult[];
  /** The last look of one that is still due; shared by the parts of a run. */
  readonly finalReads: FinalReads;
}

/** What the last look needs of a run. */
type LastLook = Rollbacks & Pick<DesktopAccess, "hardStop"> & Journaling & Masking & Reporting;

/** Waits for the last look's time, takes it, and answers the rollback with what it found. */
export async function takeLastLook(
  back: RollbackResult,
  look: FinalRead | undefined,
  run: Pick<DesktopAccess, "hardStop"> & { readonly finalReads: FinalReads },
): Promise<RollbackResult> {
  if (!look) return back;
  const later = await look.again(
    Deadline.after(AFTER_WRITE + LOOK, run.hardStop),
    run.finalReads.besides(look),
  );
  run.finalReads.keep(look);
  return lookedAgain(back, later);
}

/**
 * Takes the last look that is due, before anything else is written and at the end of the run: what it finds otherwise is
 * told, and makes the rollback's verdict what it is now. Answers that rollback; undefined: all is as it was.
 */
export async function finishFinalRead(run: LastLook): Promise<RollbackResult | undefined> {
  const due = run.finalReads.take();
  if (!due || run.hardStop?.aborted) return undefined;
  const { path, look, back } = due;
  const now = bounded(run.mask.apply<RollbackResult>(await takeLastLook(back, look, run)));
  if (now.drift.length === back.drift.length) return undefined;
  const at = run.rollbacks.indexOf(back);
  if (at >= 0) run.rollbacks[at] = now;
  const changed = remember(path, now, run);
  const { verdict } = now;
  const encrypted = run.encryption.encrypt(run.mask.json(changed.map((one) => ({ ...one }))));
  writeDown({ kind: "changed-afterwards", path, verdict, encrypted }, run);
  run.emit({ event: "changed-afterwards", path, verdict, changed });
  return now;
}

/** Keeps for the run's result what of a rollback's drift came afterwards. */
export function remember(
  path: string,
  { drift }: RollbackResult,
  run: Pick<Rollbacks, "finalReads">,
): ChangedAfterwards[] {
  const changed = drift.filter(({ afterwards }) => afterwards).map((one) => ({ path, ...one }));
  run.finalReads.changed.push(...changed);
  return changed;
}

/** Throws `drift` where what was rolled back is not so any more: no step goes on from a state that is not the one it knows. */
export async function stillRolledBack(run: LastLook & { readonly ending?: true }): Promise<void> {
  const now = await finishFinalRead(run);
  if (!now || run.ending) return;
  throw new BackstepError(
    "drift",
    "Cannot go on: what was rolled back changed afterwards",
    {
      hint: "The application changed it a moment after it was restored.",
      details: { verdict: now.verdict, drift: now.drift.slice(0, 10).map((one) => ({ ...one })) },
    },
  );
}
