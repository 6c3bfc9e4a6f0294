import type { Json } from "../../src/base/error.ts";
import { Dice } from "../histories/dice.ts";
import {
  COLOURS,
  type Control,
  type Plan,
  type PlanStep,
  ROWS,
  type ToolkitName,
  TOOLKITS,
  type Trait,
} from "./plan.ts";
import { selectorOf } from "./words.ts";

/** Fails at once. */
const FAILS: PlanStep = { assert: { target: 'button[name="Nowhere"]', timeout: 0 } };

/** Keys that a window may take for itself: those that a driver might press on its own, and mnemonics. */
const CHORDS = [
  "ctrl+z",
  "ctrl+z",
  "ctrl+a",
  "ctrl+v",
  "ctrl+y",
  "Return",
  "Escape",
  "space",
  "Delete",
  "Down",
  "Home",
  "alt+a",
] as const;

/** A random nasty application and a random workflow on it; the same for the same seed. */
export function makePlan(seed: number, on?: ToolkitName): Plan {
  const dice = new Dice(seed);
  const toolkit = on ?? TOOLKITS[seed % TOOLKITS.length] ?? "gtk3";
  const maker = new Maker(dice, toolkit);
  const steps = maker.steps(1 + dice.below(3), 0);
  if (!dice.oneIn(4)) steps.push(FAILS);
  const touched = maker.touched;
  const traits = Array.from({ length: 1 + dice.below(3) }, () => makeTrait(dice, touched));
  return { seed, toolkit, traits, steps };
}

/** Writes steps; values are counted, so that no two are the same text. */
class Maker {
  readonly touched: Control[] = [];
  readonly #dice: Dice;
  readonly #toolkit: ToolkitName;
  #values = 0;
  #savepoints: string[] = [];

  constructor(dice: Dice, toolkit: ToolkitName) {
    this.#dice = dice;
    this.#toolkit = toolkit;
  }

  steps(count: number, depth: number): PlanStep[] {
    const outer = [...this.#savepoints];
    const made = Array.from({ length: count }, () => this.#step(depth));
    if (depth > 0) this.#savepoints = outer;
    return made;
  }

  #step(depth: number): PlanStep {
    const dice = this.#dice;
    const kind = dice.below(100);
    if (depth < 2 && kind < 22) return this.#transaction(depth);
    if (kind < 27) return this.#savepoint();
    const step = this.#action(depth);
    return dice.oneIn(10) ? { ...step, retry: 1 } : dice.oneIn(10) ? { ...step, optional: true } : step;
  }

  #transaction(depth: number): PlanStep {
    const dice = this.#dice;
    const steps = this.steps(1 + dice.below(2), depth + 1);
    if (dice.oneIn(3)) steps.push(FAILS);
    return { transaction: { steps }, ...(dice.oneIn(3) ? { optional: true } : {}) };
  }

  #savepoint(): PlanStep {
    const [first, ...rest] = this.#savepoints;
    if (first !== undefined && this.#dice.oneIn(2)) return { rollback_to: this.#dice.of([first, ...rest]) };
    const name = `s${this.#savepoints.length + 1}`;
    this.#savepoints.push(name);
    return { savepoint: name };
  }

  #action(depth: number): PlanStep {
    const dice = this.#dice;
    const declared = depth === 0 ? {} : { irreversible: true };
    const kind = dice.below(100);
    if (kind < 52) return this.#set();
    if (kind < 60) return this.#type();
    if (kind < 82) return this.#click(declared);
    if (kind < 86) return { focus: { target: this.#target(dice.of(["alpha", "beta", "notes", "wrap"])) } };
    if (kind < 90) return { scroll: { target: this.#target(dice.of(["rows", "notes"])), direction: "down" } };
    if (kind < 94) return { press: { keys: dice.of(["Tab", "Return", "ctrl+z", "Escape"]) }, ...declared };
    if (kind < 97) return { wait: { target: 'button[name="Plus"]', timeout: "1s" } };
    return { assert: { target: this.#target("alpha"), exists: true, timeout: 0 } };
  }

  #set(): PlanStep {
    const dice = this.#dice;
    const key = dice.of([
      "alpha",
      "alpha",
      "beta",
      "notes",
      "copies",
      "level",
      "wrap",
      "wifi",
      "colour",
      "language",
      "rows",
    ]);
    if (key === "colour") return this.#colour();
    const n = ++this.#values;
    const values: Record<Exclude<Control, "colour">, Json> = {
      alpha: `v${n} ab`,
      beta: `w${n} ab`,
      notes: `line\n${n}`,
      copies: 40 + n,
      level: 5 * (11 + n % 9),
      wrap: dice.oneIn(3),
      wifi: !dice.oneIn(3),
      language: dice.of(["Bob", "Cyd"]),
      rows: dice.of(ROWS),
    };
    return { set: { target: this.#target(key), value: values[key] } };
  }

  #colour(): PlanStep {
    const name = this.#dice.of(["Green", "Blue", COLOURS[0]]);
    this.touched.push("colour");
    const target = selectorOf(this.#toolkit, name);
    return this.#toolkit === "gtk4" ? { set: { target, value: true } } : { click: target };
  }

  #type(): PlanStep {
    const key = this.#dice.of(["alpha", "beta", "notes"]);
    return { type: { into: this.#target(key), text: `t${++this.#values}`, clear: this.#dice.oneIn(3) } };
  }

  #click(declared: PlanStep): PlanStep {
    const dice = this.#dice;
    switch (dice.below(10)) {
      case 0:
      case 1:
      case 2:
        return { click: this.#target(dice.of(["alpha", "beta", "copies", "notes"])) };
      case 3:
        return { click: this.#target(dice.of(["wrap", "wifi"])) };
      case 4:
        return this.#colour();
      case 5:
      case 6:
        this.touched.push("rows");
        return { click: `listitem[name="${dice.of(ROWS)}"]` };
      case 7:
        return { click: 'button[name="Plus"]', undo: [{ click: 'button[name="Minus"]' }] };
      case 8:
        return { click: { target: this.#target("language") } };
      default:
        return { click: `button[name="${dice.of(["Send", "Delete"])}"]`, ...declared };
    }
  }

  #target(key: Control): string {
    this.touched.push(key);
    return selectorOf(this.#toolkit, key);
  }
}

/** One way to misbehave, mostly of a control that the workflow touches. */
function makeTrait(dice: Dice, touched: readonly Control[]): Trait {
  const [first = "alpha", ...rest] = touched;
  const key: Control = dice.oneIn(6)
    ? dice.of(["alpha", "beta", "notes", "wrap"])
    : dice.of([first, ...rest]);
  const ms = 50 + 50 * dice.below(18);
  const nth = dice.oneIn(2) ? { nth: 1 + dice.below(3) } : {};
  const at = 1 + dice.below(5);
  switch (dice.below(20)) {
    case 0:
    case 1:
      return { trait: "late", key, ms, ...nth };
    case 2:
    case 3:
      return { trait: "refuse", key, ...nth };
    case 4:
    case 5:
    case 6:
      return { trait: "revert", key, ms, ...nth };
    case 7:
      return {
        trait: "normalise",
        key: formatted(key),
        how: dice.of(["upper", "trim", "group", "clamp"]),
        ...nth,
      };
    case 8:
    case 9:
      return { trait: "couple", key, to: coupledTo(dice, key, touched), ms: dice.oneIn(2) ? 0 : ms };
    case 10:
    case 11:
      return { trait: "submit", key: dice.of(["alpha", "beta"]), on: dice.of(["activate", "focus-out"]) };
    case 12:
    case 13:
      return { trait: "accelerate", chord: dice.of(CHORDS) };
    case 14:
      return { trait: "lie", key: dice.of(["alpha", "beta"]), name: dice.of(["Alpha", "Beta", "Gamma"]) };
    case 15:
      return { trait: "reorder", what: dice.of(["rows", "fields", "names"]), at, ms: dice.oneIn(2) ? 0 : ms };
    case 16:
      return { trait: "recreate", key, at, ms: dice.oneIn(2) ? 0 : ms };
    case 17:
      return { trait: "pop", at, ms: dice.oneIn(2) ? 0 : ms };
    case 18:
      return dice.oneIn(3) ? { trait: "crash", at } : { trait: "hang", at, ms: 3_000 };
    default:
      return { trait: "deny", at };
  }
}

/** What an application may format: a text or a number. */
function formatted(key: Control): Control {
  return ["alpha", "beta", "notes", "copies", "level"].includes(key) ? key : "alpha";
}

function coupledTo(dice: Dice, key: Control, touched: readonly Control[]): Control {
  const others = touched.filter((one) => one !== key);
  const [first = key === "beta" ? "alpha" : "beta", ...rest] = others;
  return dice.oneIn(3) ? (key === "wrap" ? "wifi" : "wrap") : dice.of([first, ...rest]);
}
