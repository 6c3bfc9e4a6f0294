import { asList, asMap } from "../../base/json.ts";
import { defined } from "../../base/defined.ts";
import { defineTool } from "../tool.ts";
import { elementOrApp } from "../inputs.ts";
import { APP, AS_TASK, READS } from "../parts.ts";

/** Judges how accessible an application is. */
export const axA11yAudit = defineTool({
  name: "ax_a11y_audit",
  title: "Accessibility audit",
  description:
    "Judges an application, its window in front or an element by WCAG 2.1 and Section 508: names, roles, structure, " +
    "contrast measured from pixels. Lists each issue with what would mend it.",
  inputSchema: {
    type: "object",
    properties: {
      app: APP,
      scope: { type: "string", enum: ["full", "focused_window", "element"], default: "focused_window" },
      query: { type: "string", description: "The element, where the scope is one" },
      standards: {
        type: "array",
        items: { type: "string", enum: ["wcag_a", "wcag_aa", "wcag_aaa", "section508"] },
        default: ["wcag_aa"],
      },
    },
    required: ["app"],
  },
  outputSchema: {
    type: "object",
    properties: {
      passed: { type: "boolean" },
      score: { type: "number", description: "From 0 to 100" },
      issues: {
        type: "array",
        items: {
          type: "object",
          properties: {
            severity: { type: "string", enum: ["critical", "serious", "moderate", "minor"] },
            rule: { type: "string" },
            element: { type: "string" },
            description: { type: "string" },
            suggestion: { type: "string" },
            wcag: { type: "string", description: "The success criterion" },
          },
        },
      },
      summary: { type: "string" },
      elements: { type: "integer", description: "How many were judged" },
      incomplete: { type: "integer", description: "Findings that cannot be decided from outside" },
      cut: { type: "boolean", description: "There are more issues than are listed" },
    },
    required: ["passed", "issues"],
  },
  annotations: READS,
  execution: AS_TASK,
  toolset: "assert",
  ours: { output: ["issues[].wcag", "elements", "incomplete", "cut"] },
  traits: { sandboxed: true },
  step: {
    kind: "operation",
    operation: "audit",
    literal: ["scope"],
    // The tool answers whether it passed, and does not fail.
    toInput: ({ scope, standards, app, query }) =>
      defined({ scope, standards, ...elementOrApp("target", defined({ app, query })), must_pass: false }),
    toResult: (output) => {
      const { passed, score, issues, summary, elements, incomplete, truncated: cut } = asMap(output);
      return defined({
        passed,
        score,
        issues: asList(issues).map((issue) => {
          const { severity, rule, element, description, suggestion, wcag } = asMap(issue);
          return defined({ severity, rule, element, description, suggestion, wcag });
        }),
        summary,
        elements,
        incomplete: asList(incomplete).length,
        cut,
      });
    },
  },
});
