import type { Json } from "../../base/error.ts";
import type { AuditReport, Finding, Suppressed } from "./report.ts";
import type { Impact, Rule } from "./rule.ts";

/** A finding, without what only this process knows. */
export type SarifFinding = Omit<Finding, "row" | "wcag">;

/** What of a report is written. */
export interface SarifReport extends Pick<AuditReport, "passed" | "score" | "standards"> {
  readonly issues: readonly SarifFinding[];
  readonly incomplete: readonly SarifFinding[];
  readonly suppressed: readonly (SarifFinding & Pick<Suppressed, "reason">)[];
  readonly rules: readonly { readonly rule: string }[];
}

/** Who made the report, and of what. */
export interface SarifSource {
  /** "0.1.0". */
  readonly version: string;
  /** The application that was audited. */
  readonly application: string;
}

const LEVELS: Readonly<Record<Impact, "error" | "warning" | "note">> = {
  critical: "error",
  serious: "error",
  moderate: "warning",
  minor: "note",
};

/**
 * A report as SARIF 2.1.0 (OASIS), which GitHub and editors read: one result a finding, at a logical location, since an
 * element has no file. What cannot be known is of the kind "review", what somebody accepted is suppressed in place.
 */
export function toSarif(report: SarifReport, rules: readonly Rule[], source: SarifSource): Json {
  const used = rules.filter(({ id }) => report.rules.some(({ rule }) => rule === id));
  const indexOf = new Map(used.map(({ id }, k) => [id, k]));
  const result = (finding: SarifFinding, kind: "fail" | "review"): { readonly [key: string]: Json } => ({
    ruleId: finding.rule,
    ruleIndex: indexOf.get(finding.rule) ?? -1,
    kind,
    level: kind === "fail" ? LEVELS[finding.severity] : "none",
    message: { text: `${finding.description}. ${finding.suggestion}` },
    locations: [{
      logicalLocations: [{
        name: finding.element,
        fullyQualifiedName: `${source.application}: ${finding.element}`,
        kind: "element",
      }],
    }],
    properties: {
      impact: finding.severity,
      decides: finding.decides,
      ...(finding.rect === undefined ? {} : { rect: { ...finding.rect } }),
    },
  });
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{
      tool: {
        driver: {
          name: "Backstep audit",
          version: source.version,
          rules: used.map((rule) => ({
            id: rule.id,
            shortDescription: { text: rule.help },
            help: { text: rule.suggestion },
            defaultConfiguration: { level: LEVELS[rule.impact] },
            properties: {
              tags: [
                "accessibility",
                ...(rule.criterion === undefined
                  ? ["best-practice"]
                  : [`wcag${rule.criterion.version}`, `wcag-${rule.criterion.number}`, rule.criterion.level]),
                ...rule.section508.map((clause) => `section508-${clause}`),
              ],
            },
          })),
        },
      },
      automationDetails: { id: `backstep-audit/${source.application}` },
      results: [
        ...report.issues.map((finding) => result(finding, "fail")),
        ...report.incomplete.map((finding) => result(finding, "review")),
        ...report.suppressed.map((finding) => ({
          ...result(finding, "fail"),
          suppressions: [{ kind: "external", justification: finding.reason }],
        })),
      ],
      properties: { score: report.score, passed: report.passed, standards: [...report.standards] },
    }],
  };
}
