import { z } from "zod";
import { BackstepError } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import { audit as judge } from "../checks/audit/audit.ts";
import type { AuditReport, Finding } from "../checks/audit/report.ts";
import { impacts } from "../checks/audit/rule.ts";
import { standards } from "../checks/audit/standards.ts";
import { defineOperation } from "../contract/operation.ts";
import { READS } from "../contract/effect.ts";
import type { Application, ElementRef, SnapshotField } from "../desktop/desktop.ts";
import { focusOf } from "../participants/focus.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { rowHas } from "../desktop/state-words.ts";
import { applicationFor } from "./application.ts";
import { picturesOf } from "./audit-pictures.ts";
import { walkKeyboard } from "./audit-walk.ts";
import { locate, Target, targetText } from "./target.ts";

/** Findings listed of each kind. */
const LISTED = 500;
/** Characters of a text read: contrast is told by less. */
const TEXT = 300;
/** What of each element the rules ask for. */
export const AUDIT_FIELDS: readonly SnapshotField[] = [
  "extents",
  "text",
  "value",
  "id",
  "actions",
  "attributes",
  "relations",
  "keys",
  "textRect",
  "caret",
  "textStyle",
];

/** What part of an application is judged. */
export const scopes = ["full", "focused_window", "element"] as const;

const count = z.int().min(0).max(100_000);
const Issue = z.strictObject({
  severity: z.enum(impacts),
  rule: z.string(),
  element: z.string().describe("A selector that finds it, and nothing else."),
  description: z.string(),
  suggestion: z.string(),
  wcag: z.string().optional().describe("The success criterion; absent: best practice."),
  decides: z.boolean().describe("It keeps the standards from being met."),
  position: z.tuple([z.int(), z.int()]).optional().describe("[x, y] in screen pixels."),
  size: z.tuple([z.int(), z.int()]).optional().describe("[width, height]."),
});
const Suppression = z.strictObject({
  rule: z.string().min(1).describe('Id of the rule; "*" for all.'),
  selector: z.string().min(1).max(4_000).describe("The elements, with what they hold."),
  reason: z.string().min(1).max(1_000),
});

/** What the audit answers. */
export const AuditOutput = z.strictObject({
  passed: z.boolean(),
  score: z.int().min(0).max(100),
  issues: z.array(Issue).describe("Worst first."),
  summary: z.string(),
  app: z.string(),
  standards: z.array(z.enum(standards)),
  elements: z.int().describe("The number of elements that were checked."),
  incomplete: z.array(Issue).describe("Inconclusive results; they never count as failures."),
  suppressed: z.array(Issue.extend({ reason: z.string() })),
  unused_suppressions: z.array(Suppression),
  rules: z.array(z.strictObject({ rule: z.string(), passed: count, failed: count, incomplete: count })),
  not_run: z.array(z.strictObject({ rule: z.string(), lacks: z.string() })),
  truncated: z.boolean().describe(`More than ${LISTED} findings of a kind; only the first are listed.`),
});
export type AuditOutput = z.infer<typeof AuditOutput>;

/** What is judged. */
interface Subject {
  readonly application: Application;
  readonly element: ElementRef | undefined;
}

/** Judges how accessible an application is. */
export const audit = defineOperation({
  name: "audit",
  title: "Check the accessibility of an application",
  description:
    "Checks an application, its active window, or an element against WCAG 2.1 and Section 508: names, " +
    "labels, roles, tables, contrast measured in pixels, and with `keyboard` whether Tab reaches and " +
    "leaves everything. Fails unless the audit passes.",
  input: z.strictObject({
    app: z.string().min(1).optional().describe("The application."),
    scope: z.enum(scopes).optional().describe(
      "Which part of the application; default focused_window, or element if a target is given.",
    ),
    target: Target.optional().describe("The element, for the scope element."),
    standards: z.array(z.enum(standards)).min(1).optional().describe(
      "Default wcag_aa. Levels include the lower ones.",
    ),
    keyboard: z.boolean().optional().describe(
      "Also press Tab through the window; this moves the focus. Default false.",
    ),
    allow: z.partialRecord(z.enum(impacts), count).optional()
      .describe("How many issues of a severity are allowed: { moderate: 2 }."),
    suppress: z.array(Suppression).max(1_000).optional().describe("Accepted findings, with reasons."),
    must_pass: z.boolean().optional().describe("Fail unless it passes. Default true."),
  }).superRefine((value, issues) => {
    if (value.scope === "element" && value.target === undefined) {
      issues.addIssue({ code: "custom", path: ["target"], message: "Scope `element` needs a `target`" });
    }
    if (value.target !== undefined && value.scope !== undefined && value.scope !== "element") {
      issues.addIssue({
        code: "custom",
        path: ["target"],
        message: `Scope \`${value.scope}\` takes no \`target\``,
      });
    }
  }),
  output: AuditOutput,
  hints: READS,
  timeout: 60_000,
  views: { yaml: { verb: "audit", scalar: (app) => ({ app: String(app) }) } },
  async resolve(context, input): Promise<Subject> {
    if (input.target !== undefined) return await locate(context, input.target, "attached");
    return { application: await applicationFor(context, input.app), element: undefined };
  },
  effect: (input) => input.keyboard === true ? "restorable" : "read",
  protects: (input, { application }) => input.keyboard === true ? [focusOf({ application })] : [],
  subject: (input, { application }) =>
    input.target === undefined ? application.name : `${targetText(input.target)} of ${application.name}`,
  async act(context, input, { application, element }) {
    const { desktop, deadline } = context;
    const snapshot = await desktop.snapshot(application, {
      ...deadline.call(),
      fields: AUDIT_FIELDS,
      maxText: TEXT,
    });
    const root = await rootOf(
      snapshot,
      input.scope ?? "focused_window",
      element,
      () => desktop.windows(deadline.call()),
    );
    const windows = root === 0 ? snapshot.children(0) : [windowRow(snapshot, root)];
    const pictures = await picturesOf(desktop, snapshot, windows, deadline.call());
    const walk = input.keyboard === true
      ? await walkKeyboard(desktop, application, snapshot, deadline)
      : undefined;
    context.progress(`Scanning elements (${snapshot.end(root) - root}/${snapshot.size})`);
    const report = judge(snapshot, {
      root,
      pictures,
      checking: (what) => context.progress(`Checking ${what}`),
      ...defined({ walk, standards: input.standards, suppress: input.suppress }),
      ...(input.allow === undefined ? {} : { allow: allowed(input.allow) }),
    });
    if (!report.passed && input.must_pass !== false) throw failure(application, report);
    return outputOf(application, report);
  },
});

/** Undefined is no number of issues. */
function allowed(allow: { readonly [impact in (typeof impacts)[number]]?: number | undefined }) {
  return Object.fromEntries(Object.entries(allow).filter(([, n]) => n !== undefined));
}

/** The row that the scope means. The window in front is the active one, else the one that the desktop has in front. */
async function rootOf(
  snapshot: Snapshot,
  scope: (typeof scopes)[number],
  element: ElementRef | undefined,
  windows: () => Promise<
    readonly { readonly pid: number; readonly title: string; readonly active: boolean }[]
  >,
): Promise<number> {
  if (element !== undefined) {
    const row = snapshot.rowOf(element);
    if (row >= 0) return row;
    throw new BackstepError("stale", "Cannot audit the element: it is gone");
  }
  if (scope === "full") return 0;
  const toplevels = snapshot.children(0).filter((row) => rowHas(snapshot, row, "visible"));
  const active = toplevels.filter((row) => snapshot.has(row, "active"));
  if (active.length === 1) return active[0] ?? 0;
  if (toplevels.length === 1) return toplevels[0] ?? 0;
  const { pid } = snapshot.origin.application;
  const own = (await windows()).filter((w) => w.pid === pid);
  const front = own.find((w) => w.active) ?? own.at(-1);
  const titled = toplevels.filter((row) => snapshot.name(row) === front?.title);
  return (titled.length === 1 ? titled[0] : undefined) ?? toplevels.at(-1) ?? 0;
}

function windowRow(snapshot: Snapshot, row: number): number {
  let at = row;
  for (let up = snapshot.parent(at); up > 0; up = snapshot.parent(up)) at = up;
  return at;
}

function issueOf(finding: Finding): z.infer<typeof Issue> {
  const { severity, rule, element, description, suggestion, wcag, decides, rect } = finding;
  return {
    severity,
    rule,
    element,
    description,
    suggestion,
    ...defined({ wcag }),
    decides,
    ...(rect === undefined ? {} : { position: [rect.x, rect.y], size: [rect.width, rect.height] }),
  };
}

function outputOf(application: Application, report: AuditReport): AuditOutput {
  const { issues, incomplete, suppressed } = report;
  return {
    passed: report.passed,
    score: report.score,
    issues: issues.slice(0, LISTED).map(issueOf),
    summary: report.summary,
    app: application.name,
    standards: [...report.standards],
    elements: report.elements,
    incomplete: incomplete.slice(0, LISTED).map(issueOf),
    suppressed: suppressed.slice(0, LISTED).map((s) => ({ ...issueOf(s), reason: s.reason })),
    unused_suppressions: report.unusedSuppressions.map((s) => ({ ...s })),
    rules: report.rules.map((r) => ({ ...r })),
    not_run: report.notRun.map((r) => ({ ...r })),
    truncated: Math.max(issues.length, incomplete.length, suppressed.length) > LISTED,
  };
}

function failure(application: Application, report: AuditReport): BackstepError {
  const deciding = report.issues.filter(({ decides }) => decides);
  const first = deciding.slice(0, 5).map((f) => `${f.element}: ${f.description} (${f.rule})`);
  const more = deciding.length > first.length ? `; ${deciding.length - first.length} more` : "";
  return new BackstepError(
    "assertion",
    `Cannot pass the audit of ${application.name}: ${first.join("; ")}${more}`.slice(0, 1_500),
    {
      hint: "`backstep audit` lists everything. Use `suppress` or `allow` for accepted findings.",
      details: {
        score: report.score,
        summary: report.summary,
        issues: deciding.slice(0, 50).map((finding) => {
          const { position, size, wcag } = issueOf(finding);
          return {
            rule: finding.rule,
            severity: finding.severity,
            element: finding.element,
            description: finding.description.slice(0, 300),
            ...defined({ wcag }),
            ...(position && size ? { position: [...position], size: [...size] } : {}),
          };
        }),
      },
    },
  );
}
