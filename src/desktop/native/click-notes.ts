import { readFileSync, renameSync, writeFileSync } from "node:fs";
import process from "node:process";

/** A click that was done; `at` is a time of `performance.now`. */
export interface Done {
  readonly x: number;
  readonly y: number;
  readonly button: string;
  readonly at: number;
}

/** Milliseconds that a note is kept: longer than any toolkit waits for the second half of a double click. */
const KEPT = 1_000;
/** A click a line. A library that checks such things would need more rights than the native core alone does. */
const NOTE = /^(-?[\d.]+) (-?[\d.]+) (\w+) ([\d.]+)$/gm;

/** Why a file may not be there, or not be written: then nobody else's clicks are known. */
const NONE: ReadonlySet<unknown> = new Set(["ENOENT", "EACCES", "EROFS", "ENOSPC"]);

/**
 * The last clicks on a desktop, in a file that all who drive it share: two commands one after the other are two processes. Times
 * are of the clock there, in milliseconds.
 */
export class ClickNotes {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** The clicks that were noted last, by whomever. */
  read(): Done[] {
    const text = unlessNone(() => readFileSync(this.#file, "utf8")) ?? "";
    const since = Date.now() - performance.now();
    // A clock that was set back would have them lie ahead.
    return notesIn(text).map((one) => ({
      ...one,
      at: Math.min(one.at - since, performance.now()),
    }));
  }

  /** Notes a click beside those of others, as long as any of them counts. */
  add(click: Done): void {
    const since = Date.now() - performance.now(), aside = `${this.#file}.${process.pid}`;
    const counting = [...this.read().filter(({ at }) => click.at - at < KEPT), click];
    unlessNone(() => {
      const lines = counting.map(({ x, y, button, at }) => `${x} ${y} ${button} ${at + since}\n`);
      writeFileSync(aside, lines.join(""), { mode: 0o600 });
      renameSync(aside, this.#file);
    });
  }
}

/** What is no note, since an application has written there, tells of no click. */
function notesIn(text: string): Done[] {
  return [...text.matchAll(NOTE)].map(([, x, y, button = "", at]) => ({
    x: Number(x),
    y: Number(y),
    button,
    at: Number(at),
  })).filter(({ x, y, at }) => [x, y, at].every(Number.isFinite));
}

function unlessNone<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && NONE.has(thrown.code)) return undefined;
    throw thrown;
  }
}
