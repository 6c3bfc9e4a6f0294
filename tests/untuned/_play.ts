import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defined } from "../../src/base/defined.ts";
import { catalogue } from "../../src/catalogue.ts";
import type { RunResult } from "../../src/contract/events.ts";
import { readSelector, strategies } from "../../src/desktop/selector/mod.ts";
import type { Workflow } from "../../src/engine/model/step.ts";
import { runWorkflow } from "../../src/engine/run/run.ts";
import { openSession } from "../../src/session/open-session.ts";
import type { Session } from "../../src/session/session.ts";
import { loadWorkflow } from "../../src/workflow/load.ts";
import type { Untuned } from "./applications.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(root, "tests/untuned");

/** What came of one file. */
export interface Played {
  readonly file: "workflow" | "twin";
  /** What is not as it must be; empty: all is. */
  readonly faults: readonly string[];
  readonly milliseconds: number;
}

/** Is what it needs installed? */
export function isInstalled({ needs: [program] }: Untuned): boolean {
  return existsSync(program);
}

/**
 * Plays the twin, which fails at its last step and must leave everything as it was, then the workflow, on one private desktop
 * each. Both are judged by the disk beside their own account.
 */
export async function play(name: string, untuned: Untuned): Promise<Played[]> {
  return [await playOne(name, untuned, "twin"), await playOne(name, untuned, "workflow")];
}

async function playOne(name: string, untuned: Untuned, file: Played["file"]): Promise<Played> {
  const began = performance.now();
  const state = mkdtempSync(join(tmpdir(), "bs-state-"));
  const workflow = load(name, file);
  const settings = defined({ settings: workflow.desktop });
  const session = await openSession({ kind: "isolated", state, ...settings });
  try {
    const home = session.home ?? "";
    const given = join(folder, name, "home");
    if (existsSync(given)) cpSync(given, home, { recursive: true });
    const before = filesIn(home);
    const result = await run(workflow, session, state);
    const faults = file === "twin"
      ? [...twinFaults(result), ...differences(before, filesIn(home))]
      : [...workflowFaults(result), ...diskFaults(home, untuned)];
    return { file, faults, milliseconds: Math.round(performance.now() - began) };
  } catch (thrown) {
    return { file, faults: [String(thrown)], milliseconds: Math.round(performance.now() - began) };
  } finally {
    await session.close();
    rmSync(state, { recursive: true, force: true });
  }
}

/** Reads a file of an application. */
export function load(name: string, file: Played["file"]): Workflow {
  return loadWorkflow(join(folder, name, `${file}.yaml`), {
    operations: catalogue,
    root,
    checkSelector: (text, strategy) => {
      readSelector(text, strategies.find((one) => one === strategy));
    },
  });
}

function run(workflow: Workflow, session: Session, state: string): Promise<RunResult> {
  const surroundings = { env: () => undefined, secret: () => undefined };
  return runWorkflow(workflow, {
    operations: catalogue,
    session,
    vars: {},
    surroundings,
    folder: root,
    state,
  });
}

function workflowFaults(result: RunResult): string[] {
  return result.status === "passed" ? [] : [`it is ${result.status}: ${errorOf(result)}`];
}

/** The twin must fail at the last of its steps and at no other, and come back. */
function twinFaults(result: RunResult): string[] {
  const { status, rollback, steps, exit } = result;
  const failed = steps.filter((step) => step.status === "failed").map(({ path }) => path);
  const last = steps.findLast(({ path }) => !/^(before|after)\b|\bundo\b/.test(path))?.path;
  const faults: string[] = [];
  if (status !== "failed") faults.push(`it is ${status}, and should fail`);
  if (failed.length !== 1 || failed[0] !== last || result.error?.code !== "assertion") {
    faults.push(`it fails at ${failed.join(", ") || "no step"}, not at its end alone: ${errorOf(result)}`);
  }
  if (rollback.verdict !== "restored" || exit !== 1) {
    const why = rollback.steps.filter(({ reason }) => reason !== undefined)
      .map(({ path, what, verdict, reason }) => `${path} ${what} ${verdict}: ${reason}`);
    faults.push(`its rollback is ${rollback.verdict}, exit ${exit}: ${why.join("; ")}`);
  }
  return faults;
}

function errorOf({ error, steps }: RunResult): string {
  const failed = steps.filter((step) => step.status === "failed" && step.error !== undefined);
  const all = failed.map((one) =>
    `${one.path} ${one.name}: ${one.error?.message} (${one.error?.hint ?? "no hint"})`
  );
  return all.length === 0 ? error?.message ?? "no error" : all.join("; ");
}

function diskFaults(home: string, { disk = {} }: Untuned): string[] {
  return Object.entries(disk).flatMap(([path, wanted]) => {
    const [name] = globSync(path, { cwd: home });
    const whole = join(home, name ?? path);
    if (!existsSync(whole)) {
      return [`${path} is not on the disk: there is ${[...filesIn(home).keys()].join(", ")}`];
    }
    const text = readFileSync(whole, "utf8");
    return wanted.test(text) ? [] : [`${path} holds ${JSON.stringify(text.slice(0, 300))}, not ${wanted}`];
  });
}

const OWN: ReadonlySet<string> = new Set(["Desktop", "Downloads", "thunderbird"]);

/** Every file in HOME that is not an application's own affair (hidden ones), with what it holds. */
function filesIn(home: string): Map<string, string> {
  const files = new Map<string, string>();
  const visit = (path: string) => {
    for (const name of readdirSync(join(home, path))) {
      // What an application makes for itself at its start.
      if (name.startsWith(".") || (path === "" && OWN.has(name))) continue;
      const inside = path === "" ? name : `${path}/${name}`;
      const whole = join(home, inside);
      const kind = lstatSync(whole);
      if (kind.isDirectory()) {
        files.set(`${inside}/`, "folder");
        visit(inside);
      } else if (kind.isFile()) {
        files.set(inside, createHash("sha256").update(readFileSync(whole)).digest("hex"));
      }
    }
  };
  visit("");
  return files;
}

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path) !== after.get(path))
    .map((path) => `${path} is not as it was on the disk`);
}
