import { defined } from "../../base/defined.ts";
import { cut, describeAncestors } from "../describe.ts";
import type { Condition, Path, Step } from "../selector/ast.ts";
import { match } from "../selector/match.ts";
import { printSelector } from "../selector/print.ts";
import type { Snapshot } from "../snapshot.ts";

/** Attributes that change while an element is used: what it holds. */
const HELD: ReadonlySet<string> = new Set(["value", "text"]);

/** Does it say which element is meant, and not how it is at the time, nor how it stands by others? */
function isNaming(condition: Condition): boolean {
  if (condition.kind === "attribute" || condition.kind === "present") return !HELD.has(condition.name);
  return condition.kind === "type" || condition.kind === "hasText";
}

/** The first part of a query with which nothing matches any more. */
export interface FailingPart {
  /** For a person. */
  readonly hint: string;
  /** An element that the query names, of which there is none. */
  readonly missing?: Step;
  /** The row that it should be inside of. */
  readonly inside?: number;
}

/**
 * Which part of a query nothing matches: an ancestor, what should be inside of it, or a condition beside the name. Undefined
 * where it is only the name of what is looked for.
 *
 * @example
 * ```ts
 * import { buildSnapshot } from "../build.ts";
 * import { parseSelector } from "../selector/parse.ts";
 * import { failingPart } from "./part-hint.ts";
 * const snapshot = buildSnapshot(
 *   { role: "frame", children: [{ role: "pushButton", name: "Save" }] },
 *   { bus: ":1.5", name: "editor", pid: 42, toolkit: "gtk", toolkitVersion: "3.24" },
 * );
 * const [path] = parseSelector("dialog button").paths;
 * if (path === undefined || failingPart(path, snapshot, -1)?.hint !== "Nothing matches dialog.") throw new Error();
 * ```
 */
export function failingPart({ steps }: Path, snapshot: Snapshot, scope: number): FailingPart | undefined {
  const found = (path: readonly Step[]) => match({ paths: [{ steps: path }] }, snapshot, { scope });
  let before: readonly Step[] = [];
  for (const [k, step] of steps.entries()) {
    for (const conditions of growing(step.conditions)) {
      const now = [...steps.slice(0, k), { ...step, conditions }];
      if (found(now).length > 0) {
        before = now;
        continue;
      }
      if (before.length === 0) {
        return steps.length === 1 ? undefined : { hint: `Nothing matches ${written(now)}.`, missing: step };
      }
      const outer = found(before);
      const matches = `${written(before)} matches ${outer.length}`;
      const last = conditions.at(-1);
      if (before.length === now.length) {
        if (last === undefined) return undefined;
        return { hint: `${matches}; with ${written([{ ...step, conditions: [last] }])} nothing does.` };
      }
      const alone: readonly Step[] = [{ combinator: "descendant", conditions }];
      const [first, ...more] = found(alone);
      const inside = step.combinator === "child" ? "has such a child" : "has that inside";
      const elsewhere = first === undefined
        ? ""
        : ` ${written(alone)} alone matches ${more.length + 1}${more.length > 0 ? ", the first" : ""} in ${
          describeAncestors(snapshot, first)
        }.`;
      return {
        hint: `${matches}, and none ${inside}: ${written(alone)}.${elsewhere}`,
        ...(first === undefined ? { missing: step, ...defined({ inside: outer[0] }) } : {}),
      };
    }
  }
  return undefined;
}

/** What names an element at once, then one condition more each time. */
function* growing(conditions: readonly Condition[]): Generator<readonly Condition[]> {
  const others = conditions.findIndex((one) => !isNaming(one));
  const named = others < 0 ? conditions.length : others;
  for (let many = named; many <= conditions.length; many++) {
    if (many > 0 || conditions.length === 0) yield conditions.slice(0, many);
  }
}

function written(steps: readonly Step[]): string {
  return cut(printSelector({ paths: [{ steps }] }), 200);
}
