import { Deadline } from "../base/call.ts";
import { type BackstepError, toBackstepError } from "../base/error.ts";
import type { ChangedAfterwards } from "../contract/events.ts";
import { differences, type Image, type Participant } from "../contract/participant.ts";
import type { Desktop } from "../desktop/desktop.ts";
import { bounded } from "./bounded.ts";
import type { LedgerEntry } from "./ledger.ts";
import { Patience } from "./patience.ts";
import type { RunContext } from "./run-context.ts";
import { writeDown } from "./write-down.ts";

/** Milliseconds for reading all that the steps left. */
const LOOK = 1_000;

/** What other steps move in passing: where a view is scrolled to, what is marked, how a window lies. */
const IN_PASSING: ReadonlySet<string> = new Set(["scroll", "text-selection", "window", "focus"]);

/**
 * What the steps of a run left, each participant as the last step that enrolled it did. An action that may have changed more
 * than it enrolled (a push button, a key) ends what is known: what reads otherwise after that may be its effect.
 */
export class AsLeft {
  readonly #left = new Map<string, { path: string; participant: Participant; image: Image }>();

  /** A step is over. */
  took({ path, effect, outcome, enrolments }: LedgerEntry): void {
    for (const { participant, after } of enrolments) {
      const known = effect === "restorable" && outcome === "done" && !participant.late;
      if (!known || !after || IN_PASSING.has(participant.kind)) this.#left.delete(participant.key);
      else this.#left.set(participant.key, { path, participant, image: after });
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
    for (const { path, participant, image } of all) {
      const now = await patience.with((call) => participant.capture(desktop, call)).catch(unread);
      if (now instanceof Error) continue;
      for (const one of differences(participant.label, image, now)) {
        changed.push({ path, ...one, afterwards: true });
      }
    }
    return changed;
  }
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
