import type { Deadline } from "../base/call.ts";
import { defined } from "../base/defined.ts";
import { BackstepError, type ErrorCode } from "../base/error.ts";
import { bounded, isSameAnew, nameOf } from "../desktop/identity.ts";
import type { Elements, ReferencedElement } from "./elements.ts";
import type { Act, ActOutcome } from "./ports.ts";

/** What became of one try of an act. */
export interface Tried {
  readonly outcome: ActOutcome;
  /** Nothing at all was sent, not even what only prepares, and nothing may have been. */
  readonly untouched: boolean;
}

/**
 * Went its element before anything was sent, and may it be looked for again until then? What was named by what it is may; a
 * reference means the one element that somebody was given.
 */
export function mayLookAgain(act: Act, { outcome, untouched }: Tried, until: Deadline): boolean {
  return !outcome.ok && outcome.error.code === "stale" && untouched &&
    !act.operation.hints.readOnly && !act.byReference && act.resolved.elements.length > 0 &&
    !until.passed && !until.signal?.aborted;
}

/** Throws `stale`, with both shown, where what was found again is not what went. */
export function requireSame(gone: Act, now: Act): void {
  for (const [at, { element, application }] of gone.resolved.elements.entries()) {
    const other = now.resolved.elements[at];
    const expected = element.fingerprint;
    const found = other?.element.fingerprint;
    const same = found && other.application.bus === application.bus && isSameAnew(expected, found);
    if (same) continue;
    const what = gone.resolved.subject ?? nameOf(element);
    throw new BackstepError(
      "stale",
      `Cannot ${gone.operation.name} ${what}: another element is in its place`,
      {
        hint: "Look what the application shows now, and name the element by what tells it from others.",
        details: { expected: bounded(expected), found: found ? bounded(found) : null, path: element.path },
      },
    );
  }
}

/** What says of itself why nothing was found, or was found and went. */
const SOUGHT: ReadonlySet<ErrorCode> = new Set(["stale", "not_found", "ambiguous", "not_actionable"]);

/** An act whose element went so often before anything was sent: its error says that it was looked for again. */
export function withLooks(tried: Tried, gone: ActOutcome, looks: number): Tried {
  const { outcome, untouched } = tried;
  if (outcome.ok || !untouched) return tried;
  const { code, message, hint, place, details, cause = gone.ok ? undefined : gone.error } = outcome.error;
  const times = looks === 1 ? "" : ` ${looks} times`;
  const went = `; it went before anything was sent, and was looked for again${times}`;
  const error = new BackstepError(code, SOUGHT.has(code) ? message + went : message, {
    cause,
    ...defined({ hint, place }),
    details: { ...details, outcome: "not_sent", looked_again: looks },
  });
  return { outcome: { ok: false, error, began: false }, untouched };
}

/** References to elements, and whether one of them was used. */
export class UsedElements implements Elements {
  readonly #elements: Elements;
  #used = false;

  constructor(elements: Elements) {
    this.#elements = elements;
  }

  /** What a reference stands for was asked. */
  get used(): boolean {
    return this.#used;
  }

  keep(existing: ReferencedElement): string {
    return this.#elements.keep(existing);
  }

  get(reference: string): ReferencedElement {
    this.#used = true;
    return this.#elements.get(reference);
  }
}
