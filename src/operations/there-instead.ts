import { describeRow } from "../desktop/describe.ts";
import { instead } from "../desktop/locator/mod.ts";
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

/** Characters of a hint: what matches may hold long texts. */
const MOST = 800;

/** What is there instead, as far as the look that is given read it: of a whole tree that is all. */
export function thereInstead(target: Target, now: Pick<Look, "snapshot" | "rows">): Instead {
  if (now.rows.length > 0) {
    const matches = shown(now);
    return { matches, near: [], hint: `It is ${matches.join("; ")}.`.slice(0, MOST) };
  }
  const { selector, strategy } = typeof target === "string"
    ? { selector: target, strategy: undefined }
    : target;
  const { snapshot } = now;
  const { near, hint } = instead({ read: readSelector(selector, strategy), snapshot, scope: -1 });
  return { matches: [], near: near.map((row) => describeRow(snapshot, row)), hint };
}
