import { toBackstepError } from "../../base/error.ts";
import type { WentBack } from "../../contract/events.ts";
import { type DueLook, remember, takeLastLook } from "../rollback/final-reads.ts";
import type { UndoEntry } from "../rollback/undo-log.ts";
import type { RunContext } from "../run/run-context.ts";

/**
 * The last look of a rollback, a second after its last write, while the steps that follow go on at once: what no step acted on since
 * must read as it was restored. Where a step may have changed more than it enrolled, there is nothing to be learnt.
 */
export class LookLater {
  readonly #run: RunContext;
  #looking: { readonly over: Promise<void>; readonly off: AbortController } | undefined;

  constructor(run: RunContext) {
    this.#run = run;
  }

  begin(due: DueLook | undefined, went: WentBack | undefined, standing: readonly UndoEntry[]): void {
    if (!due || !went) return;
    const undone = Math.max(0, ...due.look.entries.map(({ intent }) => intent));
    const since = standing.filter(({ intent }) => intent > undone);
    if (since.some(({ effect }) => effect !== "restorable")) return;
    due.look.actedOn(
      new Set(since.flatMap((entry) => entry.beforeImages.map(({ participant }) => participant.key))),
    );
    const off = new AbortController();
    this.#looking = { over: this.#take(due, off.signal), off };
  }

  /** Something else is about to be done: what the look would find says nothing any more. */
  async callOff(): Promise<void> {
    this.#looking?.off.abort();
    await this.finish();
  }

  async finish(): Promise<void> {
    const looking = this.#looking;
    this.#looking = undefined;
    await looking?.over;
  }

  async #take({ path, look, back }: DueLook, off: AbortSignal): Promise<void> {
    const { mask, emit } = this.#run;
    try {
      const now = await takeLastLook(back, look, { ...this.#run, hardStop: off });
      if (off.aborted || now.drift.length === back.drift.length) return;
      const masked = mask.apply(now);
      const changed = remember(path, masked, this.#run);
      emit({ event: "changed-afterwards", path, verdict: masked.verdict, changed });
    } catch (thrown) {
      if (off.aborted) return;
      const message = `What was restored was not read a second time: ${toBackstepError(thrown).message}`;
      emit({ event: "note", level: "warning", message });
    }
  }
}
