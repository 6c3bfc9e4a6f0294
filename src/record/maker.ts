import type { Json } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import { asMap, toJson } from "../base/json.ts";
import { describeRow } from "../desktop/describe.ts";
import type { Application } from "../desktop/desktop.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import type { Session } from "../session/session.ts";
import type { Hit } from "./hit.ts";
import type { Look } from "./look.ts";
import { inNotation, type Recording } from "./output/model.ts";
import { selectorOf } from "./selector-of.ts";
import { type OnStep, Steps } from "./steps.ts";
import { Windows } from "./windows.ts";

/** How a recording is made. */
export interface MakerOptions {
  /** The application that steps are about where they name none. */
  readonly app?: string;
  readonly onStep?: OnStep;
  /** A step names this row by this selector. */
  readonly onTarget?: (selector: string, snapshot: Snapshot, row: number) => void;
}

/** Stands for keys whose text nobody reported. */
export const TYPED = "{{vars.typed}}";
/** How sure a step is that is not sure. */
const LOW = 0.4;

/** What is added to a step beside its input. */
export interface More {
  /** A later step with this key stands in for it. */
  readonly key?: string;
  readonly comment?: string | undefined;
  readonly alternatives?: readonly string[];
  /** What of the input is no literal. */
  readonly placeholder?: Readonly<Record<string, string>>;
}

/** Makes the steps of a recording, and knows what their applications are called. */
export class Maker {
  /** Names of the secrets that the steps need. */
  readonly secrets = new Set<string>();
  readonly windows = new Windows();
  readonly #session: Session;
  readonly #steps: Steps;
  readonly #names = new Map<string, string>();
  #main: string | undefined;
  readonly #onTarget: MakerOptions["onTarget"];

  constructor(session: Session, options: MakerOptions) {
    this.#session = session;
    this.#onTarget = options.onTarget;
    this.#main = options.app;
    this.#steps = new Steps((step, replaces) => options.onStep?.(step, replaces));
  }

  /** The application that steps are about where they name none; undefined: none was used yet. */
  get main(): string | undefined {
    return this.#main;
  }

  /** Adds a step of an operation by its neutral name. `sure`: false where another element may have been meant. */
  add(
    operation: string,
    input: Readonly<Record<string, Json>>,
    sure: boolean,
    more: More = {},
  ): void {
    const { key = sameValue(operation, input), comment, alternatives, placeholder } = more;
    const confidence = sure ? 1 : LOW;
    this.#steps.add(
      {
        kind: "action",
        operation,
        input: { ...asMap(inNotation(toJson(input))), ...placeholder },
        confidence,
        ...defined({ comment, alternatives }),
      },
      key,
    );
  }

  /** Takes the last step away, whatever it is. */
  takeLast(): void {
    this.#steps.takeLast();
  }

  /** Takes the last step away if it has this key. */
  drop(key: string): boolean {
    return this.#steps.drop(key) !== undefined;
  }

  /** How a step names an element: by a selector, with its application where that is another than that of the file. */
  targetOf(snapshot: Snapshot, row: number, app: string): Json {
    const selector = selectorOf(snapshot, row);
    if (selector === undefined) return null;
    this.#onTarget?.(selector, snapshot, row);
    return app === this.#main ? selector : { selector, app };
  }

  /**
   * What came or went since the step before is waited for before the next one. `keys`: that takes keys, so that a window has
   * to have them.
   */
  async expect(look: Look, keys = false): Promise<void> {
    for (const change of this.windows.changes(look)) {
      if (!change.came) {
        this.add("wait", { target: change.target, for: "hidden" }, true);
        continue;
      }
      const target = this.targetOf(look.snapshot, change.row, await this.nameOf(look.application));
      if (target === null) continue;
      this.windows.expect(change.path, target);
      const active = keys && look.snapshot.has(change.row, "active");
      this.add("assert", { target: active ? withState(target, "active") : target, exists: true }, true);
    }
  }

  /** Why a hit is not sure, as comments of its step. */
  doubts({ snapshot }: Look, { row, sure, others }: Hit): { comment?: string; alternatives?: string[] } {
    if (sure) return {};
    const alternatives = others.flatMap((other) => selectorOf(snapshot, other) ?? []);
    const names = others.map((other) => describeRow(snapshot, other)).join(", ");
    const comment = others.length === 0
      ? "The tree had changed, and the application did not say what lies there."
      : `The tree and the application differ: ${describeRow(snapshot, row)}, or ${names}.`;
    return { comment, alternatives };
  }

  /** What an application is called in a file. */
  async nameOf(application: Application): Promise<string> {
    const earlier = this.#names.get(application.bus);
    if (earlier !== undefined) return earlier;
    const running = await this.#session.launcher.list();
    const listed = running.find(({ processId }) => processId === application.pid);
    const words = [listed?.bundleId, listed?.name, application.name, ...(listed?.words ?? [])];
    const name = this.#main !== undefined && words.includes(this.#main)
      ? this.#main
      : listed?.bundleId ?? application.name;
    this.#main ??= name;
    this.#names.set(application.bus, name);
    return name;
  }

  recording(name: string): Recording {
    const secrets = [...this.secrets], steps = this.#steps.list;
    const typed = steps.some(({ input }) => input["text"] === TYPED);
    return {
      name,
      settings: defined({ app: this.#main, secrets: secrets.length === 0 ? undefined : secrets }),
      vars: typed ? { typed: { type: "string" } } : {},
      before: [],
      steps,
      after: [],
    };
  }
}

/** The same element in a state. */
function withState(target: Json, state: string): Json {
  if (typeof target === "string") return `${target}:${state}`;
  const { selector, ...where } = asMap(target);
  return { selector: `${selector}:${state}`, ...where };
}

/** A text or number that is set again stands in for what was set before; what is switched twice was switched twice. */
function sameValue(operation: string, input: Readonly<Record<string, Json>>): string | undefined {
  const { target, value } = input;
  return typeof value === "string" || typeof value === "number"
    ? `${operation} ${JSON.stringify(target)}`
    : undefined;
}
