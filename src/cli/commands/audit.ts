import { readFileSync } from "node:fs";
import { z } from "zod";
import { BackstepError, type Json } from "../../base/error.ts";
import { impacts } from "../../checks/audit/rule.ts";
import type { SarifFinding } from "../../checks/audit/sarif.ts";
import { standards } from "../../checks/audit/standards.ts";
import type { AuditOutput } from "../../operations/audit.ts";
import type { Arguments, Command } from "../command.ts";
import { ON_A_DESKTOP } from "../command.ts";
import { usage } from "../arguments.ts";
import { interrupts } from "../signals.ts";
import { VERSION } from "../version.ts";
import { modeOf, withSession } from "../with-session.ts";

const SCOPES = ["full", "focused_window", "element"];

/** `backstep audit [app]`. */
export const audit: Command = {
  name: "audit",
  summary: "Judge how accessible an application is",
  details: [
    "Judges the window in front by WCAG 2.1 at level AA: names, labels, roles, tables, and contrast from pixels. What " +
    "cannot be known from outside is listed apart and fails nothing. Ends with 0 where it passes and with 1 where not.",
  ],
  positionals: [{ name: "app", description: "The application: its name, id or pid", required: false }],
  options: [
    {
      name: "format",
      kind: "string",
      value: "<form>",
      choices: ["text", "json", "sarif", "quiet"],
      description: "How to answer: text for people (default), json, SARIF 2.1.0, or the exit code alone",
    },
    {
      name: "scope",
      kind: "string",
      value: "<scope>",
      choices: SCOPES,
      description: "What of it; default focused_window",
    },
    { name: "element", kind: "string", value: "<query>", description: "Only this element and what it holds" },
    {
      name: "standard",
      kind: "string",
      value: "<name>",
      choices: standards,
      multiple: true,
      description: "What it must meet; default wcag_aa; may be given more than once",
    },
    {
      name: "keyboard",
      kind: "boolean",
      description: "Also walk through it with Tab, which moves the focus",
    },
    {
      name: "allow",
      kind: "string",
      value: "<n>",
      multiple: true,
      description: "How many issues of a severity are let pass: moderate=2",
    },
    {
      name: "suppress",
      kind: "string",
      value: "<file>",
      description: "A JSON file with what is accepted: a list of { rule, selector, reason }",
    },
    ...ON_A_DESKTOP,
  ],
  examples: [
    "backstep audit gnome-calculator --session isolated",
    "backstep audit gedit --scope full --standard wcag_aa --standard section508",
    "backstep audit gedit --format sarif > gedit.sarif",
  ],
  async run(args, io) {
    const { Gate, OPEN_PORTS } = await import("../../contract/gate.ts");
    const { audit: operation, AuditOutput } = await import("../../operations/audit.ts");
    const [app] = args.positionals;
    const input = inputOf(args);
    operation.parse(input);
    const asked = interrupts(() => {});
    try {
      return await withSession(
        {
          session: args.string("session") ?? "attach",
          ...modeOf(args),
          ...(app === undefined ? {} : { app }),
          signal: asked.stop,
        },
        io,
        async (session) => {
          const ports = { ...OPEN_PORTS, policy: (await import("../consent.ts")).consent() };
          const gate = new Gate({ operations: [operation], session, folder: "/", ports });
          const { output } = await gate.dispatch({ operation: operation.name, input }, {
            signal: asked.stop,
            ...(app === undefined ? {} : { app }),
          });
          const told = AuditOutput.parse(output);
          if (args.string("format") === "sarif") io.raw(`${JSON.stringify(await sarifOf(told), null, 2)}\n`);
          else {
            const { auditLines } = await import("../../report/audit.ts");
            io.json(told);
            const columns = io.terminal ? Math.min(io.columns, 120) : 120;
            io.text(`${auditLines(told, io.style, columns).join("\n")}\n`);
          }
          return told.passed ? 0 : 1;
        },
      );
    } finally {
      asked.release();
    }
  },
};

function inputOf(args: Arguments): { [property: string]: Json } {
  const [app] = args.positionals;
  const scope = args.string("scope"), element = args.string("element"), suppress = args.string("suppress");
  const target = element === undefined ? undefined : app === undefined ? element : { selector: element, app };
  return {
    must_pass: false,
    ...(app === undefined || target !== undefined ? {} : { app }),
    ...(scope === undefined ? {} : { scope }),
    ...(target === undefined ? {} : { target }),
    ...(args.given("standard") ? { standards: [...new Set(args.strings("standard"))] } : {}),
    ...(args.boolean("keyboard") ? { keyboard: true } : {}),
    ...(args.given("allow") ? { allow: Object.fromEntries(args.strings("allow").map(allowance)) } : {}),
    ...(suppress === undefined ? {} : { suppress: suppressionsOf(suppress) }),
  };
}

function allowance(text: string): [string, number] {
  const [, severity = "", n = ""] = /^(\w+)=(\d{1,5})$/.exec(text) ?? [];
  if (impacts.some((impact) => impact === severity)) return [severity, Number(n)];
  throw usage({ name: "audit" }, `--allow is a severity and a number, such as moderate=2; not "${text}"`);
}

/** A list of suppressions; what is in it is checked with the rest of the input. */
function suppressionsOf(file: string): Json {
  try {
    return z.array(z.json()).parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (thrown) {
    const why = thrown instanceof z.ZodError
      ? "it is no list"
      : thrown instanceof Error
      ? thrown.message
      : "";
    throw new BackstepError("usage", `Cannot read ${file}: ${why}`.slice(0, 300), {
      hint: 'It is a JSON list of { "rule": …, "selector": …, "reason": … }.',
    });
  }
}

async function sarifOf(told: AuditOutput): Promise<Json> {
  const { toSarif } = await import("../../checks/audit/sarif.ts");
  const { rules } = await import("../../checks/audit/rules/mod.ts");
  return toSarif(
    {
      ...told,
      issues: told.issues.map(findingOf),
      incomplete: told.incomplete.map(findingOf),
      suppressed: told.suppressed.map((found) => ({ ...findingOf(found), reason: found.reason })),
    },
    rules,
    { version: VERSION, application: told.app },
  );
}

function findingOf(issue: AuditOutput["issues"][number]): SarifFinding {
  const { severity, rule, element, description, suggestion, decides, position, size } = issue;
  const rect = position === undefined || size === undefined
    ? undefined
    : { x: position[0], y: position[1], width: size[0], height: size[1] };
  return { severity, rule, element, description, suggestion, decides, rect };
}
