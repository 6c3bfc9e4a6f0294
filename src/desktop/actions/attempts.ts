import { BackstepError, type ErrorCode, type Json, toBackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import { NEEDS_FOCUS_HINT } from "../mode.ts";

/** A method that was tried first and did not work, and why. */
export interface Refusal {
  /** "EditableText.SetTextContents", "Action.DoAction(click)", "XTEST click"… */
  readonly method: string;
  readonly code: ErrorCode;
  readonly reason: string;
}

/** What an action did. */
export interface Done {
  /** What really ran; "none" when the element was already as wanted. */
  readonly method: string;
  /** The effect was read back. False: the platform accepted it, and that is all that can be known. */
  readonly verified: boolean;
  /** What was tried before it, in order. */
  readonly tried: readonly Refusal[];
  /** What it may lead to, and what to do about that. */
  readonly warning?: string;
}

/** What permits the next method. Anything else, a call that timed out above all, may have landed and is not repeated. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set([
  "unsupported",
  "refused",
  "no_effect",
  "not_actionable",
  "needs_focus",
]);

/** May it have landed, or is it covered, so that nobody could do it by another method either? */
function isFinal({ details }: BackstepError): boolean {
  return details?.outcome === "unknown" || details?.condition === "uncovered";
}

/**
 * Methods tried one after the other, in a fixed order, each refusal written down: there is no silent fallback.
 *
 * @example
 * ```ts
 * import { Attempts } from "./attempts.ts";
 * const attempts = new Attempts('check checkbox "Wrap"');
 * const first = await attempts.attempt("Action.DoAction(click)", () => Promise.resolve(false));
 * const second = await attempts.attempt("XTEST click", () => Promise.resolve(true));
 * if (first !== undefined || second?.tried[0]?.code !== "no_effect") throw new Error();
 * ```
 */
export class Attempts {
  /** "set the text of textfield "Name"": what the error says cannot be done. */
  readonly doing: string;
  readonly #tried: Refusal[] = [];
  /** What each of these said to do, where it is not to be reached. */
  readonly #hints = new Map<Refusal, string>();

  constructor(doing: string) {
    this.doing = doing;
  }

  get tried(): readonly Refusal[] {
    return this.#tried;
  }

  /**
   * Runs one method. Resolves with what was done when `action` answers true; with undefined when it answered false (the
   * platform said yes and nothing changed) or refused. Other errors go through.
   */
  async attempt(
    method: string,
    action: () => Promise<boolean>,
    options: { readonly verified?: boolean } = {},
  ): Promise<Done | undefined> {
    try {
      if (await action()) return this.done(method, options.verified ?? true);
      this.refuse(method, "no_effect", "the platform accepted it, and nothing changed");
    } catch (thrown) {
      const error = toBackstepError(thrown);
      if (!REFUSALS.has(error.code) || isFinal(error)) throw error;
      const refusal = this.refuse(method, error.code, error.message);
      if (error.code === "not_actionable" && error.hint !== undefined) this.#hints.set(refusal, error.hint);
    }
    return undefined;
  }

  /** Notes a method that cannot be used, without trying it. */
  refuse(method: string, code: ErrorCode, reason: string): Refusal {
    const refusal = { method, code, reason: reason.slice(0, 200) };
    this.#tried.push(refusal);
    return refusal;
  }

  done(method: string, verified: boolean): Done {
    return { method, verified, tried: this.#tried };
  }

  /**
   * The error when nothing worked: `needs_focus` where only synthetic input was left and may not be used, else `no_effect`
   * if anything was accepted, else what the last method answered. `hint`: what to do, where that says nothing.
   */
  failure(hint?: string): BackstepError {
    const kept = this.#tried.find((t) => t.code === "needs_focus");
    const accepted = this.#tried.find((t) => t.code === "no_effect");
    const last = this.#tried.at(-1);
    const reported = kept ?? accepted ?? last;
    const advice = kept !== undefined ? NEEDS_FOCUS_HINT : (reported && this.#hints.get(reported)) ?? hint;
    const list = this.#tried.map((t) => `${t.method} (${t.code})`).join(", ");
    return new BackstepError(
      reported?.code ?? "unsupported",
      reported === undefined
        ? `Cannot ${this.doing}: it offers no way to do that`
        : `Cannot ${this.doing}: tried ${list}: ${reported.reason}`,
      {
        ...defined({ hint: advice }),
        details: { tried: this.#tried.map((t): Json => ({ ...t })) },
      },
    );
  }
}
