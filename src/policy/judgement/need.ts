import type { SecurityMode } from "../security.ts";
import type { Hit } from "./hit.ts";

/**
 * What has to come before a hit: "nothing"; "word": a person's word for it; "review": a person reads the whole of it;
 * "refusal": nothing lets it happen.
 */
export type Need = "nothing" | "word" | "review" | "refusal";

const NEEDS: Readonly<Record<SecurityMode, Readonly<Record<Hit["kind"], Need>>>> = {
  normal: { harmless: "nothing", destructive: "word", unknown: "word", program: "nothing", script: "review" },
  safe: { harmless: "nothing", destructive: "word", unknown: "word", program: "word", script: "refusal" },
  sandboxed: {
    harmless: "refusal",
    destructive: "refusal",
    unknown: "refusal",
    program: "refusal",
    script: "refusal",
  },
};

/**
 * The one rule: what a hit needs in a mode. Each interface asks it, and says in its own words what came of that.
 *
 * @example
 * ```ts
 * import { needOf } from "./need.ts";
 * if (needOf({ kind: "program" }, "normal") !== "nothing") throw new Error();
 * if (needOf({ kind: "program" }, "safe") !== "word") throw new Error();
 * ```
 */
export function needOf({ kind }: Pick<Hit, "kind">, mode: SecurityMode): Need {
  return NEEDS[mode][kind];
}
