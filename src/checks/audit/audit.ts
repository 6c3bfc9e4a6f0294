import type { Snapshot } from "../../desktop/snapshot.ts";
import { Addresses } from "./address.ts";
import type { Picture } from "./picture.ts";
import type { AuditReport, Finding, RuleResult, Suppressed } from "./report.ts";
import { type Impact, impacts, type Rule, type Tell } from "./rule.ts";
import { rules as all } from "./rules/mod.ts";
import { Scene } from "./scene.ts";
import { scoreOf } from "./score.ts";
import { decides, isAsked, type Standard } from "./standards.ts";
import { type Suppression, Suppressions } from "./suppress.ts";
import type { Walk } from "./walk.ts";

/** How many issues of each severity are let pass; default: none. */
export type Allowance = { readonly [impact in Impact]?: number };

/** What to judge, and by what. */
export interface AuditOptions {
  /** Row whose subtree is judged; default: everything. */
  readonly root?: number;
  /** Default: wcag_aa. */
  readonly standards?: readonly Standard[];
  /** What the windows showed when the snapshot was taken; without them contrast is not judged. */
  readonly pictures?: readonly Picture[];
  /** Where the focus went; without it the keyboard is not judged. */
  readonly walk?: Walk;
  readonly suppress?: readonly Suppression[];
  readonly allow?: Allowance;
  /** Default: every rule there is. */
  readonly rules?: readonly Rule[];
  /** Hears what is checked next, for people: "labels", "contrast", "heading order". */
  readonly checking?: (what: string) => void;
}

/**
 * Judges a snapshot by every rule that the standards ask for. Pure: nothing is read and nothing is done. The snapshot should
 * have every field; relations, keys, text styles and rectangles make some rules more certain.
 *
 * @example
 * ```ts
 * import { buildSnapshot } from "../../desktop/build.ts";
 * import { audit } from "./audit.ts";
 * const snapshot = buildSnapshot(
 *   { role: "application", children: [{ role: "frame", name: "Editor", children: [{ role: "pushButton", actions: ["click"] }] }] },
 *   { bus: ":1.5", name: "editor", pid: 42, toolkit: "gtk", toolkitVersion: "3.24" },
 * );
 * const { passed, issues } = audit(snapshot);
 * if (passed || issues[0]?.rule !== "button-name" || issues[0].element !== "button") throw new Error();
 * ```
 */
export function audit(snapshot: Snapshot, options: AuditOptions = {}): AuditReport {
  const standards = options.standards ?? ["wcag_aa"];
  const rules = options.rules ?? all;
  const scene = new Scene(snapshot, options);
  const addresses = new Addresses(snapshot);
  const accepted = new Suppressions(options.suppress ?? [], snapshot, new Set(rules.map(({ id }) => id)));
  const issues: Finding[] = [], incomplete: Finding[] = [], suppressed: Suppressed[] = [];
  const results: (RuleResult & { readonly impact: Impact })[] = [];
  const notRun: { rule: string; lacks: string }[] = [];
  let reported = "";

  for (const rule of rules) {
    if (!isAsked(rule, standards)) continue;
    const lacks = lacking(rule, options);
    if (lacks !== undefined) {
      notRun.push({ rule: rule.id, lacks });
      continue;
    }
    const count = { passed: 0, failed: 0, incomplete: 0 };
    const found = (row: number, description: string): Finding => ({
      rule: rule.id,
      severity: rule.impact,
      row,
      element: addresses.of(row),
      description,
      suggestion: rule.suggestion,
      wcag: rule.criterion?.number,
      decides: decides(rule, standards),
      rect: snapshot.rect(row),
    });
    const tell: Tell = {
      pass: () => void count.passed++,
      fail: (row, description) => {
        const by = accepted.covering(rule.id, row);
        if (by !== undefined) return void suppressed.push({ ...found(row, description), reason: by.reason });
        count.failed++;
        issues.push(found(row, description));
      },
      unsure: (row, why) => {
        if (accepted.covering(rule.id, row) !== undefined) return;
        count.incomplete++;
        incomplete.push(found(row, why));
      },
    };
    const subject = subjectOf(rule.id);
    if (subject !== reported) options.checking?.(subject);
    reported = subject;
    rule.check(scene, tell);
    results.push({ rule: rule.id, impact: rule.impact, ...count });
  }

  issues.sort(worstFirst);
  incomplete.sort(worstFirst);
  const passed = isAllowed(issues, options.allow ?? {});
  const score = scoreOf(results);
  return {
    passed,
    score,
    standards,
    issues,
    incomplete,
    suppressed,
    unusedSuppressions: accepted.unused(),
    rules: results.map(({ impact: _, ...result }) => result),
    notRun,
    elements: scene.rows.length,
    summary: summaryOf(passed, score, scene.rows.length, issues, incomplete),
  };
}

/** What a rule is about, in the words of the published progress: "labels", "contrast"; else its own name. */
function subjectOf(id: string): string {
  if (id.startsWith("color-contrast")) return "contrast";
  return /label|name|alt/.test(id) ? "labels" : id.replaceAll("-", " ");
}

function lacking(rule: Rule, { pictures, walk }: AuditOptions): string | undefined {
  if (rule.needs === "pictures" && (pictures === undefined || pictures.length === 0)) {
    return "a picture of the window";
  }
  if (rule.needs === "keyboard" && walk === undefined) return "the keyboard walk, which is opt-in";
  return undefined;
}

function isAllowed(issues: readonly Finding[], allow: Allowance): boolean {
  return impacts.every((impact) =>
    issues.filter((issue) => issue.decides && issue.severity === impact).length <= (allow[impact] ?? 0)
  );
}

/** By severity, what decides before what does not, then by rule and place in the tree. */
function worstFirst(a: Finding, b: Finding): number {
  return impacts.indexOf(a.severity) - impacts.indexOf(b.severity) ||
    Number(b.decides) - Number(a.decides) || (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : a.row - b.row);
}

function summaryOf(
  passed: boolean,
  score: number,
  elements: number,
  issues: readonly Finding[],
  incomplete: readonly Finding[],
): string {
  const parts = impacts.map((impact) => ({ impact, n: issues.filter((i) => i.severity === impact).length }))
    .filter(({ n }) => n > 0).map(({ impact, n }) => `${n} ${impact}`);
  const found = parts.length === 0
    ? "no issues"
    : `${parts.join(", ")} issue${issues.length === 1 ? "" : "s"}`;
  const open = incomplete.length === 0 ? "" : `; ${incomplete.length} to be checked by a person`;
  return `${passed ? "Passed" : "Failed"}, score ${score}: ${found} on ${elements} elements${open}.`;
}
