import type { Measured } from "./measure.ts";
import type { ToolkitName } from "./stage.ts";

const TITLES: Readonly<Record<ToolkitName, string>> = {
  gtk3: "GTK 3",
  gtk4: "GTK 4.8",
  qt5: "Qt 5.15",
  qt6: "Qt 6.4",
  chromium: "Chromium",
};

const INTRODUCTION = `# What accessible actions do

Written by \`deno run -A scripts/action-names.ts\`, and held to the real toolkits by \`tests/truth_actions_test.ts\`. Each action of each thing in the
fixtures of \`tests/fixtures/truth\` was done once, and a left click made at the same place; the columns say what the application itself wrote down of
both, but for the focus. *Taken for* is what Backstep holds the action for: only \`click\` stands for a click. An action is taken for a click where it
sets off nothing that a click there does not. \`not tried\`: it opens what has the keyboard then, or is an item of the widget's context menu.
`;

/** A line of the table. */
export function lineOf({ role, on, action, meaning, did, clicked }: Measured): string {
  const of = (actions: readonly string[] | undefined, none: string) =>
    actions === undefined ? none : actions.length === 0 ? "nothing" : actions.join(", ");
  return `| ${role} | ${on} | \`${action}\` | ${meaning} | ${of(did, "not tried")} | ${
    of(clicked, "cannot be compared")
  } |`;
}

/** The section of a toolkit. */
export function sectionOf(toolkit: ToolkitName, measured: readonly Measured[]): string {
  return [
    `## ${TITLES[toolkit]}`,
    "",
    "| role | tried on | action | taken for | the action sets off | a click sets off |",
    "|---|---|---|---|---|---|",
    ...measured.map(lineOf),
    "",
  ].join("\n");
}

/** The whole page. */
export function pageOf(sections: readonly string[]): string {
  return [INTRODUCTION, ...sections].join("\n");
}
