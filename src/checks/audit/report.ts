import type { Rect } from "../../desktop/desktop.ts";
import type { Impact } from "./rule.ts";
import type { Standard } from "./standards.ts";
import type { Suppression } from "./suppress.ts";

/** Something that is not as it should be, or that cannot be known. */
export interface Finding {
  /** Id of the rule. */
  readonly rule: string;
  readonly severity: Impact;
  /** Row of the snapshot. */
  readonly row: number;
  /** A selector that finds this element and no other. */
  readonly element: string;
  /** What is wrong with it, or why that is not known. */
  readonly description: string;
  readonly suggestion: string;
  /** Number of the success criterion; undefined: best practice. */
  readonly wcag: string | undefined;
  /** Does it decide whether the standards are met? */
  readonly decides: boolean;
  /** Where it lies, in screen pixels. */
  readonly rect: Rect | undefined;
}

/** A finding that somebody has accepted. */
export interface Suppressed extends Finding {
  readonly reason: string;
}

/** What one rule judged. */
export interface RuleResult {
  readonly rule: string;
  readonly passed: number;
  readonly failed: number;
  readonly incomplete: number;
}

/** What an audit came to. */
export interface AuditReport {
  /** Nothing that decides about the standards failed, beyond what is allowed. */
  readonly passed: boolean;
  /** 0 to 100: see `scoreOf`. */
  readonly score: number;
  readonly standards: readonly Standard[];
  /** Worst first. */
  readonly issues: readonly Finding[];
  /** What cannot be known; never a failure. */
  readonly incomplete: readonly Finding[];
  readonly suppressed: readonly Suppressed[];
  readonly unusedSuppressions: readonly Suppression[];
  /** Of every rule that was run. */
  readonly rules: readonly RuleResult[];
  /** Rules that were asked for and could not be run, and what they lack. */
  readonly notRun: readonly { readonly rule: string; readonly lacks: string }[];
  /** How many elements were judged. */
  readonly elements: number;
  /** In one sentence. */
  readonly summary: string;
}
