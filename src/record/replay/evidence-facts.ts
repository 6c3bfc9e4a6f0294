import { BackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { SeenStep } from "../../engine/evidence/pack.ts";
import { readEvidence } from "../../engine/evidence/read.ts";
import { findRun } from "../../engine/journal/runs.ts";
import type { ElementFacts, KeptRun, StepFacts } from "./facts.ts";

/** What the evidence of a run tells, as a recording. */
export interface RunFacts {
  readonly kept: KeptRun;
  /** Digest of the workflow that it ran. */
  readonly digest: string;
}

/** An element as one line of a tree. */
type LineFacts = Pick<ElementFacts, "role" | "name" | "states" | "value">;

/**
 * What was kept of a run that looked at each step (`--evidence on`): how each ended and how long it took, and role, name,
 * states and content of the element it acted on. Trees as lines tell no places. Throws `not_found` for no such run, and
 * `usage` for one that kept nothing.
 */
export function factsOfRun(state: string, run: string): RunFacts {
  findRun(state, run);
  const { records, evidence, missing } = readEvidence(state, run);
  const [head] = records;
  if (head?.kind !== "run" || evidence === undefined) {
    throw new BackstepError("usage", `Cannot compare with run ${run}: ${missing ?? "it kept no evidence"}`, {
      hint: "A run keeps it with: backstep run FILE --evidence on",
    });
  }
  // A step that was tried again in its transaction is there again: the last time counts.
  const last = new Map(evidence.steps.map((step) => [step.path, step] as const));
  const steps = [...last.values()].map((step) => factsOf(step, evidence.trees));
  const kept = {
    version: 1 as const,
    workflow: head.workflow,
    source: "",
    desktop: head.desktop.kind,
    steps,
  };
  return { kept, digest: head.digest };
}

function factsOf(step: SeenStep, trees: readonly (readonly string[])[]): StepFacts {
  const { path, name, operation, duration_ms, error } = step;
  const element = elementOf(step, trees);
  return {
    path,
    name,
    operation,
    status: error === undefined ? "passed" : "failed",
    duration_ms,
    ...(element === undefined ? {} : { element: { ...element, tree: "" } }),
  };
}

/** The element acted on, as it was afterwards where it is found there. */
function elementOf({ evidence }: SeenStep, trees: readonly (readonly string[])[]): LineFacts | undefined {
  const { action, after, line = -1 } = evidence;
  const before = lineFacts(treeOf(trees, action?.tree)[line]);
  if (before === undefined) return undefined;
  const later = treeOf(trees, after?.tree);
  const same = (text: string | undefined) => {
    const facts = lineFacts(text);
    return facts?.role === before.role && facts.name === before.name ? facts : undefined;
  };
  const there = same(later[line]);
  if (there !== undefined) return there;
  const [only, second] = later.flatMap((text) => same(text) ?? []);
  const { value: _, ...bare } = before;
  return second === undefined ? only ?? bare : bare;
}

function treeOf(trees: readonly (readonly string[])[], number: number | undefined): readonly string[] {
  return number === undefined ? [] : trees[number] ?? [];
}

/** `button "Save" [focused]: 50`, read back; undefined: it is masked, or no element. */
export function lineFacts(line: string | undefined): LineFacts | undefined {
  const found = /^ *([a-z]+)(?: "((?:[^"\\]|\\.)*)")?(?: \[([^\]]*)\])?(?:: (.*))?$/.exec(line ?? "");
  if (found === null) return undefined;
  const [, role = "", name = "", states = "", shown] = found;
  const value = shown === undefined ? undefined : valueIn(shown);
  return {
    role,
    name: unquoted(name),
    states: states.split(" ").filter((state) => state !== "" && state !== "focused" && state !== "active"),
    ...defined({ value }),
  };
}

function valueIn(shown: string): string | number | undefined {
  const [, text] = /^"((?:[^"\\]|\\.)*)"$/.exec(shown) ?? [];
  if (text !== undefined) return unquoted(text);
  return shown === "" || Number.isNaN(Number(shown)) ? undefined : Number(shown);
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

function unquoted(text: string): string {
  return text.replace(
    /\\(?:u\{([0-9a-f]+)\}|(.))/g,
    (_, code: string | undefined, one = "") =>
      code === undefined ? ESCAPES[one] ?? one : String.fromCodePoint(parseInt(code, 16)),
  );
}
