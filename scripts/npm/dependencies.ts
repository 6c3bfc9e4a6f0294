import { readFileSync } from "node:fs";
import { z } from "zod";

const DenoConfig = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  imports: z.record(z.string(), z.string()),
});

/** What `deno.json` says of the project. */
export interface Project {
  readonly version: string;
  readonly license: string;
  /** The npm packages that the code imports, by name, each with its exact version. */
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Reads `deno.json`: the one place that names the packages and their versions. */
export function readProject(root: URL): Project {
  const { version, license, imports } = DenoConfig.parse(
    JSON.parse(readFileSync(new URL("deno.json", root), "utf8")),
  );
  const packages = Object.values(imports).flatMap((target) => {
    const [, name, exact] = /^npm:\/?((?:@[^/]+\/)?[^@/]+)@([^/]+)\/?$/.exec(target) ?? [];
    return name === undefined || exact === undefined ? [] : [[name, exact] as const];
  });
  return { version, license, dependencies: Object.fromEntries(packages) };
}
