import { existsSync, readFileSync } from "node:fs";
import { BackstepError } from "./error.ts";

/** The package's own `package.json`; in a clone it says nothing of these packages, which Deno brings. */
const MANIFEST = new URL("../../package.json", import.meta.url);

/**
 * Imports what the npm package does not bring by itself. Where it is not installed, that is said by its name, with the
 * command that installs it.
 *
 * @param packages What `load` imports.
 * @throws {BackstepError} `missing`: one of them is not installed.
 */
export async function optional<T>(
  purpose: string,
  packages: readonly string[],
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const absent = packages.find((name) => isAbsent(cause, name));
    if (absent === undefined) throw cause;
    const wanted = versions();
    const install = packages.map((name) => wanted[name] === undefined ? name : `${name}@${wanted[name]}`);
    throw new BackstepError("missing", `Cannot ${purpose}: the npm package ${absent} is not installed`, {
      cause,
      hint: `Install it beside backstep: npm install ${install.join(" ")}`,
      details: { packages },
    });
  }
}

/** As Node, Bun and Deno say that there is no such package; a file that is missing inside of it is another fault. */
function isAbsent(cause: unknown, name: string): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND" &&
    (cause.message.includes(`package '${name}'`) || cause.message.includes(`"${name}" not a dependency`));
}

/** The versions that the npm package was made with. */
function versions(): Readonly<Record<string, string>> {
  if (!existsSync(MANIFEST)) return {};
  const manifest: unknown = JSON.parse(readFileSync(MANIFEST, "utf8"));
  if (typeof manifest !== "object" || manifest === null || !("peerDependencies" in manifest)) return {};
  const { peerDependencies } = manifest;
  if (typeof peerDependencies !== "object" || peerDependencies === null) return {};
  return Object.fromEntries(
    Object.entries(peerDependencies).filter((entry): entry is [string, string] =>
      typeof entry[1] === "string"
    ),
  );
}
