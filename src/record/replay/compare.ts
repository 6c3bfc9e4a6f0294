import type { Json } from "../../base/error.ts";
import { equalJson } from "../../contract/participant.ts";
import type { ElementFacts, KeptRun, StepFacts } from "./facts.ts";

/** One thing that is not as it was recorded. */
export interface Drift {
  /** "2", "before.1": the step. */
  readonly path: string;
  /** For people. */
  readonly name: string;
  /** `elsewhere`: found at another place; `slower`; `different`: it looks different; `steps`: the file has other steps. */
  readonly kind: "elsewhere" | "slower" | "different" | "steps";
  /** "place", "tree", "duration_ms", "name", "role", "states", "value", "matches", "status", "step". */
  readonly property: string;
  /** Null: it was not there. */
  readonly recorded: Json;
  /** Null: it is not there. */
  readonly found: Json;
  /** What would still have been no drift: pixels, or milliseconds. */
  readonly bound?: number;
}

/** What a replay came to beside its recording. */
export interface DriftReport {
  /** The file with the recording. */
  readonly against: string;
  /** The workflow file is not as it was when it was recorded. */
  readonly edited: boolean;
  /** Steps that were compared. */
  readonly compared: number;
  /** In the order of the steps. */
  readonly drift: readonly Drift[];
}

/** Pixels that an element may lie beside where it was. */
export const PIXELS = 8;
/** Times as long, and milliseconds more, that a step may take. */
const TIMES = 3;
const MORE = 1_000;

/** The longest time that a step may take which took so long: three times that, and at least a second more. */
export function boundOf(milliseconds: number): number {
  return Math.max(TIMES * milliseconds, milliseconds + MORE);
}

/** What the one that is compared with tells. */
export interface Compared {
  /** Where elements were found, and how many; default true. A run's evidence tells it not, and cuts long texts. */
  readonly places?: boolean;
}

/** What is otherwise in one run than in the kept one, step by step. */
export function compareRuns(
  recorded: KeptRun,
  found: KeptRun,
  against: string,
  { places = true }: Compared = {},
): DriftReport {
  const before = new Map(recorded.steps.map((step) => [step.path, step]));
  const drift: Drift[] = [];
  let compared = 0;
  for (const step of found.steps) {
    const existing = before.get(step.path);
    before.delete(step.path);
    if (existing === undefined || !isSameStep(existing, step)) {
      drift.push({
        ...of(step),
        kind: "steps",
        property: "step",
        recorded: wordsOf(existing),
        found: wordsOf(step),
      });
      continue;
    }
    compared++;
    drift.push(...driftOf(existing, step, places));
  }
  for (const step of before.values()) {
    drift.push({ ...of(step), kind: "steps", property: "step", recorded: wordsOf(step), found: null });
  }
  return { against, edited: recorded.source !== found.source, compared, drift };
}

function of({ path, name }: StepFacts): Pick<Drift, "path" | "name"> {
  return { path, name };
}

/** What a step does, in words; null: there is none. */
function wordsOf(step: StepFacts | undefined): Json {
  if (step === undefined) return null;
  return step.target === undefined ? step.operation : `${step.operation} ${step.target}`;
}

/** A step that failed may not have come as far as its target. */
function isSameStep(a: StepFacts, b: StepFacts): boolean {
  const both = a.target !== undefined && b.target !== undefined;
  return a.operation === b.operation && (!both || a.target === b.target);
}

function driftOf(recorded: StepFacts, found: StepFacts, places: boolean): Drift[] {
  const drift: Drift[] = [];
  const add = (kind: Drift["kind"], property: string, before: Json, now: Json, bound?: number) =>
    drift.push({
      ...of(found),
      kind,
      property,
      recorded: before,
      found: now,
      ...(bound === undefined ? {} : { bound }),
    });
  if (recorded.status !== found.status) add("different", "status", recorded.status, found.status);
  const bound = boundOf(recorded.duration_ms);
  if (found.duration_ms > bound) add("slower", "duration_ms", recorded.duration_ms, found.duration_ms, bound);
  if (places && recorded.matches !== found.matches) {
    add("different", "matches", recorded.matches ?? 1, found.matches ?? 1);
  }
  const { element: before } = recorded;
  const { element: now } = found;
  if (before === undefined || now === undefined) return drift;
  if (places && isMoved(before, now)) {
    add("elsewhere", "place", before.place ?? null, now.place ?? null, PIXELS);
  }
  if (places && before.tree !== now.tree) add("elsewhere", "tree", before.tree, now.tree);
  for (const property of ["role", "name", "states", "value"] as const) {
    if (equalJson(before[property] ?? null, now[property] ?? null)) continue;
    if (!places && isUntold(before[property])) continue;
    add("different", property, before[property] ?? null, now[property] ?? null);
  }
  return drift;
}

/** A line of a tree does not tell everything that an element holds, and long texts not to their end. */
function isUntold(value: Json | undefined): boolean {
  return value === undefined || typeof value === "string" && value.endsWith("…");
}

function isMoved({ place: a }: ElementFacts, { place: b }: ElementFacts): boolean {
  if (a === undefined || b === undefined) return a !== b;
  return Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y)) > PIXELS;
}
