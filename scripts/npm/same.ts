/** Whether what the unit tests run on is what the package has. @module */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isForTests } from "./emit.ts";

/** Declarations are for the compiler; no test runs them. */
const isRun = (path: string) => !path.endsWith(".d.ts") && !isForTests(path);

/** The files of `src` in two emitted trees, without tests and declarations. Throws where one has other bytes, or is missing. */
export function sameSources(tree: string, other: string): number {
  const filesOf = (root: string) =>
    globSync("src/**/*", { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)).filter(isRun);
  const own = new Set(filesOf(tree)), others = new Set(filesOf(other));
  const differing = [...own.union(others)].filter((path) =>
    !own.has(path) || !others.has(path) ||
    !readFileSync(join(tree, path)).equals(readFileSync(join(other, path)))
  );
  if (differing.length > 0) {
    throw new Error(
      `${tree} and ${other} differ in ${differing.length} files: ${differing.slice(0, 9).join(", ")}`,
    );
  }
  return own.size;
}
