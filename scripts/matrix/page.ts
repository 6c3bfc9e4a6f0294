import { type Count, count, isCommand, reported } from "./counts.ts";
import { readRecord, REASONS, type WorldRecord } from "./record.ts";
import { CONTROLS, toolkit, type ToolkitName, TOOLKITS } from "./toolkits.ts";
import { partOf } from "./tools.ts";

/** What the world column says of a tool. */
export function worldCell(
  tool: { readonly name: string; readonly looks: boolean },
  record: WorldRecord,
): string {
  const part = partOf(tool);
  return part === "rows" ? reported(count(({ by }) => by === tool.name, record)) : part;
}

/** The part of the page about real applications. */
export function worldSection(record = readRecord()): string {
  const all = count(() => true, record);
  const server = count(({ by }) => !isCommand(by), record);
  const commands = count(({ by }) => isCommand(by), record);
  return `## On real applications

\`deno task matrix\` tries every way to every control on real applications, which write down what they lose in their own handlers
(\`tests/fixtures/destructive\`). A cell is one way to one control of one toolkit under one rule: **no** (normal mode, and the person
says no), **safe** (nobody can be asked), **sandboxed**; for commands and workflow files safe and sandboxed, since in normal mode
they are their author's consent. In each cell the application must lose nothing. Each row has a twin where the act may happen, and
there the application must lose just that: a row whose twin shows nothing proves nothing, is not counted, and stands below.

Proved are **${all.proved}** cells of ${all.all}: ${server.proved} of ${server.all} over the server, ${commands.proved} of ${commands.all} by
commands and workflow files. \`tests/matrix_world_test.ts\` does a part of them in every run of the tests.

| control | ${TOOLKITS.join(" | ")} |
|---|${TOOLKITS.map(() => "---").join("|")}|
${
    CONTROLS.map((control) => {
      const cells = TOOLKITS.map((name) =>
        toolkit(name).lacks[control] === undefined
          ? reported(count((row, of) => of === name && row.control === control, record))
          : "none"
      );
      return `| ${control} | ${cells.join(" | ")} |`;
    }).join("\n")
  }

Not there in a toolkit: ${lacking()}.

### What was lost where it may not be

In the last run of these rows something was lost. They are faults, and are not counted.

${list((name) => record.toolkits[name]?.lost ?? [])}

### Where a yes is not enough

These are refused although a person says yes, since what would be hit is something else once the act is under way. Their twins are
done where nobody is asked (\`confirm_destructive = false\`).

${list((name) => record.toolkits[name]?.unheeded ?? [])}

### What proves nothing

${
    Object.entries(REASONS).map(([reason, why]) => {
      const of = (name: ToolkitName) =>
        Object.entries(record.toolkits[name]?.unproved ?? {}).find(([one]) => one === reason)?.[1] ?? [];
      return `${why[0]?.toUpperCase() ?? ""}${why.slice(1)}:\n\n${list(of)}`;
    }).join("\n\n")
  }
`;
}

/** Rows by toolkit. */
function list(of: (name: ToolkitName) => readonly string[]): string {
  const lines = TOOLKITS.filter((name) => of(name).length > 0).map((name) =>
    `- ${name}: ${of(name).map((id) => `\`${id}\``).join(", ")}`
  );
  return lines.length > 0 ? lines.join("\n") : "- none";
}

function lacking(): string {
  return TOOLKITS.flatMap((name) =>
    Object.entries(toolkit(name).lacks).map(([control, why]) => `${control} in ${name} (${why})`)
  ).join(", ");
}

/** The least that must be proved. */
export const LEAST: Count["proved"] = 300;
