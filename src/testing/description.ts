import { existsSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { z } from "zod";
import { defined } from "../base/defined.ts";
import { secretsOf, sourcesOf } from "../engine/secrets/secrets.ts";
import type { Workflow } from "../engine/model/step.ts";

/** What a test run needs to know of a file before it runs it. */
export const Description = z.object({
  name: z.string(),
  tags: z.array(z.string()),
  locks: z.array(z.string()),
  needs: z.object({ programs: z.array(z.string()), env: z.array(z.string()) }),
  /** Names of its secrets, which what it prints must not show. */
  secrets: z.array(z.string()),
  /** Where these come from, by name. */
  secretSources: z.record(
    z.string(),
    z.union([
      z.object({ env: z.string() }),
      z.object({ file: z.string() }),
      z.object({ prompt: z.string() }),
    ]),
  ).optional(),
  skip: z.string().optional(),
  only: z.boolean().optional(),
  /** For reports. */
  properties: z.record(z.string(), z.string()).optional(),
  session: z.string().optional(),
  /** Milliseconds for its flow. */
  timeout: z.number().optional(),
  /** The names of its cases; each is a test of its own. */
  cases: z.array(z.string()).optional(),
});
/** What a test run needs to know of a file before it runs it. */
export type Description = Readonly<z.infer<typeof Description>>;

/** What a workflow says of itself. */
export function describe(workflow: Workflow): Description {
  const { name, tags, locks = [], needs, skip, only, properties, session, timeout, cases } = workflow;
  return {
    name,
    tags: [...tags],
    locks: [...locks],
    needs: { programs: [...needs?.programs ?? []], env: [...needs?.env ?? []] },
    secrets: [...secretsOf(workflow)],
    secretSources: Object.fromEntries(sourcesOf(workflow)),
    ...defined({ skip, only, session, timeout, cases: cases?.map((one) => one.name) }),
    ...(properties ? { properties: { ...properties } } : {}),
  };
}

/** Why a file is to be skipped; undefined: it is not. `wanted`: the session that goes before the file's own. */
export function reasonToSkip(
  { skip, needs, session }: Pick<Description, "skip" | "needs" | "session">,
  wanted?: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  if (skip !== undefined) return skip;
  // The applications of a simulated desktop are nowhere else.
  if (session === "simulated" && wanted !== undefined && wanted !== "simulated") {
    return `it is for the simulated desktop, and the session is ${wanted}`;
  }
  const programs = needs.programs.filter((program) => !isThere(program, environment["PATH"] ?? ""));
  const unset = needs.env.filter((name) => environment[name] === undefined);
  const parts = [
    ...(programs.length > 0 ? [`not installed: ${programs.join(", ")}`] : []),
    ...(unset.length > 0 ? [`not set: ${unset.join(", ")}`] : []),
  ];
  return parts.length > 0 ? parts.join("; ") : undefined;
}

function isThere(program: string, path: string): boolean {
  if (program.includes("/")) return existsSync(program);
  return path.split(delimiter).some((folder) =>
    folder !== "" && statSync(join(folder, program), { throwIfNoEntry: false })?.isFile() === true
  );
}
