import { userInfo } from "node:os";

/** How Deno and Node say that a user has no name: a container may run as a number that no file knows. */
const NAMELESS: ReadonlySet<unknown> = new Set(["ENOENT", "ERR_SYSTEM_ERROR"]);

/** The name of the user who runs this, as the system has it; undefined: it has none. */
export function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && NAMELESS.has(thrown.code)) return undefined;
    throw thrown;
  }
}
