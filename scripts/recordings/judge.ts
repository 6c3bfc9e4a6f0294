import type { Json } from "../../src/base/error.ts";
import { find, readSelector } from "../../src/desktop/selector/mod.ts";
import { MADE_UP } from "../../src/desktop/item.ts";
import type { Snapshot } from "../../src/desktop/snapshot.ts";
import type { ActionStep } from "../../src/record/output/model.ts";
import { SURE } from "../../src/record/output/write-yaml.ts";
import type { Plan } from "./plan.ts";
import type { Line } from "./stage.ts";

/** Low: the recording itself says that it is not sure. */
export type Verdict = "right" | "low" | "wrong";

/**
 * Are the steps of one act about the elements that the application's own account names, and about no others? `looks`: the trees
 * that the person looked at, in which selectors are looked up.
 */
export function judge(
  plan: Plan,
  lines: readonly Line[],
  steps: readonly ActionStep[],
  looks: readonly Snapshot[],
): Verdict {
  // GTK 4 takes what was typed into a spin button when that is left: by the next act.
  const own = lines.filter(({ of, what }) => what !== "value" || plan.uses.includes(of ?? ""));
  // What is pressed to open something may be chosen by that, as a row is by Qt.
  const reported = apart(own.flatMap(({ of }) => of ?? [])).filter((of) =>
    !plan.openers.includes(of) || plan.uses.includes(of)
  );
  // What was used a second time without an effect is not in the account.
  const wanted = plan.exact !== true && reported.length > 0 ? reported : plan.uses;
  if (steps.some(({ confidence = 1 }) => confidence < SURE)) return "low";
  const used = steps.filter(({ operation }) => operation !== "assert" && operation !== "wait").flatMap((
    step,
  ) => elementsOf(step).map((element) => namesOf(step, element, looks)));
  const left = used.filter((names) => !plan.openers.some((opener) => names.has(opener)));
  // What is waited for is what an act before it left.
  if (plan.idle === true && lines.length === 0 && used.length === 0) return "right";
  const apartLeft = left.filter((names, n) => n === 0 || !sameOne(names, left[n - 1]));
  // What is judged by its replay alone names no element.
  const same = wanted.length === 0 || apartLeft.length === wanted.length &&
      apartLeft.every((names, n) => names.has(wanted[n] ?? ""));
  return same && steps.length > 0 ? "right" : "wrong";
}

/** The elements that a step is about, as it says them: what it drags, and onto what. */
function elementsOf({ input }: ActionStep): Json[] {
  const ends = [input["from"], input["to"]].filter((end) => end !== undefined);
  const [first = null] = [input["target"], input["into"], input["keys"], input["title"]].filter((one) =>
    one !== undefined
  );
  return ends.length > 0 ? ends : [first];
}

/** What the element of a step is called: by its own name, or by what is in it. Of a choice in a box, what was chosen. */
function namesOf({ operation, input }: ActionStep, target: Json, looks: readonly Snapshot[]): Set<string> {
  if (typeof target !== "string") return new Set();
  if (target === input["keys"] || target === input["title"]) return new Set([target]);
  const names = new Set<string>();
  for (const tree of looks.toReversed()) {
    const { rows } = find(readSelector(target), tree);
    const [row, second] = rows;
    if (row === undefined || second !== undefined) continue;
    // GTK 4 makes up names of what only holds a label.
    const own = tree.name(row);
    if (own !== "" && !MADE_UP.test(own)) names.add(own);
    else for (let at = row; at < Math.min(tree.end(row), row + INSIDE); at++) names.add(tree.name(at));
    break;
  }
  const value = input["value"];
  return operation === "set" && typeof value === "string" && SIZES.has(value) ? new Set([value]) : names;
}

/** Rows of an element in which its label is. */
const INSIDE = 6;

/** What a box that drops down is called after by some toolkits. */
const SIZES: ReadonlySet<string> = new Set(["Small", "Medium", "Large"]);

function sameOne(a: ReadonlySet<string>, b: ReadonlySet<string> | undefined): boolean {
  return b !== undefined && a.size === b.size && [...a].every((name) => b.has(name));
}

/** Without repetitions that follow each other. */
function apart(names: readonly string[]): string[] {
  return names.filter((name, n) => name !== names[n - 1]);
}
