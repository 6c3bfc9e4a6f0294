/**
 * Writes what is made from the catalogue: the JSON Schema for editors and the reference pages. `--check` writes nothing
 * and exits 1 when a file is stale.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { rules } from "../src/checks/audit/rules/mod.ts";
import { catalogue } from "../src/catalogue.ts";
import { PlanSchema } from "../src/engine/plan/plan-model.ts";
import { ConfigSchema } from "../src/testing/config/config.ts";
import { workflowSchema } from "../src/workflow/schema.ts";
import { tools } from "../src/mcp/tools/all.ts";
import { architectureReference } from "./architecture.ts";
import { litOfPage } from "./lit.ts";
import { auditCoverage } from "./audit-coverage.ts";
import { auditRuleReference } from "./audit-reference.ts";
import { mcpToolReference } from "./mcp-reference.ts";
import { wrapped } from "./words/wrap.ts";
import { commandReference, operationReference } from "./reference.ts";
import { settingsReference } from "./settings-reference.ts";

const root = resolve(import.meta.dirname ?? ".", "..");
const files: readonly (readonly [path: string, content: string])[] = [
  [
    "schema/workflow.json",
    `${JSON.stringify(workflowSchema(catalogue), null, 2)}\n`,
  ],
  ["schema/plan.json", planSchema()],
  ["schema/config.json", configSchema()],
  ["docs/reference/architecture.md", wrapped(architectureReference())],
  ["docs/reference/operations.md", wrapped(operationReference(catalogue))],
  ["docs/reference/command-line.md", wrapped(commandReference())],
  ["docs/reference/mcp-settings.md", wrapped(settingsReference())],
  ["docs/reference/audit-rules.md", wrapped(auditRuleReference(rules))],
  ["docs/reference/audit-coverage.md", wrapped(auditCoverage())],
  ["docs/reference/mcp-tools.md", wrapped(mcpToolReference(tools))],
  ["src/inspect/page/lit.js", litOfPage()],
];

function configSchema(): string {
  const schema = ConfigSchema.toJSONSchema({ io: "input", unrepresentable: "any" });
  return `${JSON.stringify({ title: "Settings of `backstep test`", ...schema }, null, 2)}\n`;
}

function planSchema(): string {
  const schema = PlanSchema.toJSONSchema({ io: "output", unrepresentable: "any" });
  return `${
    JSON.stringify({ title: "A plan, as `backstep plan --format json` prints it", ...schema }, null, 2)
  }\n`;
}

let stale = 0;
for (const [path, content] of files) {
  const file = join(root, path);
  if (process.argv.includes("--check")) {
    if (current(file) !== content) {
      console.error(`${path} is stale: run \`deno task schema\``);
      stale++;
    }
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    console.log(`wrote ${path}`);
  }
}
process.exitCode = stale === 0 ? 0 : 1;

function current(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (thrown) {
    if (
      thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT"
    ) return undefined;
    throw thrown;
  }
}
