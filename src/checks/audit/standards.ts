import type { Rule } from "./rule.ts";

/** What can be asked for. Levels of WCAG 2.1 include the lower ones. */
export const standards = ["wcag_a", "wcag_aa", "wcag_aaa", "section508"] as const;
/** One of them. */
export type Standard = (typeof standards)[number];

const LEVELS: Readonly<Record<Exclude<Standard, "section508">, readonly string[]>> = {
  wcag_a: ["A"],
  wcag_aa: ["A", "AA"],
  wcag_aaa: ["A", "AA", "AAA"],
};

/** What is run: what the standards ask for, what WCAG 2.2 adds at their levels, and best practice. */
export function isAsked(rule: Rule, wanted: readonly Standard[]): boolean {
  const { criterion } = rule;
  if (criterion === undefined) return true;
  return wanted.some((standard) =>
    standard === "section508"
      ? criterion.level !== "AAA" && criterion.version === "2.0"
      : LEVELS[standard].includes(criterion.level)
  );
}

/**
 * Does it decide whether the standards are met? Best practice does not, nor what only WCAG 2.2 asks for. Section 508 takes
 * over WCAG 2.0 at A and AA (E207.2) and asks some things of its own (502.3).
 */
export function decides(rule: Rule, wanted: readonly Standard[]): boolean {
  const { criterion } = rule;
  if (wanted.includes("section508") && rule.section508.length > 0) return true;
  return criterion !== undefined && criterion.version !== "2.2" && isAsked(rule, wanted);
}
