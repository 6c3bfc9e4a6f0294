import { BackstepError } from "../base/error.ts";
import { readSecretFile } from "../engine/secrets/secret-file.ts";
import { sourcesOf } from "../engine/secrets/secrets.ts";
import type { Workflow } from "../engine/model/step.ts";

/** Asks a person for a secret, who types it unseen; undefined is what stands where nobody can be asked. */
export type AskSecret = (name: string, words: string) => Promise<string>;

/** Where secrets are looked up. */
export interface SecretPlaces {
  /** Environment variables; undefined: not set. */
  readonly env: (name: string) => string | undefined;
  /** Asks a person; without it a secret that is asked for is refused. */
  readonly ask?: AskSecret | undefined;
  /** What they are for, in messages; default "run". */
  readonly doing?: string;
}

/**
 * The values of all secrets that a workflow and the files that it runs declare, each read once, before anything is
 * launched.
 *
 * @throws {BackstepError} `usage` for one that is not set, whose file others may read, or that nobody is there to type.
 *
 * @example
 * ```ts
 * import { parseWorkflow } from "./parse.ts";
 * import { secretValues } from "./secret-values.ts";
 * const workflow = parseWorkflow("name: n\nsecrets: [TOKEN]\nsteps: []", { file: "n.yaml", operations: [] });
 * const secret = await secretValues(workflow, { env: () => "s3cret" });
 * if (secret("TOKEN") !== "s3cret" || secret("HOME") !== undefined) throw new Error();
 * ```
 */
export async function secretValues(
  workflow: Workflow,
  { env, ask, doing = "run" }: SecretPlaces,
): Promise<(name: string) => string | undefined> {
  const values = new Map<string, string>();
  // People are asked last: what is wrong with the rest need not wait for them.
  const sources = [...sourcesOf(workflow)].sort(([, a], [, b]) =>
    Number("prompt" in a) - Number("prompt" in b)
  );
  for (const [name, source] of sources) {
    if ("file" in source) values.set(name, readSecretFile(name, source.file));
    else if ("env" in source) values.set(name, fromEnvironment(name, source.env, env, workflow, doing));
    else values.set(name, await fromPerson(name, source.prompt, ask, workflow, doing));
  }
  return (name) => values.get(name);
}

function fromEnvironment(
  name: string,
  variable: string,
  env: SecretPlaces["env"],
  { file }: Workflow,
  doing: string,
): string {
  const value = env(variable);
  if (value !== undefined) return value;
  const which = variable === name ? "" : `: ${variable}`;
  throw new BackstepError("usage", `Cannot ${doing} ${file}: the secret ${name} is not set${which}`, {
    hint: `Set it in the environment: ${variable}=… backstep ${doing} ${file}`,
  });
}

async function fromPerson(
  name: string,
  words: string,
  ask: AskSecret | undefined,
  { file }: Workflow,
  doing: string,
): Promise<string> {
  if (!ask) {
    throw new BackstepError(
      "usage",
      `Cannot ${doing} ${file}: the secret ${name} is asked for, and there is no terminal`,
      {
        hint:
          `Run it on a terminal, or take it from a file: secrets: { ${name}: { file: ~/.${name.toLowerCase()} } }`,
      },
    );
  }
  const value = await ask(name, words);
  if (value !== "") return value;
  throw new BackstepError("usage", `Cannot ${doing} ${file}: nothing was typed for the secret ${name}`);
}
