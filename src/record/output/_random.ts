import { type ActionStep, inNotation, type RecordedStep, type Recording } from "./model.ts";

/** Numbers from 0 to 1, the same for the same seed. */
export function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const TEXTS = [
  "Ada",
  "yes",
  "007",
  "null",
  "a: b # c",
  "{{vars.x}}",
  "{{{{",
  "{",
  "{{step_1.value}}",
  'it\'s "quoted" \\ `${x}`',
  "two\nlines\n",
  "\ttab ",
  "\r\n",
  "Grüße, 世界 🙂",
  "- item",
  "\u2028",
  "x".repeat(200),
  "",
];
const SELECTORS = ['textfield[name="Name"]', "slider", 'button[name="It\'s"]', "window > panel:nth(2)", "*"];

/** Step lists that any reader takes; what they would do is not looked at. */
export class RandomSteps {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = numbers(seed);
  }

  one<T>(list: readonly T[]): T {
    const found = list[Math.floor(this.#next() * list.length)];
    if (found === undefined) throw new Error("nothing to choose from");
    return found;
  }

  chance(of: number): boolean {
    return this.#next() < of;
  }

  text(): string {
    return this.one(TEXTS);
  }

  /** A name: it holds no placeholder, and is not empty. */
  name(): string {
    const text = this.text();
    return text.trim() === "" || text.includes("{{") ? "a name" : text;
  }

  /** What `ax_workflow` can say. */
  plain(): ActionStep {
    const target = this.one(SELECTORS);
    const where = this.chance(0.3) ? { selector: target, nth: 2 } : target;
    const text = inNotation(this.text());
    const made = (operation: string, input: ActionStep["input"]): ActionStep => ({
      kind: "action",
      operation,
      input,
      ...(this.chance(0.2) ? { retry: 2 } : {}),
      ...(this.chance(0.2) ? { optional: true } : {}),
    });
    return this.one<() => ActionStep>([
      () => made("click", { target: where, ...(this.chance(0.3) ? { count: 2 } : {}) }),
      () =>
        made("click", { target: where, ...(this.chance(0.3) ? { button: "right" } : { background: true }) }),
      () => made("set", { target: where, value: text }),
      () => made("type", { into: where, text, ...(this.chance(0.3) ? { clear: true } : {}) }),
      () => made("press", { keys: this.one(["ctrl+s", "Escape", "ctrl+shift+Tab", "space", "ctrl++"]) }),
      () => made("press", { keys: "Return", into: where }),
      () => made("scroll", { target: where, direction: "down", amount: 120 }),
      () => made("drag", { from: target, to: { x: 1, y: 2 } }),
      () => made("launch", { app: "sim.settings" }),
      () => made("quit", { app: "sim.settings" }),
      () => made("assert", { target: where, exists: true, ...(this.chance(0.5) ? { value: text } : {}) }),
      () => made("wait-idle", { quiet: 100 }),
    ])();
  }

  /** What only a file can say. */
  rich(depth = 0): RecordedStep {
    if (depth < 3 && this.chance(0.15)) {
      return {
        kind: "transaction",
        ...(this.chance(0.7) ? { name: this.name() } : {}),
        ...(this.chance(0.2) ? { retry: 1 } : {}),
        steps: [this.rich(depth + 1), this.rich(depth + 1)],
      };
    }
    const step = this.chance(0.5) ? this.plain() : this.onlyFile();
    return {
      ...step,
      ...(this.chance(0.1) ? { name: this.name() } : {}),
      ...(this.chance(0.1) ? { timeout: 1_500 } : {}),
      ...(this.chance(0.1) ? { irreversible: true } : {}),
      ...(this.chance(0.1)
        ? {
          undo: {
            steps: [this.plainUndo()],
            guard: { input: { target: "button", timeout: 0 }, negate: this.chance(0.5) },
          },
        }
        : {}),
      ...(this.chance(0.1)
        ? {
          doneWhen: this.one([
            { input: { target: "slider", value: "3", timeout: 500 }, negate: false },
            { input: { target: "slider", exists: false, timeout: 0 }, negate: false },
          ]),
        }
        : {}),
    };
  }

  plainUndo(): ActionStep {
    return { kind: "action", operation: "set", input: { target: "slider", value: inNotation(this.text()) } };
  }

  onlyFile(): ActionStep {
    const target = this.one(SELECTORS);
    const input = this.one<() => Pick<ActionStep, "operation" | "input">>([
      () => ({ operation: "select", input: { target, items: [inNotationText(this.text()) || "x"] } }),
      () => ({ operation: "window", input: { do: "minimise" } }),
      () => ({ operation: "wait", input: { target, for: "gone", timeout: "2s" } }),
      () => ({
        operation: "set",
        input: { target, value: this.one<number | boolean>([3, 2.5, true, false]) },
      }),
      () => ({ operation: "set", input: { target, value: "{{vars.text}}" } }),
      () => ({ operation: "type", input: { into: target, text: "a {{vars.text}} `b` {{secrets.TOKEN}}" } }),
      () => ({ operation: "assert", input: { target, text: { contains: inNotationText(this.text()) } } }),
    ])();
    return { kind: "action", ...input };
  }

  recording(step: () => RecordedStep, more: Partial<Recording> = {}): Recording {
    const steps = Array.from({ length: 1 + Math.floor(this.#next() * 8) }, step);
    return { name: this.name(), settings: {}, vars: {}, before: [], steps, after: [], ...more };
  }
}

function inNotationText(text: string): string {
  return text.replaceAll("{{", "{{{{");
}
