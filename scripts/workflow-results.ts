/** Runs the workflows of workflows/ and compares what they report with what was recorded: see USAGE. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Json } from "../src/base/error.ts";
import { asMap } from "../src/base/json.ts";
import { catalogue } from "../src/catalogue.ts";
import { readSelector, strategies } from "../src/desktop/selector/mod.ts";
import { runWorkflow } from "../src/engine/run/run.ts";
import { openSession } from "../src/session/open-session.ts";
import { loadWorkflow } from "../src/workflow/load.ts";
import { resolveVariables } from "../src/workflow/values.ts";
import { optionsOf } from "./options.ts";
import { comparable, fieldsThatDiffer, RECORDED, recordedResult } from "../tests/_results.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "workflows");

const USAGE = `deno run -A scripts/workflow-results.ts [--record] [FILE…]

Runs the workflows of workflows/, all or these, and compares what they report, field by field and without times, ids and
methods, with what was recorded: no change of how a step is done may change its verdict or the changes that it reports.

  --record   keeps what they report now`;

const { values: { record = false }, positionals: named } = optionsOf(USAGE, {
  options: { record: { type: "boolean" } },
  allowPositionals: true,
  strict: true,
});
const files = named.length > 0 ? named : [
  ...readdirSync(folder),
  ...readdirSync(join(folder, "simulated")).map((name) => join("simulated", name)),
].filter((name) => name.endsWith(".yaml")).sort();

let differs = 0;
for (const name of files) {
  const result = comparable(await resultOf(name));
  if (record) {
    const recorded: Json = existsSync(RECORDED) ? JSON.parse(readFileSync(RECORDED, "utf8")) : {};
    writeFileSync(RECORDED, `${JSON.stringify({ ...asMap(recorded), [name]: result }, null, 1)}\n`);
    continue;
  }
  const fields = fieldsThatDiffer(recordedResult(name), result);
  differs += fields.length;
  console.log(fields.length === 0 ? `${name}: as recorded` : `${name}:\n  ${fields.join("\n  ")}`);
}
process.exitCode = differs === 0 ? 0 : 1;

async function resultOf(name: string) {
  const file = join(folder, name);
  const workflow = loadWorkflow(file, {
    operations: catalogue,
    root,
    checkSelector: (text, strategy) => {
      readSelector(text, strategies.find((one) => one === strategy));
    },
  });
  const state = mkdtempSync(join(tmpdir(), "bs-state-"));
  const session = await openSession({
    kind: workflow.session === "simulated" ? "simulated" : "isolated",
    state,
  });
  const environment = (variable: string) => process.env[variable];
  try {
    return await runWorkflow(workflow, {
      operations: catalogue,
      session,
      vars: resolveVariables(workflow, { vars: {} }),
      surroundings: { env: environment, secret: environment },
      folder: root,
      state,
    });
  } finally {
    await session.close();
    rmSync(state, { recursive: true, force: true });
  }
}
