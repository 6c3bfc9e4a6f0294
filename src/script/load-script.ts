import { readFileSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { BackstepError } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import type { Workflow } from "../engine/model/step.ts";
import { workflowOf } from "./program.ts";
import type { Script } from "./workflow.ts";

/** Is it a program, by its name? */
export function isProgram(path: string): boolean {
  return /\.[cm]?[jt]s$/.test(path);
}

/** A file that is a program. */
export interface LoadedScript {
  readonly workflow: Workflow;
  readonly script: Script;
}

/**
 * Imports a file whose default export is a `workflow(…)`. Its own code runs by that, with the rights of this process: unlike a YAML
 * file, a program is trusted. Throws `workflow` for a file that cannot be read, cannot be imported or exports something else.
 */
export async function loadScript(file: string, reading = 0): Promise<LoadedScript> {
  const fail = (why: string, cause?: unknown) =>
    new BackstepError("workflow", `Cannot read ${file}: ${why}`, {
      place: { file, line: 1, column: 1 },
      hint: 'Its default export is `workflow("name", async (t) => { … })`.',
      ...defined({ cause }),
    });
  let source: string;
  let found: unknown;
  try {
    source = readFileSync(file, "utf8");
  } catch (cause) {
    throw fail("there is no such file, or it may not be read", cause);
  }
  try {
    const module: { readonly default?: unknown } = await import(
      `${pathToFileURL(realpathSync(resolve(file))).href}${reading > 0 ? `?reading=${reading}` : ""}`
    );
    found = module.default;
  } catch (cause) {
    throw fail(cause instanceof Error ? cause.message.slice(0, 1_000) : String(cause), cause);
  }
  if (!isScript(found)) throw fail("its default export is no workflow");
  return { workflow: workflowOf(found, file, source), script: found };
}

/** It may come from another copy of this library: what it is made of tells, not who made it. */
function isScript(value: unknown): value is Script {
  return typeof value === "object" && value !== null &&
    "kind" in value && value.kind === "backstep.workflow" &&
    "steps" in value && typeof value.steps === "function" &&
    "name" in value && typeof value.name === "string" &&
    "options" in value && typeof value.options === "object";
}
