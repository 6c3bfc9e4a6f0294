/** Measures beside peers: see USAGE. */
import { existsSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import process from "node:process";
import { audits, auditTable, PROMISED as AUDIT_PROMISED } from "./bench/audit.ts";
import { findRole, selectorMatch, snapshots, treeMatch } from "./bench/core.ts";
import { engine, engineTable, PROMISED } from "./bench/engine.ts";
import { ffi, ffiTable, tooSlow } from "./bench/ffi.ts";
import { inspecting, inspectTable } from "./bench/inspect.ts";
import { fleetBench as measureFleet, fleetFaults, fleetTable } from "./bench/fleet/fleet.ts";
import { insights, insightTable, PROMISED as INSIGHT_PROMISED } from "./bench/intelligence.ts";
import { macStandIn, macTable } from "./bench/mac-stand-in.ts";
import { mirrorOfPage, mirrorOfScripted } from "./bench/mirror.ts";
import { mcp, mcpTable } from "./bench/mcp.ts";
import { eventToWaiter, idle, moments } from "./bench/moments.ts";
import type { Program } from "./bench/place.ts";
import { recording, recordTable } from "./bench/record.ts";
import { type Row, table } from "./bench/row.ts";
import { PROMISED_RATIO, runner, runnerTable } from "./bench/runner.ts";
import { visual } from "./bench/visual.ts";
import { sessions, sessionTable } from "./bench/session.ts";
import { type FileRow, files, fileTable } from "./bench/step/files.ts";
import { isThere, PROGRAMS } from "./bench/step/programs.ts";
import { stepPromises } from "./bench/step/promises.ts";
import { ROUNDS, type StepRow, stepsOf, stepTable } from "./bench/step/step.ts";
import { PROMISED_SHARE, tokens, tokenTable } from "./bench/tokens.ts";
import { displays, displayTable } from "./bench/wayland.ts";
import { misused, optionsOf } from "./options.ts";

/** Milliseconds after which only the promised rows are measured. */
const BUDGET = 36_000;

const GTK3: Program = { app: "gtk3-widget-factory", program: "gtk3-widget-factory", bridge: true };
const GTK4: Program = { app: "gtk4-widget-factory", program: "gtk4-widget-factory" };
/** Of Debian's examples, which the tests need too, where there is no KCalc. */
const GALLERY = "/usr/lib/x86_64-linux-gnu/qt5/examples/widgets/gallery/gallery";
const QT: Program = { app: "qt", program: existsSync("/usr/bin/kcalc") ? "kcalc" : GALLERY };
const chromium = (elements: number): Program => ({
  app: `chromium-${elements}`,
  program: "chromium",
  page: elements,
  title: "ready",
  bridge: true,
});

async function core(full: boolean): Promise<{ rows: Row[]; failed: string[] }> {
  const began = performance.now();
  const budget = { left: () => full || performance.now() - began < BUDGET };
  const rows: Row[] = [], failed: string[] = [];
  const measure = async (name: string, what: () => Row[] | Promise<Row[]>) => {
    try {
      rows.push(...await what());
    } catch (error) {
      failed.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const applications = [GTK3, QT, chromium(2_000), GTK4, ...(full ? [chromium(10_000)] : [])];
  for (const what of applications) await measure(what.app, () => snapshots(what, budget));
  for (const what of [GTK3, GTK4]) await measure(what.app, async () => [await findRole(what)]);
  await measure("selector-10000", () => [selectorMatch()]);
  await measure("tree-10000", treeMatch);
  await measure("mirror", mirrorOfScripted);
  if (full) await measure("mirror of a page", () => mirrorOfPage(chromium(10_000)));
  await measure(`${GTK3.app}, one action and one picture`, () => moments(GTK3));
  await measure("event-to-waiter", async () => [await eventToWaiter()]);
  await measure("held-session", async () => [await idle()]);
  return { rows, failed };
}

interface Measured {
  readonly rows: readonly unknown[];
  readonly failed: readonly string[];
  readonly text: string;
}

async function coreBench(full: boolean): Promise<Measured> {
  const { rows, failed } = await core(full);
  return { rows, failed, text: table(rows) };
}

async function macBench(): Promise<Measured> {
  const { rows, failed } = await macStandIn();
  return { rows, failed, text: macTable(rows) };
}

async function sessionBench(): Promise<Measured> {
  const rows = await sessions();
  return { rows, failed: [], text: sessionTable(rows) };
}

async function engineBench(): Promise<Measured> {
  const rows = await engine();
  const failed = rows.filter(({ overhead_us }) => overhead_us > PROMISED)
    .map(({ step, overhead_us }) => `${step} within ${PROMISED} us: the engine adds ${overhead_us}`);
  return { rows, failed, text: engineTable(rows) };
}

async function runnerBench(): Promise<Measured> {
  const rows = await runner();
  const failed = rows.filter(({ workers, ratio }) => workers > 1 && ratio < PROMISED_RATIO)
    .map(({ workers, ratio }) => `${workers} workers at least ${PROMISED_RATIO}x as fast as one: ${ratio}x`);
  return { rows, failed, text: runnerTable(rows) };
}

async function mcpBench(): Promise<Measured> {
  const { rows, failed } = await mcp(values.only?.split(","));
  return { rows, failed, text: mcpTable(rows) };
}

async function auditBench(full: boolean): Promise<Measured> {
  const rows = await audits(full);
  const failed = rows.filter(({ audit_ms, cpu_ms }) => Math.min(audit_ms, cpu_ms) > AUDIT_PROMISED)
    .map(({ app, audit_ms }) => `the audit of ${app} within ${AUDIT_PROMISED} ms: it takes ${audit_ms}`);
  return { rows, failed, text: auditTable(rows) };
}

function intelligenceBench(): Promise<Measured> {
  const rows = insights();
  const failed = rows.filter(({ nodes, detect_ms, cpu_ms }) =>
    Math.min(detect_ms, cpu_ms) > INSIGHT_PROMISED * Math.max(1, nodes / 1_000)
  ).map(({ tree, detect_ms }) =>
    `${tree} at ${INSIGHT_PROMISED} ms a thousand elements: it takes ${detect_ms}`
  );
  return Promise.resolve({ rows, failed, text: insightTable(rows) });
}

async function tokensBench(): Promise<Measured> {
  const rows = await tokens();
  const failed = rows.filter(({ ratio }) => ratio > PROMISED_SHARE)
    .map(({ app, ratio }) =>
      `an outline of ${app} within ${PROMISED_SHARE} of its JSON's tokens: it is ${ratio}`
    );
  return { rows, failed, text: tokenTable(rows) };
}

async function stepBench(): Promise<Measured> {
  const rows: StepRow[] = [], failed: string[] = [];
  const only = values.only?.split(",");
  const names = [...PROGRAMS.map(({ app }) => app), "files"];
  const unknown = only?.filter((name) => !names.includes(name)) ?? [];
  if (unknown.length > 0) {
    throw new Error(`bench step: there is no ${unknown.join(", ")}; --only takes ${names.join(", ")}`);
  }
  for (const program of PROGRAMS.filter(({ app }) => only === undefined || only.includes(app))) {
    if (!isThere(program)) {
      console.error(`Skipped ${program.app}: ${program.launch} is not installed (tools/setup.sh --apps)`);
      continue;
    }
    try {
      const measured = await stepsOf(program, Number(values.rounds), { trace: values.trace });
      rows.push(...measured.rows);
      for (const note of measured.notes) console.error(note);
    } catch (error) {
      failed.push(`${program.app}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const { broken, unreached } = stepPromises(rows);
  failed.push(...broken);
  for (const line of unreached) console.error(`Not reached: ${line}`);
  const whole: FileRow[] = values.against === undefined
    ? []
    : await files(values.against, Number(values.rounds), { suite: only?.includes("files") !== true });
  const text = [rows.length > 0 ? stepTable(rows) : "", whole.length > 0 ? fileTable(whole) : ""];
  return { rows: [...rows, ...whole], failed, text: text.filter((part) => part !== "").join("\n\n") };
}

function ffiBench(full: boolean): Promise<Measured> {
  const rows = ffi(full);
  return Promise.resolve({ rows, failed: tooSlow(rows), text: ffiTable(rows) });
}

async function waylandBench(): Promise<Measured> {
  const { rows, failed } = await displays();
  return { rows, failed, text: displayTable(rows) };
}

async function fleetBench(): Promise<Measured> {
  const rows = await measureFleet();
  return { rows, failed: fleetFaults(rows), text: fleetTable(rows) };
}

async function recordBench(): Promise<Measured> {
  const { rows, failed } = await recording();
  return { rows, failed, text: recordTable(rows) };
}

async function inspectBench(): Promise<Measured> {
  const { rows, failed } = await inspecting();
  return { rows, failed, text: inspectTable(rows) };
}

const USAGE = `deno task bench WHAT [--format json|text]

  audit          what the accessibility audit adds to a snapshot [--full]
  core           the native core reads real applications, beside pyatspi and libatspi [--full]
                 --macos-stand-in: the core of macOS over a stand-in of Apple's frameworks
  engine         what the engine adds to a step, beside its journal's bare writes
  ffi            calls into the native core on Deno, Node and Bun [--full: a rollback, too]
  fleet          the queue of a fleet, with two workers, idle, and with a long history
  inspect        the page of \`backstep inspect\`, on a page of 10,000 elements
  intelligence   recognising what a tree shows
  mcp            what a client of the MCP server waits for [--only initialize,calls,finds]
  record         what recording a person costs, beside a bare X client
  runner         twenty workflows that mostly wait, with one worker and with two
  session        from asking for a private desktop to an application in its tree
  step           each act in a transaction, beside Playwright and pyatspi [--only APP,…] [--rounds N] [--trace]
                 --against FOLDER|COMMIT: whole files by turns with another checkout; --only files: those alone
  tokens         what the answers of the MCP server take of a model's context
  visual         comparing pictures of 3840×2160, beside pixelmatch and odiff
  wayland        a private desktop on Wayland beside one on X11, and beside grim, wtype and wl-clipboard

Ends with 1 when a measurement fails, and 2 when it was called with what it does not take.`;

const { values, positionals } = optionsOf(USAGE, {
  options: {
    format: { type: "string", default: "text" },
    full: { type: "boolean", default: false },
    only: { type: "string" },
    rounds: { type: "string", default: String(ROUNDS) },
    against: { type: "string" },
    trace: { type: "boolean", default: false },
    "macos-stand-in": { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const [what = ""] = positionals;
const benches = {
  core: () => values["macos-stand-in"] ? macBench() : coreBench(values.full),
  session: sessionBench,
  engine: engineBench,
  visual,
  audit: () => auditBench(values.full),
  runner: runnerBench,
  intelligence: intelligenceBench,
  mcp: mcpBench,
  tokens: tokensBench,
  step: stepBench,
  ffi: () => ffiBench(values.full),
  wayland: waylandBench,
  record: recordBench,
  inspect: inspectBench,
  fleet: fleetBench,
};
if (
  positionals.length !== 1 || !(what in benches) || !["text", "json"].includes(values.format) ||
  !/^[1-9]\d*$/.test(values.rounds)
) {
  misused(USAGE, "What to measure is one of those below.");
}
const began = performance.now();
const { rows, failed, text } =
  what === "core" || what === "engine" || what === "visual" || what === "audit" || what === "runner" ||
    what === "intelligence" || what === "mcp" || what === "tokens" || what === "step" || what === "ffi" ||
    what === "wayland" || what === "record" || what === "inspect" || what === "fleet"
    ? await benches[what]()
    : await benches.session();
if (values.format === "json") {
  console.log(JSON.stringify(rows, undefined, 2));
} else {
  console.log(text);
  const machine = `${availableParallelism()} cores, ${cpus()[0]?.model.trim() ?? "unknown processor"}`;
  const load = loadavg().map((l) => l.toFixed(1)).join(" ");
  console.log(
    `\n${new Date().toISOString()}, ${machine}, load ${load}, ${
      ((performance.now() - began) / 1000).toFixed(1)
    } s`,
  );
}
for (const line of failed) console.error(`Cannot measure ${line}`);
process.exitCode = failed.length === 0 ? 0 : 1;
