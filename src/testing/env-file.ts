import { readFileSync } from "node:fs";
import { relative } from "node:path";
import process from "node:process";
import { parse } from "dotenv";
import { BackstepError } from "../base/error.ts";

/** Variables that load code into this process and the workers, or change how they start. */
const REFUSED = /^(LD_\w+|NODE_OPTIONS|DENO_\w+|BUN_\w+|PATH)$/;

/** What a file of environment variables set. */
export interface LoadedEnv {
  /** As it is shown: relative to the folder one is in. */
  readonly file: string;
  /** The names that it set; what the environment had already is as it was. */
  readonly names: readonly string[];
}

/**
 * Sets the environment variables of a `.env` file that the environment does not have. Workflows see them as `{{env.X}}`, `secrets:`
 * and `needs:` do; their values are in no message. Throws `usage` for a file that cannot be read, or a name that is refused.
 */
export function loadEnvFile(
  path: string,
  environment: { [name: string]: string | undefined } = process.env,
): LoadedEnv {
  const file = relative(process.cwd(), path) || path;
  const fail = (why: string, hint?: string, cause?: unknown) =>
    new BackstepError("usage", `Cannot read the environment from ${file}: ${why}`, {
      cause,
      ...(hint === undefined ? {} : { hint }),
    });
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw fail("there is no such file, or it may not be read", "It has lines such as NAME=value.", cause);
  }
  const values = Object.entries(parse(text));
  const refused = values.find(([name]) => REFUSED.test(name))?.[0];
  if (refused !== undefined) {
    throw fail(`it sets ${refused}, which changes how programs start`, "Set it in the environment instead.");
  }
  const names: string[] = [];
  for (const [name, value] of values) {
    if (environment[name] !== undefined) continue;
    environment[name] = value;
    names.push(name);
  }
  return { file, names };
}
