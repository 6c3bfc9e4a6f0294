import { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import { asMap, toJson } from "../../base/json.ts";
import type { RunListener } from "../../contract/events.ts";
import type { Act, ActOutcome, AuditPort, PolicyPort } from "../../contract/gate.ts";
import { meant } from "../../desktop/locator/mod.ts";
import { Mask } from "../../engine/secrets/mask.ts";
import { FULL, look, Target, targetText } from "../../operations/target.ts";
import { factsOf } from "./element-facts.ts";
import type { ElementFacts, StepFacts } from "./facts.ts";

/** Milliseconds for one look beside a step. */
const LOOK = 5_000;

/** What is known of the step that runs. */
interface Current {
  readonly path: string;
  readonly operation: string;
  target?: string;
  before?: ElementFacts;
  after?: ElementFacts;
  matches?: number;
}

/** A look at what a target matches. */
interface Seen {
  readonly target: string;
  readonly element?: ElementFacts;
  readonly matches?: number;
}

/** Looks at the target of each step, before its act and after, and keeps what it finds. It changes nothing. */
export class FactObserver {
  readonly steps: StepFacts[] = [];
  readonly #mask: Mask;
  #current: Current | undefined;

  /** `secrets`: the values that nothing which is kept may hold. */
  constructor(secrets: Iterable<string>) {
    this.#mask = new Mask(secrets);
  }

  /** Hears the run's events. */
  readonly listener: RunListener = (event) => {
    if (event.event === "step-started") {
      this.#current = { path: event.path, operation: event.operation };
      return;
    }
    if (event.event !== "step-finished") return;
    const { path, name, operation, status, duration_ms } = event.step;
    const seen = this.#current?.path === path ? this.#current : undefined;
    this.#current = undefined;
    // Where it was is told before the act, what became of it after.
    const { before, after, target, matches } = seen ?? {};
    const element = before === undefined ? after : { ...before, ...afterwards(after) };
    this.steps.push(this.#mask.apply({
      path,
      name,
      operation,
      ...(target === undefined ? {} : { target }),
      status,
      duration_ms,
      ...(matches === undefined ? {} : { matches }),
      ...(element === undefined ? {} : { element }),
    }));
  };

  /** Looks before an act. */
  readonly policy: PolicyPort = {
    admit: async (act) => {
      const current = this.#of(act);
      if (current === undefined || act.resolved.elements.length === 0) return;
      const seen = await lookAt(act);
      if (seen?.element !== undefined) Object.assign(current, { target: seen.target, before: seen.element });
    },
  };

  /** Looks after an act. */
  readonly audit: AuditPort = {
    record: async (act: Act, outcome: ActOutcome) => {
      const current = this.#of(act);
      if (current === undefined || !outcome.ok) return;
      const seen = await lookAt(act);
      if (seen === undefined) return;
      const { target, element, matches } = seen;
      Object.assign(current, { target }, element === undefined ? {} : { after: element });
      // Of what an act was found at, how many there are afterwards is its effect.
      if (current.before === undefined && matches !== undefined) current.matches = matches;
    },
  };

  /** The step that an act belongs to; undefined: it is one of a rollback. */
  #of({ operation }: Act): Current | undefined {
    return this.#current?.operation === operation.name ? this.#current : undefined;
  }
}

function afterwards(after: ElementFacts | undefined): Partial<ElementFacts> {
  if (after === undefined) return {};
  const { states, value } = after;
  return { states, ...(value === undefined ? {} : { value }) };
}

async function lookAt({ input, context }: Act): Promise<Seen | undefined> {
  const { target, into, from } = asMap(toJson(input));
  const parsed = Target.safeParse(target ?? into ?? from);
  if (!parsed.success) return undefined;
  const text = targetText(parsed.data);
  try {
    const looking = { ...context, deadline: Deadline.after(LOOK, context.deadline.signal) };
    const now = await look(looking, parsed.data, FULL);
    const rows = meant(now.snapshot, now.rows);
    const [row] = rows;
    return row === undefined || rows.length > 1
      ? { target: text, matches: rows.length }
      : { target: text, element: factsOf(now.snapshot, row) };
  } catch (thrown) {
    if (!(thrown instanceof BackstepError) || thrown.code === "cancelled") throw thrown;
    // An application that is gone, or does not answer: the step itself says what is wrong with that.
    return { target: text };
  }
}
