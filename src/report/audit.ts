import { cut, pad, width, wrap } from "./layout.ts";
import { count, oneLine, type Style } from "./style.ts";

/** A finding, as the audit answers it. */
export interface ShownFinding {
  readonly severity: "critical" | "serious" | "moderate" | "minor";
  readonly rule: string;
  readonly element: string;
  readonly description: string;
  readonly suggestion: string;
  readonly wcag?: string | undefined;
  readonly decides: boolean;
}

/** An audit, as it is answered. */
export interface ShownAudit {
  readonly app: string;
  readonly passed: boolean;
  readonly score: number;
  readonly standards: readonly string[];
  readonly elements: number;
  readonly issues: readonly ShownFinding[];
  readonly incomplete: readonly ShownFinding[];
  readonly suppressed: readonly (ShownFinding & { readonly reason: string })[];
  readonly unused_suppressions: readonly { readonly rule: string; readonly selector: string }[];
  readonly not_run: readonly { readonly rule: string; readonly lacks: string }[];
  readonly truncated: boolean;
}

/** Findings of one rule that are shown; the rest is counted. */
const SHOWN = 10;
/** The same of what cannot be known. */
const FEW = 3;

/** An audit for people: its outcome, then the findings by rule, the worst first, then what nobody can know from outside. */
export function auditLines(audit: ShownAudit, style: Style, columns = 100): string[] {
  const verdict = audit.passed ? style.good("✓ passed") : style.bad("✗ failed");
  const standards = audit.standards.map((s) => s.replace("_", " ").toUpperCase()).join(", ");
  const lines = [
    `${style.bold(oneLine(audit.app))}  ${verdict}  score ${audit.score} of 100  ${
      style.dim(`${standards}, ${count(audit.elements, "element")}`)
    }`,
  ];
  for (const findings of byRule(audit.issues)) {
    lines.push("", ...ruleLines(findings, style, columns, SHOWN, marks(style)));
  }
  if (audit.incomplete.length > 0) {
    lines.push("", style.bold(`To be checked by a person: ${audit.incomplete.length}`));
    for (const findings of byRule(audit.incomplete)) {
      lines.push(...ruleLines(findings, style, columns, FEW, () => style.dim("?")));
    }
  }
  if (audit.suppressed.length > 0) {
    lines.push("", style.bold(`Accepted: ${audit.suppressed.length}`));
    for (const { rule, element, reason } of audit.suppressed.slice(0, SHOWN)) {
      lines.push(...hanging(`  ${rule}  ${oneLine(element)}: ${oneLine(reason)}`, 4, columns));
    }
  }
  for (const { rule, selector } of audit.unused_suppressions) {
    lines.push("", style.warn(`! a suppression of ${rule} covers nothing: ${oneLine(selector)}`));
  }
  const lacking = new Map<string, string[]>();
  for (const { rule, lacks } of audit.not_run) lacking.set(lacks, [...lacking.get(lacks) ?? [], rule]);
  if (lacking.size > 0) lines.push("");
  for (const [lacks, rules] of lacking) {
    lines.push(style.dim(`not judged without ${lacks}: ${rules.join(", ")}`));
  }
  if (audit.truncated) lines.push(style.dim("… more than is listed here; mend these first"));
  return lines;
}

function marks(style: Style): (finding: ShownFinding) => string {
  return ({ decides, severity }) =>
    !decides
      ? style.dim("·")
      : severity === "critical" || severity === "serious"
      ? style.bad("✗")
      : style.warn("✗");
}

/** Findings in the order they came, those of one rule together. */
function byRule(findings: readonly ShownFinding[]): ShownFinding[][] {
  const groups = new Map<string, ShownFinding[]>();
  for (const finding of findings) {
    const group = groups.get(finding.rule);
    if (group === undefined) groups.set(finding.rule, [finding]);
    else group.push(finding);
  }
  return [...groups.values()];
}

function ruleLines(
  findings: readonly ShownFinding[],
  style: Style,
  columns: number,
  most: number,
  mark: (finding: ShownFinding) => string,
): string[] {
  const [first] = findings;
  if (first === undefined) return [];
  const about = first.wcag === undefined ? "best practice" : `WCAG ${first.wcag}`;
  const advisory = first.decides || first.wcag === undefined ? "" : ", advisory";
  const shown = findings.slice(0, most);
  const head = `${mark(first)} ${style.bold(first.rule)}  ${first.severity}  ${
    style.dim(`${about}${advisory}, ${count(findings.length, "element")}`)
  }`;
  const named = shown.map((f) => ({ ...f, element: cut(oneLine(f.element), 44) }));
  const room = Math.min(44, Math.max(...named.map(({ element }) => width(element))));
  const lines = named.flatMap(({ element, description }) => {
    const [begin = "", ...rest] = wrap(oneLine(description), columns - room - 6);
    return [
      `    ${style.accent(pad(element, room))}  ${begin}`,
      ...rest.map((line) => `${" ".repeat(room + 6)}${line}`),
    ];
  });
  const more = findings.length > most ? [style.dim(`    … ${findings.length - most} more`)] : [];
  return [head, ...lines, ...more, ...hanging(`  → ${first.suggestion}`, 4, columns).map(style.dim)];
}

function hanging(text: string, by: number, columns: number): string[] {
  const margin = /^ */.exec(text)?.[0] ?? "";
  const [begin = "", ...rest] = wrap(text.trimStart(), columns - by);
  return [`${margin}${begin}`, ...rest.map((line) => `${" ".repeat(by)}${line}`)];
}
