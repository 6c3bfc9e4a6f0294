import { describeRow } from "../desktop/describe.ts";
import { nearest } from "../desktop/locator/mod.ts";
import { readSelector } from "../desktop/selector/mod.ts";
import { shown } from "./observe.ts";
import type { Look, Target } from "./target.ts";

/** What is there instead of what was waited for. */
export interface Instead {
  /** What matched, at most five. */
  readonly matches: readonly string[];
  /** Where nothing matched: what is like it, or else what there is of its role. */
  readonly near: readonly string[];
  /** The same as a sentence or two. */
  readonly hint: string;
}

/** What is there instead, as far as the look that is given read it: of a whole tree that is all. */
export function thereInstead(target: Target, now: Look): Instead {
  const matches = shown(now);
  const near = now.rows.length === 0 ? nearRows(target, now) : [];
  const hint = near.length > 0
    ? `There is ${near.join(", ")}. \`tree\` shows all.`
    : matches.length > 0
    ? `It is ${matches.join("; ")}.`
    : "`tree` shows what is there.";
  return { matches, near, hint: hint.slice(0, 800) };
}

function nearRows(target: Target, { snapshot }: Look): string[] {
  const { selector, strategy } = typeof target === "string"
    ? { selector: target, strategy: undefined }
    : target;
  const rows = nearest({ read: readSelector(selector, strategy), snapshot, scope: -1 });
  return rows.map((row) => describeRow(snapshot, row));
}
