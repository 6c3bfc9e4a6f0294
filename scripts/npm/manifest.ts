/**
 * The `package.json` of the npm package.
 *
 * @module
 */
import { execFileSync } from "node:child_process";
import type { Project } from "./dependencies.ts";

/** What is installed only by who uses it: models of vision, the reader of texts, and the database of a fleet. They are peers that may be absent. */
const OPTIONAL = /^(?:ai|@ai-sdk\/.+|tesseract\.js|@tesseract\.js-data\/.+|pg|pg-boss)$/;

/** The Node that the package needs: the oldest line that is maintained. */
export const NODE = ">=22";

/** The manifest, as npm publishes it. */
export function manifestOf(project: Project, repository: string | undefined): Record<string, unknown> {
  const { version, license, dependencies } = project;
  const chosen = (optional: boolean) =>
    Object.fromEntries(
      Object.entries(dependencies).filter(([name]) => OPTIONAL.test(name) === optional)
        .sort(([one], [other]) => one < other ? -1 : 1),
    );
  const peers = chosen(true);
  return {
    name: "backstep",
    version,
    description:
      "Desktop workflows where every step knows the way back: drive real applications, and roll back what fails",
    keywords: ["desktop", "automation", "accessibility", "at-spi", "testing", "rollback", "mcp", "workflow"],
    license,
    ...(repository === undefined ? {} : { repository: { type: "git", url: repository } }),
    type: "module",
    engines: { node: NODE },
    bin: { backstep: "bin.js" },
    exports: {
      ".": { types: "./mod.d.ts", default: "./mod.js" },
      "./testing": { types: "./src/testing/mod.d.ts", default: "./src/testing/mod.js" },
      "./schema": "./schema/workflow.json",
      "./schema/config": "./schema/config.json",
      "./package.json": "./package.json",
    },
    dependencies: chosen(false),
    peerDependencies: peers,
    peerDependenciesMeta: Object.fromEntries(Object.keys(peers).map((name) => [name, { optional: true }])),
    // Who publishes from CI proves with it which commit the package was made from.
    publishConfig: { access: "public", provenance: true },
  };
}

/** Where the sources are, as git knows it: npm compares it with where the package was built. Undefined: git knows none. */
export function repositoryOf(root: string): string | undefined {
  try {
    const url = execFileSync("git", ["remote", "get-url", "origin"], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
    const [, host, path] = /^(?:https:\/\/|ssh:\/\/git@|git@)([^/:]+)[/:](.+?)(?:\.git)?$/.exec(url) ?? [];
    return host === undefined ? undefined : `git+https://${host}/${path}.git`;
  } catch (thrown) {
    // It ends with 2 where there is no such remote, with 128 where this is no clone.
    if (thrown instanceof Error && "status" in thrown && (thrown.status === 2 || thrown.status === 128)) {
      return undefined;
    }
    throw thrown;
  }
}
