import type { Operation } from "../contract/operation.ts";
import { describeRow } from "../desktop/describe.ts";
import type { Look } from "./look.ts";
import type { ActionStep } from "./output/model.ts";
import type { Texts } from "./texts.ts";
import { type Judged, judgedOf, type Undoing, undoOf } from "./undo-of.ts";

/** A step, and how things were before it. */
interface Entry {
  readonly step: ActionStep;
  readonly look: Look | undefined;
  readonly judged: Judged;
  /** What stood in its field. */
  readonly text: string | undefined;
}

/** What is known of each step of a recording beside the step: how things were before it, and so how it is undone. */
export class Made {
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #texts: Texts;
  readonly #entries: Entry[] = [];
  /** What a step that was dropped began with: what stands in for it undoes both. */
  #dropped: Entry | undefined;

  constructor(operations: Iterable<Operation>, texts: Texts) {
    this.#operations = new Map([...operations].map((one) => [one.name, one]));
    this.#texts = texts;
  }

  /** A step came, in place of the last one or not; undefined: the last one went. `look`: what was there before. */
  heard(step: ActionStep | undefined, replaces: boolean, look: Look | undefined): void {
    const before = replaces ? this.#entries.pop() : this.#dropped;
    this.#dropped = step === undefined ? before : undefined;
    if (step === undefined) return;
    const operation = this.#operations.get(step.operation);
    const own = judgedOf(step, look, operation);
    const earlier = before?.look === undefined ? undefined : judgedOf(step, before.look, operation);
    const since = earlier !== undefined && earlier.row >= 0 ? before : undefined;
    const address = look && own.row >= 0 ? look.snapshot.element(own.row) : undefined;
    this.#entries.push({
      step,
      look: since?.look ?? look,
      judged: since === undefined ? own : earlier ?? own,
      text: since?.text ?? (address && this.#texts.of(address)),
    });
    const { value } = step.input;
    if (address !== undefined && typeof value === "string") {
      this.#texts.is(address, value.replaceAll("{{{{", "{{"));
    }
  }

  /** The last step, and how it is undone; undefined: there is none. */
  get last(): { readonly step: ActionStep; readonly undo: Undoing } | undefined {
    const entry = this.#entries.at(-1);
    return entry && { step: entry.step, undo: undoOf(entry.step, entry.look, entry.judged, entry.text) };
  }

  /** The last step is none any more. */
  forget(): void {
    this.#entries.pop();
    this.#dropped = undefined;
  }

  /** The steps with what is known of them. */
  get steps(): ActionStep[] {
    return this.#entries.map(({ step, look, judged: { effect, row } }) => ({
      ...step,
      ...(effect === undefined ? {} : { effect }),
      // A number among others tells a reader nothing.
      ...(look !== undefined && row >= 0 && JSON.stringify(step.input).includes(":nth(")
        ? { name: `${step.operation} ${describeRow(look.snapshot, row)}` }
        : {}),
    }));
  }
}
