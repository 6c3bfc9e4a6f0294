import type { Json } from "../../src/base/error.ts";
import { defined } from "../../src/base/defined.ts";
import { isList, isMap } from "../../src/base/json.ts";
import type { Fault, Interference } from "../../src/desktop/simulated/faults.ts";
import { Dice } from "./dice.ts";
import { ITEMS, OTHER } from "./form.ts";
import type { Story, StoryStep } from "./story.ts";

/** What is set, by its role in selectors. */
export const SELECTORS: Readonly<Record<string, string>> = {
  alpha: 'textfield[name="Alpha"]',
  beta: 'textfield[name="Beta"]',
  pin: '[name="Pin"]',
  copies: '[name="Copies"]',
  level: '[name="Level"]',
  wrap: '[name="Wrap"]',
  wifi: '[name="Wifi"]',
  red: '[name="Red"]',
  green: '[name="Green"]',
  blue: '[name="Blue"]',
  language: '[name="Language"]',
  rows: '[name="Rows"]',
  notes: '[name="Notes"]',
};

/** The step that presses the button which counts, as JSON text. */
const PRESSES = JSON.stringify({ click: 'button[name="Plus"]' }).slice(1, -1);

/** Fails at once. */
const FAILS: StoryStep = { assert: { target: 'button[name="Nowhere"]', timeout: 0 } };

/** A random workflow with random fault injection; the same for the same seed. */
export function makeStory(seed: number): Story {
  const quiet = caretAtEnd(new Dice(seed ^ 0x3c6e_f372));
  if (quiet) return { seed, head: {}, steps: quiet, faults: [] };
  const dice = new Dice(seed);
  const maker = new Maker(dice);
  const steps = maker.steps(1 + dice.below(4), 0);
  if (!dice.oneIn(4)) steps.push(FAILS);
  const head: Record<string, Json> = {};
  if (dice.oneIn(12)) head["on_failure"] = dice.of(["stop", "continue"]);
  if (dice.oneIn(12)) head["on_conflict"] = "force";
  const count = dice.of([0, 0, 1, 1, 1, 2, 3]);
  const faults = Array.from({ length: count }, () => fault(dice));
  // Dice of its own, so that the rest of a story is what its seed made of it before.
  const button = buttonInDoubt(new Dice(seed ^ 0x5bd1_e995));
  if (button) {
    steps.unshift(button.step);
    faults.push(button.fault);
  }
  const interrupt = dice.oneIn(10)
    ? { at: 1 + dice.below(90), ...(dice.oneIn(3) ? { hardAfter: 1 + dice.below(30) } : {}) }
    : undefined;
  const mayNotLand = faults.some((one) => one.fault === "timeout" && !one.landed);
  const specific = mayNotLand && mayPressTwice(steps) ? steps.map(unguarded) : steps;
  return { seed, head, steps: specific, faults, ...(interrupt ? { interrupt } : {}) };
}

/** May the button be pressed by more than one step, or more than once by one? What its label says then tells of no press alone. */
function mayPressTwice(steps: readonly StoryStep[]): boolean {
  const text = JSON.stringify(steps);
  return text.split(PRESSES).length > 2 || text.includes('"repeat":') || text.includes('"for_each":');
}

/** An `undo:` that a guard of another press would let through: its author would undo what another step did. */
function unguarded(step: StoryStep): StoryStep {
  return Object.fromEntries(
    Object.entries(step).map(([key, value]): [string, Json] => {
      if (key === "undo" && isMap(value)) return [key, value["steps"] ?? []];
      if (isList(value) && value.every(isMap)) return [key, value.map(unguarded)];
      return [key, isMap(value) ? unguarded(value) : value];
    }),
  );
}

/** Writes steps; values are counted, so that no two are the same text. */
class Maker {
  readonly #dice: Dice;
  #values = 0;
  #savepoints: string[] = [];

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  steps(count: number, depth: number): StoryStep[] {
    const outer = [...this.#savepoints];
    const made = Array.from({ length: count }, () => this.#step(depth));
    if (depth > 0) this.#savepoints = outer;
    return made;
  }

  #step(depth: number): StoryStep {
    const dice = this.#dice;
    const kind = dice.below(100);
    if (depth < 3 && kind < 22) return this.#transaction(depth);
    if (kind < 30) return this.#savepoint();
    if (depth < 2 && kind < 33) {
      return { repeat: { times: 1 + dice.below(2), steps: this.steps(1 + dice.below(2), depth + 1) } };
    }
    if (depth < 2 && kind < 36) {
      const condition = dice.oneIn(2) ? { exists: 'button[name="Plus"]' } : { gone: 'button[name="Plus"]' };
      return {
        if: condition,
        then: this.steps(1 + dice.below(2), depth + 1),
        else: this.steps(1, depth + 1),
      };
    }
    if (depth === 0 && kind < 38) {
      return {
        for_each: {
          in: ["x", "y"],
          as: "item",
          steps: [
            { set: { target: SELECTORS["beta"] ?? "", value: "{{vars.item}}" } },
            ...this.steps(1, depth + 1),
          ],
        },
      };
    }
    return this.#dressed(this.#action(depth));
  }

  #transaction(depth: number): StoryStep {
    const dice = this.#dice;
    const steps = this.steps(1 + dice.below(4), depth + 1);
    if (dice.oneIn(3)) steps.push(FAILS);
    return {
      transaction: { steps },
      ...(dice.oneIn(6) ? { retry: 1 } : {}),
      ...(dice.oneIn(4) ? { optional: true } : {}),
    };
  }

  #savepoint(): StoryStep {
    const dice = this.#dice;
    const [first, ...rest] = this.#savepoints;
    if (first !== undefined && dice.oneIn(2)) return { rollback_to: dice.of([first, ...rest]) };
    const name = dice.of(["s1", "s2"]);
    if (!this.#savepoints.includes(name)) this.#savepoints.push(name);
    return { savepoint: name };
  }

  #action(depth: number): StoryStep {
    const dice = this.#dice;
    const n = ++this.#values;
    const kind = dice.below(100);
    if (kind < 55) return this.#restorable(n);
    if (kind < 60) return { clipboard: { action: "write", text: `c${n}` } };
    if (kind < 63) return { launch: OTHER };
    if (kind < 66) return { click: { target: 'button[name="Open"]' }, undo: [{ press: "Escape" }] };
    if (kind < 74) {
      const undo: StoryStep[] = [{ click: 'button[name="Minus"]' }];
      // An opposite action may change what is protected by others.
      if (dice.oneIn(4)) undo.push({ set: { target: SELECTORS["beta"] ?? "", value: `u${n}` } });
      const guard = { not: { exists: 'label[name="Count 0"]' } };
      return {
        click: 'button[name="Plus"]',
        undo: dice.oneIn(2) ? undo : { guard, steps: undo },
        ...(dice.oneIn(3) ? { done_when: { exists: 'label[name="Count 1"]' } } : {}),
      };
    }
    // Outside of transactions a barrier is let pass, and ends the rollback.
    const declared = depth === 0 || dice.oneIn(8) ? {} : { irreversible: true };
    if (kind < 80) return { click: 'button[name="Send"]', ...declared };
    if (kind < 82) return { tool: "ax_click", args: { query: "Send", mode: "focus" } };
    if (kind < 85) return { click: { target: '[name="Language"]' } };
    if (kind < 87) return { press: { keys: dice.of(["Tab", "space", "ctrl+z", "Escape"]) }, ...declared };
    if (kind < 89) return { focus: { target: SELECTORS["alpha"] ?? "" } };
    if (kind < 91) return { quit: OTHER, ...declared };
    if (kind < 93) return { wait: { target: 'button[name="Plus"]', timeout: "1s" } };
    if (kind < 95) return { assert: { target: SELECTORS["alpha"] ?? "", exists: true } };
    if (kind < 97) return { type: { into: SELECTORS["alpha"] ?? "", text: `t${n}\n` }, ...declared };
    return FAILS;
  }

  #restorable(n: number): StoryStep {
    const dice = this.#dice;
    const set = (key: string, value: Json) => ({ set: { target: SELECTORS[key] ?? "", value } });
    switch (dice.below(12)) {
      case 0:
      case 1:
        return set(dice.of(["alpha", "beta"]), `v${n}`);
      case 2:
        return set("notes", `line\n${n}`);
      case 3:
        return {
          type: {
            into: SELECTORS[dice.of(["alpha", "beta", "notes"])] ?? "",
            text: `t${n}`,
            clear: dice.oneIn(3),
          },
        };
      case 4:
        return set("copies", 10 + n);
      case 5:
        return set("level", 5 * (n % 20));
      case 6:
        return set(dice.of(["wrap", "wifi"]), dice.oneIn(2));
      case 7:
        return { click: SELECTORS[dice.of(["wrap", "wifi"])] ?? "" };
      case 8:
        return { click: SELECTORS[dice.of(["red", "green", "blue"])] ?? "" };
      case 9:
        return set("language", dice.of(ITEMS.language));
      case 10:
        return dice.oneIn(2)
          ? set("rows", dice.of(ITEMS.rows))
          : { select: `listitem[name="${dice.of(ITEMS.rows)}"]` };
      default:
        return dice.oneIn(6) ? set("pin", `p${n}`) : set("alpha", `w${n}`);
    }
  }

  /** What any step that acts may say beside its verb. */
  #dressed(step: StoryStep): StoryStep {
    const dice = this.#dice;
    return {
      ...step,
      ...(dice.oneIn(8) ? { retry: 1 + dice.below(2) } : {}),
      ...(dice.oneIn(12) ? { optional: true } : {}),
      ...("tool" in step && dice.oneIn(2) ? { on_fail: dice.of(["rollback", "skip", "abort"]) } : {}),
    };
  }
}

/**
 * Once in a while: a text whose caret is at its end when a transaction begins that changes it and is rolled back. Nothing is
 * injected: carets are judged only where nothing is in the way.
 */
function caretAtEnd(dice: Dice): StoryStep[] | undefined {
  if (!dice.oneIn(100)) return undefined;
  const target = SELECTORS[dice.of(["alpha", "beta", "notes"])] ?? "";
  const type = (text: string): StoryStep => ({ type: { into: target, text, clear: dice.oneIn(3) } });
  const set: StoryStep = { set: { target, value: "v1" } };
  const steps = dice.of([[set], [type("t1")], [set, type("t1")], [type("t1"), set]]);
  return [type("t0"), { transaction: { steps: [...steps, FAILS] }, optional: true }];
}

/**
 * Once in a while: a button whose press is not answered. One that lands is to be tried again: pressed blindly, it is pressed
 * twice. One that does not land has an undo whose guard then does not hold: undone blindly, something else is undone.
 */
function buttonInDoubt(dice: Dice): { readonly step: StoryStep; readonly fault: Fault } | undefined {
  if (!dice.oneIn(12)) return undefined;
  const element = dice.of(["plus", "send"]);
  const retry = 1 + dice.below(2);
  const landed = element === "send" || !dice.oneIn(3);
  const fault: Fault = { fault: "timeout", landed, when: { call: "act", element } };
  if (element === "send") return { step: { click: 'button[name="Send"]', retry }, fault };
  const click = 'button[name="Plus"]', steps: StoryStep[] = [{ click: 'button[name="Minus"]' }];
  if (landed) return { step: { click, undo: steps, retry }, fault };
  return { step: { click, undo: { guard: { not: { exists: 'label[name="Count 0"]' } }, steps } }, fault };
}

/** What a person does behind our back; texts are counted from a number that no step uses. */
function interference(dice: Dice): { readonly element: string; readonly set: Interference } {
  const n = dice.below(1_000);
  switch (dice.below(8)) {
    case 0:
    case 1:
    case 2:
      return { element: "alpha", set: { text: `person${n}` } };
    case 3:
      return { element: dice.of(["beta", "notes"]), set: { text: `person${n}` } };
    case 4:
      return { element: "copies", set: { value: 60 + (n % 30) } };
    case 5:
      return { element: "wrap", set: { checked: dice.oneIn(2) } };
    case 6:
      return { element: dice.of(["language", "rows"]), set: { chosen: [n % 3] } };
    default:
      return { element: dice.of(["red", "green", "blue"]), set: { checked: true } };
  }
}

const HELD = [
  "alpha",
  "beta",
  "notes",
  "copies",
  "level",
  "wrap",
  "wifi",
  "red",
  "green",
  "language",
  "rows",
] as const;

/** Something nasty, at a call that may be any. */
function fault(dice: Dice): Fault {
  const at = 1 + dice.below(dice.of([4, 12, 40]));
  const call = dice.of(["act", "act", "typeText", "pressKeys", "snapshot", "read", "pointer", undefined]);
  const when = { at, ...defined({ call }) };
  const action = { at: 1 + dice.below(6), ...(dice.oneIn(2) ? { call: "act" as const } : {}) };
  switch (dice.below(16)) {
    case 0:
      return { fault: "timeout", landed: true, when };
    case 1:
      return { fault: "timeout", landed: false, when, ...(dice.oneIn(3) ? { outcome: "not_sent" } : {}) };
    case 2:
      return { fault: "timeout", landed: dice.oneIn(2), when: action };
    case 3:
      return { fault: "no_effect", when: { ...action, times: dice.of([1, 1, 2, "always"]) } };
    case 4:
      return { fault: "refuse", when: { ...action, times: dice.of([1, 2, "always"]) } };
    case 5:
      return { fault: "partial", characters: dice.below(3), when: action };
    case 6:
      return {
        fault: "lie",
        answer: dice.of(["wanted", "old"]),
        when: action,
        ...(dice.oneIn(3) ? {} : { reads: 1 + dice.below(8) }),
      };
    case 7:
      return { fault: "die", landed: dice.oneIn(2), app: "hist.form", when: dice.oneIn(3) ? when : action };
    case 8:
      return {
        fault: "hang",
        when,
        ms: dice.of([500, 5_000, 60_000, 200_000]),
        ...(dice.oneIn(2) ? { forgets: true } : {}),
      };
    case 9:
      return { fault: "slow", ms: dice.of([50, 2_000, 20_000]), when };
    case 10:
      return {
        fault: "delay",
        ...dice.of([{ calls: 1 + dice.below(6) }, { ms: 100 * dice.below(30) }]),
        when: action,
      };
    case 11: {
      const element = dice.of([...HELD]);
      return { fault: "recycle", element, as: { name: "Another" }, announced: dice.oneIn(2), when };
    }
    case 12:
      return { fault: "drop_events", fraction: dice.of([0.3, 1]), announced: dice.oneIn(2) };
    default:
      return { fault: "interfere", app: "hist.form", ...interference(dice), when, after: dice.oneIn(2) };
  }
}
