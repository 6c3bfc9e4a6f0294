import type { Deadline } from "../../base/call.ts";
import type { Desktop, DesktopEvent } from "../desktop.ts";
import type { ElementRef } from "../element.ts";
import { flushTurns } from "../flush.ts";

/** Milliseconds that keys are waited for: until the first of them shows, between two of them, and in all. */
export interface KeyPatience {
  readonly first: number;
  readonly between: number;
  readonly all?: number;
}

/** What is read back afterwards is read once all of it has come: sooner only where nothing tells of it. */
export const READ_BACK: KeyPatience = { first: 40, between: 100 };
/** Keys are on their way when they have been sent: what cannot be read back has been taken once it is quiet again. */
export const UNREAD: KeyPatience = { first: 500, between: 50, all: 800 };

/** Keys that are about to get other characters: what they wrote has to be there, or it would be another text. */
export const BETWEEN_RUNS: KeyPatience = { first: 1_000, between: 300 };

/** What an application reports of keys once it has taken all of them. */
export interface Heard {
  /** So many characters were inserted. */
  readonly inserted: number;
  /** Or the text has grown by so many: Chromium reports how it differs, and not what was typed again as it was. */
  readonly grown?: number;
}

/**
 * What is reported of a text that is typed into a field that has lines or not, instead of one that is `replaced`. Undefined:
 * some of it are keys that do something else.
 */
export function heard(text: string, lines: boolean, replaced?: string): Heard | undefined {
  if ((lines ? /[\r\t]/ : /[\n\r\t]/).test(text)) return undefined;
  const inserted = [...text].length;
  return { inserted, ...(replaced === undefined ? {} : { grown: inserted - [...replaced].length }) };
}

/**
 * Sends keys, and waits until the application has reported what is `expected`: then all have been taken. Or until it tells no more of
 * any, which is taken for the end. Nothing is read meanwhile, and of what came in only how much it is. Where nothing is expected,
 * only the quiet counts.
 */
export async function typeAndHear(
  desktop: Desktop,
  element: ElementRef,
  send: () => Promise<void>,
  expected: Heard | undefined,
  patience: KeyPatience,
  deadline: Deadline,
): Promise<void> {
  // Before the keys are sent: the first of them may show at once.
  const watch = desktop.watch();
  try {
    await send();
    const all = deadline.within(patience.all ?? deadline.remaining());
    const flush = desktop.flushOf?.(element);
    let until = all.within(patience.first), turns = flushTurns(flush, until);
    let inserted = 0, grown = 0, shown = false, changed = false;
    while (!all.passed) {
      const turn = await turns();
      const answer = await watch.next(turn.call());
      if (answer === "timeout" && until.passed) return;
      const events = watch.take().filter(({ bus, path }) => bus === element.bus && path === element.path);
      shown ||= answer === "lost" || events.length > 0;
      if (shown && answer !== "timeout") {
        until = all.within(patience.between);
        turns = flushTurns(flush, until);
      }
      for (const event of events) {
        const more = changedBy(event);
        changed ||= more !== 0;
        grown += more;
        inserted += Math.max(0, more);
      }
      if (expected === undefined) continue;
      if (inserted >= expected.inserted || (changed && grown === expected.grown)) return;
    }
  } finally {
    watch.close();
  }
}

/** By how many characters a text became longer. */
function changedBy({ kind, detail2 }: DesktopEvent): number {
  const [, which] = /^object:text-changed:(insert|delete)/.exec(kind) ?? [];
  if (which === undefined) return 0;
  return which === "insert" ? Math.max(0, detail2) : -Math.max(0, detail2);
}
