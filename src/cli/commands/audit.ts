import { readFileSync } from "node:fs";
import { z } from "zod";
import { BackstepError, type Json } from "../../base/error.ts";
import { impacts } from "../../checks/audit/rule.ts";
import type { SarifFinding } from "../../checks/audit/sarif.ts";
import { standards } from "../../checks/audit/standards.ts";
import type { OperationNamed, OutputOf } from "../../script/types.ts";
import { DEEPEST_JSON, nestsDeeper } from "../../base/json.ts";
import { defined } from "../../base/defined.ts";
import { jsonText } from "../../report/style.ts";
import type { Arguments, Command } from "../command.ts";
import { ON_ONE_DESKTOP } from "../desktop-options.ts";
import { usage } from "../arguments.ts";
import { VERSION } from "../version.ts";
import { onOneDesktop } from "../with-session.ts";

type AuditOutput = OutputOf<OperationNamed<"audit">>;

const SCOPES = ["full", "focused_window", "element"];

/** `backstep audit [app]`. */
export const audit: Command = {
  name: "audit",
  summary: "Check the accessibility of an application",
  details: [
    "Checks the active window against WCAG 2.1 level AA: names, labels, roles, tables, and contrast " +
    "measured in pixels. Inconclusive results are listed separately and do not fail the audit. Exit " +
    "code 0: passed; 1: failed.",
  ],
  positionals: [{ name: "app", description: "The application: its name, id or process id", required: false }],
  options: [
    {
      name: "format",
      kind: "string",
      value: "<form>",
      choices: ["text", "json", "sarif", "earl", "quiet"],
      description:
        "Output format: text (default), json, SARIF 2.1.0, EARL 1.0 as JSON-LD, or quiet for the exit code only",
    },
    {
      name: "scope",
      kind: "string",
      value: "<scope>",
      choices: SCOPES,
      description: "Which windows of the application; default focused_window",
    },
    { name: "element", kind: "string", value: "<query>", description: "Only this element and its content" },
    {
      name: "standard",
      kind: "string",
      value: "<name>",
      choices: standards,
      multiple: true,
      description: "A standard that it must meet; default wcag_aa; may be repeated",
    },
    {
      name: "keyboard",
      kind: "boolean",
      description: "Also press Tab through the window; this moves the focus",
    },
    {
      name: "allow",
      kind: "string",
      value: "<n>",
      multiple: true,
      description: "How many issues of a severity are allowed: moderate=2",
    },
    {
      name: "suppress",
      kind: "string",
      value: "<file>",
      description: "A JSON file with accepted findings: a list of { rule, selector, reason }",
    },
    ...ON_ONE_DESKTOP,
  ],
  examples: [
    "backstep audit gnome-calculator --session isolated",
    "backstep audit gedit --scope full --standard wcag_aa --standard section508",
    "backstep audit gedit --format sarif > gedit.sarif",
  ],
  async run(args, io) {
    const { Gate, OPEN_PORTS } = await import("../../contract/gate.ts");
    const operation = (await import("../../catalogue.ts")).operationNamed("audit");
    const [app] = args.positionals;
    const input = inputOf(args);
    operation.parse(input);
    return await onOneDesktop(audit, args, io, defined({ app }), async (session, stop) => {
      const ports = { ...OPEN_PORTS, policy: (await import("../consent.ts")).consent() };
      const gate = new Gate({ operations: [operation], session, folder: "/", ports });
      const { output } = await gate.dispatch({ operation: operation.name, input }, {
        signal: stop,
        ...defined({ app }),
      });
      const reported = operation.outputSchema.parse(output);
      if (args.string("format") === "sarif") io.raw(`${jsonText(await sarifOf(reported), 2)}\n`);
      else if (args.string("format") === "earl") io.raw(`${jsonText(await earlOf(reported), 2)}\n`);
      else {
        const { auditLines } = await import("../../report/audit.ts");
        io.json(reported);
        const columns = io.terminal ? Math.min(io.columns, 120) : 120;
        io.text(`${auditLines(reported, io.style, columns).join("\n")}\n`);
      }
      return reported.passed ? 0 : 1;
    });
  },
};

function inputOf(args: Arguments): { [property: string]: Json } {
  const [app] = args.positionals;
  const scope = args.string("scope"), element = args.string("element"), suppress = args.string("suppress");
  const target = element === undefined ? undefined : app === undefined ? element : { selector: element, app };
  return {
    must_pass: false,
    ...(app === undefined || target !== undefined ? {} : { app }),
    ...defined({ scope, target }),
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
    const value: Json = JSON.parse(readFileSync(file, "utf8"));
    // What follows recurses, and would end by the stack.
    if (nestsDeeper(value)) throw new RangeError(`it nests deeper than ${DEEPEST_JSON} levels`);
    return z.array(z.json()).parse(value);
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

async function sarifOf(reported: AuditOutput): Promise<Json> {
  const { toSarif } = await import("../../checks/audit/sarif.ts");
  const { rules } = await import("../../checks/audit/rules/mod.ts");
  return toSarif(reportOf(reported), rules, { version: VERSION, application: reported.app });
}

async function earlOf(reported: AuditOutput): Promise<Json> {
  const { assertionsOf, toEarl } = await import("../../checks/audit/earl.ts");
  const { rules } = await import("../../checks/audit/rules/mod.ts");
  return toEarl(assertionsOf(reportOf(reported), reported.app), rules, { version: VERSION });
}

function reportOf(reported: AuditOutput) {
  return {
    ...reported,
    issues: reported.issues.map(findingOf),
    incomplete: reported.incomplete.map(findingOf),
    suppressed: reported.suppressed.map((found) => ({ ...findingOf(found), reason: found.reason })),
  };
}

function findingOf(issue: AuditOutput["issues"][number]): SarifFinding {
  const { severity, rule, element, description, suggestion, decides, position, size } = issue;
  const rect = position === undefined || size === undefined
    ? undefined
    : { x: position[0], y: position[1], width: size[0], height: size[1] };
  return { severity, rule, element, description, suggestion, decides, rect };
}
