import type { ToolDefinition } from "../../tool.ts";
import { APP, AS_TASK, LOOKS, QUERY, REGION, WHICH } from "./parts.ts";

/** Tools that compare with what is expected. */
export const assert = {
  ax_assert: {
    name: "ax_assert",
    title: "Assert element state",
    description:
      "Compares an element with what it is expected to be, waiting shortly for that to come true, and lists what differs.",
    inputSchema: {
      type: "object",
      properties: {
        app: APP,
        query: QUERY,
        assertions: {
          type: "object",
          description:
            "What is expected: exists, enabled, focused, value, title, role, visible, contains_text",
          properties: {
            exists: { type: "boolean" },
            enabled: { type: "boolean" },
            focused: { type: "boolean" },
            value: { type: "string" },
            title: { type: "string" },
            role: { type: "string" },
            visible: { type: "boolean" },
            contains_text: { type: "string" },
          },
        },
        ...WHICH,
        timeout_ms: { type: "integer", description: "How long it may take to come true (default: 1000)" },
      },
      required: ["app", "query", "assertions"],
    },
    outputSchema: {
      type: "object",
      properties: {
        passed: { type: "boolean" },
        failures: {
          type: "array",
          items: {
            type: "object",
            properties: { property: { type: "string" }, expected: {}, actual: {} },
          },
        },
        count: { type: "integer", description: "How many elements match" },
      },
      required: ["passed"],
    },
    annotations: LOOKS,
  },
  ax_visual_diff: {
    name: "ax_visual_diff",
    title: "Visual regression diff",
    description:
      "Compares a picture of the application with a baseline: how many pixels differ, where, and a picture of the difference.",
    inputSchema: {
      type: "object",
      properties: {
        app: APP,
        baseline: { type: "string", description: "A PNG in base64, or the URI of a stored baseline" },
        threshold: { type: "number", description: "Per cent that may differ (default: 1.0)", default: 1 },
        ignore_regions: {
          type: "array",
          items: { type: "object", properties: REGION },
          description: "Parts that are not compared, such as clocks",
        },
        ignore_selectors: {
          type: "array",
          items: { type: "string" },
          description: "Elements that are not compared",
        },
        perceptual: {
          type: "boolean",
          description: "Compare as a person sees it instead of by exact colours",
        },
        query: { type: "string", description: "Compare only this element" },
        timeout_ms: { type: "integer", description: "How long it may take to match (default: 1000)" },
      },
      required: ["app", "baseline"],
    },
    outputSchema: {
      type: "object",
      properties: {
        passed: { type: "boolean" },
        diff_percentage: { type: "number" },
        diff_pixels: { type: "integer" },
        total_pixels: { type: "integer" },
        ignored_pixels: { type: "integer", description: "How many were not compared" },
        differences: {
          type: "array",
          items: { type: "object" },
          description: "Places that differ, the largest first, with the elements there",
        },
      },
      required: ["passed", "diff_percentage"],
    },
    annotations: LOOKS,
    execution: AS_TASK,
  },
  ax_a11y_audit: {
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
    annotations: LOOKS,
    execution: AS_TASK,
  },
} as const satisfies Readonly<Record<string, ToolDefinition>>;
