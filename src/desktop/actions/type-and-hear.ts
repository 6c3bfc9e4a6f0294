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

/** As how many characters a text shows in a field that has lines or not; undefined: some of it are keys that do something else. */
export function heard(text: string, lines: boolean): number | undefined {
  return (lines ? /[\r\t]/ : /[\n\r\t]/).test(text) ? undefined : [...text].length;
}

/**
 * Sends keys, and waits until the application has inserted of as many characters as were typed: then all have been taken. Or until
 * it tells no more of any, which is taken for the end. Nothing is read meanwhile, and of what came in only how much it is.
 * Without a number of characters only the quiet counts.
 */
export async function typeAndHear(
  desktop: Desktop,
  element: ElementRef,
  send: () => Promise<void>,
  characters: number | undefined,
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
    let inserted = 0, shown = false;
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
      inserted += events.reduce((sum, event) => sum + insertedBy(event), 0);
      if (characters !== undefined && inserted >= characters) return;
    }
  } finally {
    watch.close();
  }
}

function insertedBy({ kind, detail2 }: DesktopEvent): number {
  return /^object:text-changed:insert/.test(kind) ? Math.max(0, detail2) : 0;
}
