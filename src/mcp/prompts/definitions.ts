import type { PromptDefinition } from "../server/prompt.ts";

/** The prompts as `prompts/list` tells them, apart from what builds them: that is loaded when one is asked for. */
export const DEFINITIONS = {
  testApp: {
    name: "test-app",
    title: "Test an application",
    description:
      "Tests an application step by step: connects, explores what it shows, uses its controls, asserts what is expected " +
      "and reports what was found.",
    arguments: [
      { name: "app_name", description: "Name of the application to test", required: true },
      {
        name: "focus_area",
        description: 'The part to test, such as "toolbar", "sidebar" or the title of a dialog',
        required: false,
      },
      {
        name: "include_a11y_audit",
        description: "Whether to audit its accessibility too: true or false",
        required: false,
      },
    ],
  },
  navigateTo: {
    name: "navigate-to",
    title: "Go to a screen",
    description:
      "Finds the way to a screen, a dialog or a state of an application, and checks that it was reached.",
    arguments: [
      { name: "app_name", description: "Name of the application", required: true },
      {
        name: "destination",
        description: 'Where to go, such as "Settings > General" or "File > New"',
        required: true,
      },
    ],
  },
  extractData: {
    name: "extract-data",
    title: "Extract data from an application",
    description:
      "Reads data out of a running application (values of elements, contents of tables, fields of forms) and hands it over " +
      "as JSON, CSV or Markdown.",
    arguments: [
      { name: "app_name", description: "Name of the application", required: true },
      { name: "data_description", description: "Which data to extract", required: true },
      { name: "output_format", description: "json, csv or markdown", required: false },
    ],
  },
  automateWorkflow: {
    name: "automate-workflow",
    title: "Automate a workflow",
    description:
      "Plans several steps in one or more applications and runs them as one transaction of ax_workflow, which undoes them " +
      "where one fails.",
    arguments: [
      { name: "workflow", description: "What is to be done, in plain words", required: true },
      { name: "apps", description: "Names of the applications, separated by commas", required: false },
      { name: "dry_run", description: "Whether to plan only and do nothing: true or false", required: false },
    ],
  },
  debugUi: {
    name: "debug-ui",
    title: "Debug an element",
    description:
      "Finds out why an element is not found: reads the tree, looks at the screen, tries other queries and says which one to use.",
    arguments: [
      { name: "app_name", description: "Name of the application", required: true },
      {
        name: "element_description",
        description: "The element that is meant, in plain words",
        required: true,
      },
      { name: "query_tried", description: "The query that failed", required: false },
    ],
  },
  accessibilityAudit: {
    name: "accessibility-audit",
    title: "Audit accessibility",
    description:
      "Audits an application for missing names and roles, keyboard use, contrast and the criteria of WCAG, window by window, and " +
      "reports what to mend first.",
    arguments: [
      { name: "app_name", description: "Name of the application", required: true },
      { name: "standard", description: "Level of WCAG: A, AA or AAA", required: false },
    ],
  },
  crossAppCopy: {
    name: "cross-app-copy",
    title: "Copy between applications",
    description:
      "Copies data from an element of one application to an element of another: finds both, carries the value over and checks that " +
      "it arrived.",
    arguments: [
      { name: "source_app", description: "Application to copy from", required: true },
      { name: "source_element", description: "What to copy", required: true },
      { name: "target_app", description: "Application to copy to", required: true },
      { name: "target_element", description: "Where to put it", required: true },
    ],
  },
} as const satisfies Readonly<Record<string, PromptDefinition>>;
