import { createHash } from "node:crypto";
import { BackstepError, type Json, toBackstepError } from "../base/error.ts";
import type { Operation } from "../contract/operation.ts";
import { typeOf } from "../engine/bind.ts";
import type { Program, ProgramPart } from "../engine/program.ts";
import type { Surroundings } from "../engine/scope.ts";
import type { Variable, Workflow } from "../engine/step.ts";
import type { Doer } from "./doer.ts";
import { Planning } from "./planning.ts";
import { Running } from "./running.ts";
import { toolsFor } from "./tools.ts";
import type { Script } from "./workflow.ts";

/** The step model of a program: everything but its steps, which it makes when it runs. */
export function workflowOf(script: Script, file: string, source: string): Workflow {
  const {
    vars = {},
    description,
    app,
    session,
    mode,
    timeout,
    onConflict,
    durability,
    rollback,
    expect,
    ...rest
  } = script.options;
  const place = { file, line: 1, column: 1 };
  return {
    file,
    source: createHash("sha256").update(source).digest("hex"),
    name: script.name,
    ...(description === undefined ? {} : { description }),
    tags: rest.tags ?? [],
    ...(app === undefined ? {} : { app }),
    ...(session === undefined ? {} : { session }),
    ...(mode === undefined ? {} : { mode }),
    vars: Object.fromEntries(
      Object.entries(vars).map(([name, value]) => [name, variable(name, value, place)] as const),
    ),
    ...secretsIn(rest.secrets),
    files: rest.files ?? [],
    ...(timeout === undefined ? {} : { timeout }),
    onFailure: rest.onFailure ?? "rollback",
    ...(onConflict === undefined ? {} : { onConflict }),
    ...(durability === undefined ? {} : { durability }),
    ...(rollback === undefined ? {} : { rollback }),
    ...(expect === undefined ? {} : { expect }),
    ...(rest.locks === undefined ? {} : { locks: rest.locks }),
    ...(rest.needs === undefined ? {} : { needs: { programs: [], env: [], ...rest.needs } }),
    ...(rest.skip === undefined ? {} : { skip: rest.skip }),
    before: [],
    steps: [],
    after: [],
  };
}

function secretsIn(secrets: Script["options"]["secrets"] = []): Pick<Workflow, "secrets" | "secretSources"> {
  if (isNames(secrets)) return { secrets };
  return { secrets: Object.keys(secrets), secretSources: secrets };
}

function isNames(secrets: NonNullable<Script["options"]["secrets"]>): secrets is readonly string[] {
  return Array.isArray(secrets);
}

function variable(name: string, value: Json, place: Variable["place"]): Variable {
  const type = typeOf(value);
  if (type !== "null") return { type, default: value, place };
  throw new BackstepError(
    "workflow",
    `Cannot read the variable ${name}: its default says its type, and is null`,
    {
      place,
    },
  );
}

/** What the engine runs, or follows for a plan. */
export function programOf(
  script: Script,
  { file, operations, surroundings }: {
    readonly file: string;
    readonly operations: Iterable<Operation>;
    readonly surroundings: Surroundings;
  },
): Program {
  const { options } = script;
  const { secrets } = secretsIn(options.secrets);
  const secret = (name: string): string => {
    const value = secrets.includes(name) ? surroundings.secret(name) : undefined;
    if (value !== undefined) return value;
    throw new BackstepError("workflow", `Cannot tell the secret ${name}: it is not declared, or not set`, {
      hint: `Say \`secrets: ["${name}"]\`, and set ${name} in the environment of the run.`,
    });
  };
  const call = async (part: ProgramPart, doer: Doer, vars: Readonly<Record<string, Json>>) => {
    const tools = toolsFor({ operations, doer, file, vars, secret });
    if (part === "steps") await script.steps(tools);
    else if (part === "before") await options.before?.(tools);
    else await options.after?.(tools);
  };
  const prefix = (part: ProgramPart) => part === "steps" ? "" : `${part}.`;
  return {
    async run(part, at, run) {
      const doer = new Running(prefix(part), at, run);
      await doer.all(() => call(part, doer, at.scope.vars));
    },
    async plan(part, walk, at) {
      const doer = new Planning(prefix(part), at, walk);
      try {
        await call(part, doer, at.scope.vars);
      } catch (thrown) {
        const error = toBackstepError(thrown);
        if (error.code === "cancelled") throw error;
        return doer.ends ?? `the program ends here while it is planned: ${error.message}`;
      }
      return doer.ends;
    },
  };
}
