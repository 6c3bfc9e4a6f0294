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

\`deno run -A scripts/action-names.ts\` wrote this page, and \`tests/truth_actions_test.ts\` compares it with the real toolkits. The script performed each action of each element in the fixtures of \`tests/fixtures/truth\` once, and clicked with the left button at the same place. The last two columns are what the application itself logged for both, without changes of the focus.

*Taken for* is the meaning that Backstep gives to the action. Only \`click\` may replace a click: such an action sets off nothing that a click at that place does not set off. \`not tried\`: the action opens something that takes the keyboard, or is an item of the widget's context menu.
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
