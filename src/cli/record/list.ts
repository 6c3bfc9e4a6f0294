import { defined } from "../../base/defined.ts";
import type { ActionStep } from "../../record/output/model.ts";
import type { Undone } from "../../record/undo-last.ts";
import type { OnStep } from "../../record/steps.ts";
import { CLEAR_LINE, harmless } from "../../report/style.ts";
import type { Io } from "../io.ts";

/** Tells each step: live on a terminal, where the last one may still become another; else once it stays as it is. */
export class StepList {
  readonly #io: Io;
  #count = 0;
  #last: string | undefined;

  constructor(io: Io) {
    this.#io = io;
  }

  /** A step came, in place of the last one or not. */
  readonly onStep: OnStep = (step, replaces) => {
    const io = this.#io;
    io.json({ what: "step", replaces, ...defined({ step }) });
    if (!replaces) this.#keep();
    if (step && (!replaces || this.#last === undefined)) this.#count++;
    if (!step && this.#last !== undefined) this.#count--;
    this.#last = step && lineOf(step);
    if (io.live) {
      const line = this.#last === undefined ? "" : this.#numbered(fit(this.#last, io.columns - WIDTH));
      io.text(`${CLEAR_LINE}${line}`);
    }
  };

  /** Steps that there are. */
  get count(): number {
    return this.#count;
  }

  /** A line beside the steps. */
  say(text: string): void {
    this.#keep();
    this.#io.text(`${text}\n`);
  }

  /** What became of the last step. */
  undid({ step, removed, undone, why }: Undone): void {
    const io = this.#io, { style } = io;
    io.json({ what: "undo", removed, undone, ...defined({ step, why }) });
    if (step === undefined) return this.say(style.dim("there is no step to undo"));
    const line = harmless(lineOf(step));
    if (!removed) {
      this.say(`${style.warn("✗")} cannot undo ${line}: ${harmless(why ?? "")}`);
      return;
    }
    const how = undone ? "undone, and taken out" : "taken out of the file; nothing was done on the desktop";
    if (io.live) io.text(CLEAR_LINE);
    this.#last = undefined;
    this.#count--;
    io.text(`${style.good("↶")} ${line}  ${style.dim(how)}\n`);
  }

  /** The last step stays as it is. */
  end(): void {
    this.#keep();
  }

  #keep(): void {
    const io = this.#io;
    if (this.#last !== undefined) io.text(io.live ? "\n" : `${this.#numbered(this.#last)}\n`);
    this.#last = undefined;
  }

  #numbered(line: string): string {
    const { style } = this.#io;
    const [said, unsure] = line.split(UNSURE);
    const number = style.dim(String(this.#count).padStart(3));
    return `${number}  ${said ?? ""}${unsure === undefined ? "" : style.warn(UNSURE)}`;
  }
}

/** Columns of a step's number. */
const WIDTH = 5;
/** What an input holds whose name says no more than its value. */
const PLAIN: ReadonlySet<string> = new Set(["value", "text", "keys", "do", "app"]);
const UNSURE = "  (not sure)";

/** A step as a line. */
export function lineOf({ operation, input, confidence = 1 }: ActionStep): string {
  const { target, into, ...more } = input;
  const what = target ?? into;
  const element = typeof what === "string"
    ? ` ${what}`
    : what === undefined
    ? ""
    : ` ${JSON.stringify(what)}`;
  const rest = Object.entries(more).map(([key, value]) =>
    ` ${PLAIN.has(key) ? "" : `${key}: `}${JSON.stringify(value)}`
  ).join("");
  return `${operation}${element}${rest}${confidence < 1 ? UNSURE : ""}`;
}

/** A line as far as the terminal is wide. */
function fit(line: string, columns: number): string {
  return line.length < columns ? line : `${line.slice(0, Math.max(1, columns - 2))}…`;
}
