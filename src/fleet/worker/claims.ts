import { BackstepError } from "../../base/error.ts";
import type { Claim, ClaimOutcome, Claims } from "../../engine/run/claims.ts";
import { claim, resolveClaim } from "../queue/claim.ts";
import type { Fleet } from "../queue/fleet.ts";
import type { Taken } from "../queue/take.ts";

/** Milliseconds that an outcome is tried to be written; what is not written stays in doubt. */
const OUTCOME = 30_000;

/** Claims the irreversible actions of one attempt, in the database, under its delivery's token. */
export class FleetClaims implements Claims {
  readonly #fleet: Fleet;
  readonly #taken: Taken;
  readonly #lost: AbortSignal;
  readonly #failed: (error: unknown) => void;
  /** By path: the last claim that may be done, and what became of it. */
  readonly #open = new Map<string, { readonly number: number; outcome: ClaimOutcome | undefined }>();
  #writing: Promise<void> = Promise.resolve();

  constructor(fleet: Fleet, taken: Taken, lost: AbortSignal, failed: (error: unknown) => void) {
    this.#fleet = fleet;
    this.#taken = taken;
    this.#lost = lost;
    this.#failed = failed;
  }

  async claim({ path, name, doneWhen }: Claim): Promise<void> {
    // What is known of an earlier claim of this path is written before it is asked for again.
    await this.#writing;
    const patience = { within: this.#taken.lease, signal: this.#lost, failed: this.#failed };
    const claimed = await claim(this.#fleet, this.#taken, { path, step: name, doneWhen }, patience);
    if (claimed.verdict === "go") {
      this.#open.set(path, { number: claimed.number, outcome: undefined });
      return;
    }
    if (claimed.verdict === "lost") {
      throw new BackstepError("cancelled", `Cannot ${name}: the job was given to another worker`, {
        details: { outcome: "not_sent" },
      });
    }
    const { worker, at, outcome, token } = claimed.earlier;
    const own = token === this.#taken.token;
    const what = outcome === "done" ? "was done" : "may have been done";
    throw new BackstepError(
      "claimed",
      `Cannot ${name} at step ${path}: it ${what} ${
        own ? "in this try" : "by a worker before"
      }, and cannot be undone`,
      {
        hint: own
          ? "A step that cannot be undone is repeated only where its `done_when:` says that it did not happen."
          : "Look at what it acts on. A `done_when:` of the step would tell whether it happened.",
        details: { path, worker, at: at.toISOString(), recorded: outcome ?? "nothing", outcome: "unknown" },
      },
    );
  }

  finished(path: string, outcome: ClaimOutcome): void {
    const open = this.#open.get(path);
    if (!open) return;
    open.outcome = outcome;
    if (outcome !== "unknown") this.#write(path, open.number, outcome === "done" ? "done" : "not_done");
  }

  /**
   * The try is over. `complete`: its process said so itself, and said what became of each action that it began: what is not
   * heard of was not begun.
   */
  async close(complete: boolean): Promise<void> {
    for (const [path, { number, outcome }] of this.#open) {
      if (complete && outcome === undefined) this.#write(path, number, "not_done");
    }
    await this.#writing;
  }

  /** Whether it is not known of one of them if it was done. */
  get inDoubt(): boolean {
    return [...this.#open.values()].some(({ outcome }) => outcome === undefined || outcome === "unknown");
  }

  #write(path: string, number: number, outcome: "done" | "not_done"): void {
    this.#writing = this.#writing.then(async () => {
      try {
        await resolveClaim(this.#fleet, this.#taken, { path, number, outcome }, {
          within: OUTCOME,
          signal: this.#lost,
        });
      } catch (thrown) {
        this.#failed(thrown);
      }
    });
  }
}
