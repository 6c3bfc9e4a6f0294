import { createHash } from "node:crypto";
import { BackstepError, type Json, toBackstepError } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import type { Operation } from "../contract/operation.ts";
import { typeOf } from "../engine/model/bind.ts";
import type { ProgramPart } from "../engine/plan/planned-program.ts";
import type { Program } from "../engine/run/program.ts";
import type { Surroundings } from "../engine/model/scope.ts";
import type { Case, Variable, Workflow } from "../engine/model/step.ts";
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
    desktop,
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
    ...defined({ description }),
    tags: rest.tags ?? [],
    ...defined({ app, session, mode, desktop }),
    vars: Object.fromEntries(
      Object.entries(vars).map(([name, value]) => [name, variable(name, value, place)] as const),
    ),
    ...(rest.cases === undefined ? {} : { cases: casesIn(rest.cases, vars, place) }),
    ...secretsIn(rest.secrets),
    files: rest.files ?? [],
    ...defined({ timeout }),
    onFailure: rest.onFailure ?? "rollback",
    ...defined({ onConflict, durability, rollback, expect, locks: rest.locks }),
    ...(rest.needs === undefined ? {} : { needs: { programs: [], env: [], ...rest.needs } }),
    ...defined({ skip: rest.skip, only: rest.only, properties: rest.properties }),
    before: [],
    steps: [],
    after: [],
  };
}

/** Its cases, where each has a name of its own and values for variables that there are. */
function casesIn(
  cases: NonNullable<Script["options"]["cases"]>,
  vars: { readonly [name: string]: Json },
  place: Variable["place"],
): Case[] {
  const names = new Set<string>();
  return cases.map(({ name, values }) => {
    const wrong = Object.entries(values).find(([key, value]) =>
      value === undefined || !Object.hasOwn(vars, key) || typeOf(value) !== typeOf(vars[key] ?? null)
    );
    const why = name.trim() === "" || names.has(name)
      ? "another one has that name, or it has none"
      : wrong && `"${wrong[0]}" is no variable, or its value has another type`;
    if (why) {
      throw new BackstepError("workflow", `Cannot read the case ${JSON.stringify(name)}: ${why}`, { place });
    }
    names.add(name);
    const given = Object.entries(values).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, value] as const]
    );
    return { name, values: Object.fromEntries(given) };
  });
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
    const tools = toolsFor({ operations, doer, file, vars, item: surroundings.item ?? {}, secret });
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
