import type { Deadline } from "../../base/call.ts";
import { BackstepError, toBackstepError } from "../../base/error.ts";
import type { ErrorCode, Json } from "../../base/error.ts";
import type { InterferenceResult, RunEvent } from "../../contract/events.ts";
import type { Desktop, ForeignInput, InputWatch } from "../../desktop/desktop.ts";
import { watchInput } from "../../desktop/mode.ts";
import type { Session } from "../../session/session.ts";
import type { Journal } from "../journal/journal.ts";
import type { OnInterference } from "../model/step.ts";

/** Milliseconds without foreign input after which a run that waits goes on. */
export const QUIET = 2_000;

/** What the guard needs of a run. */
interface Around {
  readonly session: Session;
  readonly journal: Journal;
  readonly emit: (event: RunEvent) => void;
}

/**
 * What a run does about input of others where nobody says: on a desktop that somebody shares with us it waits, on a private
 * one it notes it. Undefined: in the background a person is meant to go on working, so that nobody watches.
 */
export function usualPolicy({ kind, mode }: Pick<Desktop, "kind" | "mode">): OnInterference | undefined {
  if (mode === "background") return undefined;
  return kind === "attached" ? "pause" : "ignore";
}

/** Notices, during a run, that somebody else uses keyboard and pointer, and does about it what the run says. */
export class InputGuard {
  readonly policy: OnInterference;
  readonly #around: Around;
  #watch: InputWatch;
  #desktop: Desktop;
  /** Noticed, and nothing done about it yet. */
  #open: ForeignInput | undefined;
  #total: ForeignInput | undefined;
  #paused = 0;

  private constructor(policy: OnInterference, around: Around, watch: InputWatch) {
    this.policy = policy;
    this.#around = around;
    this.#watch = watch;
    this.#desktop = around.session.desktop;
  }

  /** Begins to watch. A policy that was asked for and cannot be kept rejects with `unsupported`; the usual one is a note. */
  static async begin(asked: OnInterference | undefined, around: Around): Promise<InputGuard | undefined> {
    const { desktop } = around.session;
    const policy = asked ?? usualPolicy(desktop);
    if (policy === undefined) return undefined;
    try {
      return new InputGuard(policy, around, await watchInput(desktop));
    } catch (thrown) {
      if (!(thrown instanceof BackstepError) || thrown.code !== "unsupported") throw thrown;
      if (asked !== undefined && asked !== "ignore") throw thrown;
      if (policy === "pause") around.emit({ event: "note", level: "warning", message: thrown.message });
      return undefined;
    }
  }

  /** Before a step looks for what it acts on: waits until nobody interferes, or throws `interference`. */
  async before(path: string, what: string, deadline: Deadline): Promise<void> {
    await this.#follow();
    this.#notice(path, "before");
    if (!this.#open || this.policy === "ignore") return;
    if (this.policy === "abort") throw this.#refusal(what);
    const { emit } = this.#around;
    const since = performance.now();
    emit({
      event: "note",
      level: "warning",
      message: `Step ${path} waits until nobody uses the desktop for ${QUIET / 1_000} s: ${
        words(this.#open)
      }`,
    });
    const quiet = await this.#watch.quiet(QUIET, deadline.call());
    this.#paused += performance.now() - since;
    this.#notice(path, "before");
    if (!quiet) throw this.#refusal(what, "the workflow's time was over before it was left alone");
    this.#open = undefined;
  }

  /** Right before an action: throws `interference` when somebody interferes after all; nothing was done then. */
  check(path: string, what: string): void {
    this.#notice(path, "before");
    if (this.#open && this.policy !== "ignore") throw this.#refusal(what);
  }

  /** After an action: what came meanwhile, for its result. */
  after(path: string): ForeignInput | undefined {
    return this.#notice(path, "during");
  }

  /** The error of a step that was done while somebody interfered, where that ends a run. */
  get verdict(): BackstepError | undefined {
    if (!this.#open || this.policy !== "abort") return undefined;
    return interference(
      `Cannot go on: somebody used the desktop during the step (${words(this.#open)})`,
      this.#open,
      {},
    );
  }

  /** All that was noticed; undefined: nothing. */
  get result(): InterferenceResult | undefined {
    if (!this.#total) return undefined;
    return { policy: this.policy, ...this.#total, paused_ms: Math.round(this.#paused) };
  }

  /** Watches no more. That this fails is a note: the run has ended as it has. */
  async close(): Promise<void> {
    try {
      await this.#watch.close();
    } catch (thrown) {
      this.#around.emit({ event: "note", level: "warning", message: toBackstepError(thrown).message });
    }
  }

  /** A desktop that was rebuilt is watched anew. */
  async #follow(): Promise<void> {
    const { desktop } = this.#around.session;
    if (desktop === this.#desktop) return;
    this.#watch = await watchInput(desktop);
    this.#desktop = desktop;
  }

  #notice(path: string, when: "before" | "during"): ForeignInput | undefined {
    const seen = this.#watch.take();
    if (!seen) return undefined;
    this.#total = sum(this.#total, seen);
    this.#open = sum(this.#open, seen);
    this.#around.journal.write({ kind: "interference", path, when, policy: this.policy, ...seen });
    return seen;
  }

  #refusal(what: string, why?: string): BackstepError {
    const input = this.#open ?? NOTHING;
    const message = `Cannot ${what}: somebody uses the desktop (${words(input)})${
      why === undefined ? "" : `, and ${why}`
    }`;
    return interference(message, input, { outcome: "not_sent" });
  }
}

/** Errors after which a run does not go on, whatever a file forgives: it was told to stop. */
export function endsRun({ code }: { readonly code: ErrorCode }): boolean {
  return code === "cancelled" || code === "interference" || code === "rejected";
}

const NOTHING: ForeignInput = { keys: 0, buttons: 0, wheel: 0, motions: 0 };

function interference(
  message: string,
  input: ForeignInput,
  details: { readonly [key: string]: Json },
): BackstepError {
  return new BackstepError("interference", message, {
    hint: "Leave keyboard and mouse alone while it runs, use a private desktop (session: isolated), or say " +
      "on_interference: ignore.",
    details: { ...details, input: { ...input } },
  });
}

function sum(a: ForeignInput | undefined, b: ForeignInput): ForeignInput {
  if (!a) return b;
  return {
    keys: a.keys + b.keys,
    buttons: a.buttons + b.buttons,
    wheel: a.wheel + b.wheel,
    motions: a.motions + b.motions,
  };
}

/** "2 keys, 1 motion of the pointer" */
function words({ keys, buttons, wheel, motions }: ForeignInput): string {
  const parts: readonly (readonly [number, string, string])[] = [
    [keys, "key", "keys"],
    [buttons, "button", "buttons"],
    [wheel, "click of the wheel", "clicks of the wheel"],
    [motions, "motion of the pointer", "motions of the pointer"],
  ];
  return parts.flatMap(([n, one, many]) => n === 0 ? [] : [`${n} ${n === 1 ? one : many}`]).join(", ");
}
