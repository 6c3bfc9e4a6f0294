import type { Json } from "../../../src/base/error.ts";
import { isMap } from "../../../src/base/json.ts";
import type { RollbackResult, RunEvent, StepResult } from "../../../src/contract/events.ts";
import { ACTIONS } from "../../histories/watched.ts";
import type { Played } from "../play.ts";
import { type Control, CONTROLS, type PlanStep, ROWS } from "../plan.ts";
import { controlsIn } from "../words.ts";

/** A false verdict: which law it breaks, and how. */
export interface Falsehood {
  readonly law:
    | "restored"
    | "named"
    | "held"
    | "fired"
    | "unseen"
    | "changed"
    | "exit"
    | "journal"
    | "ended"
    | "account";
  readonly why: string;
}

/** A step that was tried, with what the plan says of it and when it ran. */
export interface Tried {
  readonly step: StepResult;
  readonly plan: PlanStep | undefined;
  readonly from: number;
  readonly to: number;
}

/** One rollback, from where it goes back to until something else is done. */
export interface Scope {
  readonly path: string;
  readonly back: RollbackResult;
  /** When that to which it goes back was. */
  readonly base: number;
  readonly begun: number;
  readonly finished: number;
  /** When the first thing was done after it; that the run is over ends no promise. */
  readonly until: number;
  /** What was said afterwards of what it had restored, as text. */
  readonly afterwards: string;
}

/** Every step of a play that ended, tries of it as one. */
export function triedOf({ reported, plan }: Played): Tried[] {
  return reported.flatMap(({ event, at }, index): Tried[] => {
    if (event.event !== "step-finished") return [];
    const { step } = event;
    const began = reported.slice(0, index).findLast((one) =>
      one.event.event === "step-started" && one.event.path === step.path
    );
    return [{ step, plan: stepAt(plan.steps, step.path), from: began?.at ?? at, to: at }];
  });
}

/** The step of a plan at a path such as "2.1"; undefined for one that is not written there. */
function stepAt(steps: readonly PlanStep[], path: string): PlanStep | undefined {
  const [first = "", ...rest] = path.split(".");
  const step = steps[Number(first) - 1];
  if (step === undefined || rest.length === 0) return step;
  const held = step["transaction"];
  const inner = held !== undefined && isMap(held) ? held["steps"] : undefined;
  return Array.isArray(inner) ? stepAt(inner.filter(isMap), rest.join(".")) : undefined;
}

/** Every rollback of a play. */
export function scopesOf({ reported, calls }: Played): Scope[] {
  return reported.flatMap(({ event, at }, index): Scope[] => {
    if (event.event !== "rollback-finished") return [];
    const { path, rollback } = event;
    const before = reported.slice(0, index);
    const start = before.findLast((one) => one.event.event === "rollback-started" && one.event.path === path);
    const savepoint = start?.event.event === "rollback-started" ? start.event.savepoint : undefined;
    const base = before.slice(0, start ? before.indexOf(start) : index).findLast(({ event: one }) =>
      savepoint === undefined
        ? one.event === "transaction-started" && one.path === path
        : one.event === "savepoint" && one.name === savepoint
    ) ?? reported[0];
    const barrier = rollback.barrier && before.findLast(({ event: one }) =>
      one.event === "step-finished" && one.step.path === rollback.barrier?.path
    );
    // What lands until something else is done is the barrier's.
    const afterBarrier = barrier && calls.find(({ call, from }) =>
      ACTIONS.has(call) && from > barrier.at
    )?.from;
    const next = calls.find(({ call, from }) =>
      ACTIONS.has(call) && from > at
    );
    return [{
      path,
      back: rollback,
      base: Math.max(base?.at ?? 0, afterBarrier ?? barrier?.at ?? 0),
      begun: start?.at ?? at,
      finished: at,
      until: next?.from ?? Infinity,
      afterwards: reported.slice(index).flatMap(({ event: one }) => saidAfterwards(one, path)).join("\n"),
    }];
  });
}

function saidAfterwards(event: RunEvent, path: string): string[] {
  const name: string = event.event;
  const of = "path" in event ? event.path : undefined;
  return name === "changed-afterwards" && of === path ? [JSON.stringify(event)] : [];
}

/** What the run's result says changed afterwards, as text. */
export function changedAfterwards({ result }: Played): string {
  return Object.entries(result ?? {}).flatMap(([key, value]) =>
    key === "changed_afterwards" ? [JSON.stringify(value)] : []
  ).join("");
}

/** Controls whose names tell nothing in this play: they are called alike, or otherwise than they are. */
export function muddled({ plan }: Played): ReadonlySet<Control> {
  const blurs = plan.traits.some((one) =>
    one.trait === "lie" || (one.trait === "reorder" && one.what === "names")
  );
  return new Set<Control>(blurs ? ["alpha", "beta"] : []);
}

/** Is this control spoken of in a text of a result? */
export function speaksOf(text: string, key: string, play: Played): boolean {
  const blurred = muddled(play);
  const wanted = CONTROLS.filter((one) => one === key || (isIn(blurred, key) && blurred.has(one)));
  const lies = play.plan.traits.flatMap((one) => one.trait === "lie" && one.key === key ? [one.name] : []);
  // Each string of it is looked at on its own.
  return (text.match(/"(?:[^"\\]|\\.)*"/g) ?? [text]).some((one) => {
    const plain = one.replaceAll('\\"', '"').slice(1, -1);
    const spoken = controlsIn(plain);
    return wanted.some((control) => spoken.includes(control)) ||
      lies.some((name) => plain.includes(`"${name}"`));
  });
}

/** Can a name that a result gives be this control's or another's, since they change their names? */
export function isMuddled(key: string, play: Played): boolean {
  return isIn(muddled(play), key);
}

function isIn(set: ReadonlySet<Control>, key: string): boolean {
  return [...set].some((one) => one === key);
}

/** When a control was read last within a span; the first of the last reads that come close together, where none names it. */
export function lastRead(play: Played, key: string, from: number, to: number): number | undefined {
  const reads = play.calls.filter(({ call, from: at }) => call === "read" && at >= from && at <= to);
  const own = reads.findLast(({ about }) => controlsIn(`"${about}"`).some((one) => one === key));
  if (own && !isIn(muddled(play), key)) return own.from;
  let first = reads.at(-1);
  for (const read of reads.toReversed()) {
    if (first && first.from - read.to > 100) break;
    first = read;
  }
  return first?.from;
}

/** What a step aims at and means it to be; undefined where that cannot be told from the plan. */
export function aimOf(
  { plan }: Tried,
): { readonly key: Control; readonly is: (json: string) => boolean; readonly text: string } | undefined {
  if (plan === undefined) return undefined;
  const set = plan["set"];
  if (set !== undefined && isMap(set)) {
    const key = keyOf(set["target"]);
    if (key === undefined) return undefined;
    const value = key === "rows" ? [ROWS.findIndex((one) => one === set["value"])] : set["value"];
    const wanted = key === "colour" ? nameIn(set["target"]) : value;
    const text = JSON.stringify(wanted);
    return { key, is: (json) => json === text, text };
  }
  const typed = plan["type"];
  if (typed !== undefined && isMap(typed)) {
    const key = keyOf(typed["into"]);
    const text = String(typed["text"]);
    return key && { key, is: (json) => json.includes(text), text };
  }
  const click = plan["click"];
  const key = keyOf(click);
  if (key === "colour") {
    const text = JSON.stringify(nameIn(click));
    return { key, is: (json) => json === text, text };
  }
  return undefined;
}

/** The control that a selector finds. */
export function keyOf(target: Json | undefined): Control | undefined {
  const selector = target !== undefined && isMap(target) ? target["target"] : target;
  if (selector === "combobox") return "language";
  return typeof selector === "string" && selector.includes("[name=") && !selector.startsWith("button")
    ? controlsIn(selector)[0]
    : undefined;
}

function nameIn(target: Json | undefined): string {
  return /"(\w+)"/.exec(String(target))?.[1] ?? "";
}
