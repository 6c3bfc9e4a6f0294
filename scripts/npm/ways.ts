/**
 * The ways in which people get a package, each tried from the tarball: a project's own, npx, global, Deno, Bun.
 *
 * @module
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { RUNTIMES } from "./place.ts";
import { must } from "./run.ts";

const WORKFLOW = "workflows/first.yaml";

/** A check for each way. */
export function ways(tarball: string): (() => Promise<string>)[] {
  return [
    () => inFolder((folder) => npx(folder, tarball)),
    () => inFolder((folder) => globally(folder, tarball)),
    () => inFolder((folder) => onDeno(folder, tarball)),
    () => inFolder((folder) => onBun(folder, tarball)),
  ];
}

async function inFolder<R>(action: (folder: string) => Promise<R>): Promise<R> {
  const folder = mkdtempSync(join(tmpdir(), "backstep-way-"));
  try {
    return await action(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Environment and PATH of a person who has Node 22, and whose runs leave nothing behind. */
function person(folder: string) {
  const [node] = RUNTIMES;
  if (node === undefined) throw new Error("there is no Node");
  return { cwd: folder, path: [node.bin], env: { BACKSTEP_STATE: join(folder, "state") } };
}

/** The two commands of the README, then a first workflow and its run. */
async function npx(folder: string, tarball: string): Promise<string> {
  const options = person(folder);
  await must(
    "npm",
    ["install", "--save-dev", "--prefer-offline", "--no-audit", "--no-fund", tarball],
    options,
  );
  await must("npx", ["--no-install", "backstep", "demo", "--session", "simulated"], options);
  const said = await must("npx", ["--no-install", "backstep", "init"], options);
  const [schema = ""] = readFileSync(join(folder, WORKFLOW), "utf8").split("\n");
  if (!schema.endsWith("=../node_modules/backstep/schema/workflow.json")) {
    throw new Error(`init wrote ${schema}`);
  }
  // What it says is what a person types next.
  const next = /^Run it: (.+)$/m.exec(said)?.[1];
  if (next === undefined || !next.endsWith(WORKFLOW)) throw new Error(`init says ${said}`);
  await must("sh", ["-c", next], options);
  writeFileSync(
    join(folder, "workflows/program.ts"),
    'import { workflow } from "backstep";\n' +
      'export default workflow("typed", { app: "sim.settings", session: "simulated" }, async (t) => {\n' +
      '  const form = await t.launch("sim.settings");\n' +
      '  await form.locator("textfield[name=\'Name\']").set("Ada");\n' +
      "});\n",
  );
  await must(
    "npx",
    ["--no-install", "backstep", "run", "workflows/program.ts", "--session", "simulated"],
    options,
  );
  await must("npx", ["--no-install", "backstep", "mcp", "install", "--client", "claude-code"], options);
  const entry = readFileSync(join(folder, ".mcp.json"), "utf8");
  if (!entry.includes(`"${join(folder, "node_modules/backstep/bin.js")}"`)) {
    throw new Error(`mcp install: ${entry}`);
  }
  return "npm install -D, npx --no-install: demo, init, run of YAML and of TypeScript, mcp install";
}

async function globally(folder: string, tarball: string): Promise<string> {
  const options = person(folder);
  await must("npm", [
    "install",
    "--global",
    "--prefix",
    folder,
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
    tarball,
  ], options);
  await must(join(folder, "bin/backstep"), ["demo", "--session", "simulated"], options);
  return "npm install --global: demo";
}

/** Deno 2.9 installs neither tarballs nor folders: the tarball is unpacked, and what is in it is installed. */
async function onDeno(folder: string, tarball: string): Promise<string> {
  const deno = process.execPath, options = { ...person(folder), path: [dirname(deno)] };
  await must("tar", ["xzf", tarball], options);
  await must(deno, ["install", "--quiet"], { ...options, cwd: join(folder, "package") });
  const global = ["--global", "--allow-all", "--quiet", "--root", folder, "--name", "backstep"];
  await must(deno, ["install", ...global, "package/bin.js"], options);
  await must(join(folder, "bin/backstep"), ["demo", "--session", "simulated"], options);
  return "deno install --global from the unpacked tarball: demo";
}

async function onBun(folder: string, tarball: string): Promise<string> {
  const options = person(folder);
  const bun = RUNTIMES.find(({ name }) => name === "bun");
  if (bun === undefined) throw new Error("there is no Bun");
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  await must(bun.program, ["add", "--dev", "--ignore-scripts", tarball], options);
  await must(bun.program, ["run", "--bun", "backstep", "demo", "--session", "simulated"], options);
  return "bun add, bun run --bun backstep: demo";
}
