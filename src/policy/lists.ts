import { basename } from "node:path";
import type { AppIdentity } from "./security.ts";

/** Names of applications that may, and may not, be seen and touched. */
export interface AppLists {
  /** Where it names any, only these. */
  readonly allowed: readonly string[];
  /** Never these, allowed or not. */
  readonly denied: readonly string[];
}

/** Does either list name any? */
export function restricts({ allowed, denied }: AppLists): boolean {
  return allowed.length > 0 || denied.length > 0;
}

/**
 * Why an application may be neither seen nor touched. A name of a list means an application whose name, desktop id, window
 * class or program is just that, in whatever case. One of which nothing is known is blocked wherever a list names any.
 *
 * @example
 * ```ts
 * import { blockedBy } from "./lists.ts";
 * const lists = { allowed: [], denied: ["org.keepassxc.KeePassXC"] };
 * if (!blockedBy(lists, { name: "KeePassXC", id: "org.keepassxc.KeePassXC", pid: 1 })) throw new Error();
 * ```
 */
export function blockedBy(lists: AppLists, app: AppIdentity): string | undefined {
  if (!restricts(lists)) return undefined;
  const existing = new Set(wordsOf(app));
  const isNamed = (list: readonly string[]) => list.some((name) => existing.has(folded(name)));
  if (existing.size === 0) return "its application is unknown";
  if (isNamed(lists.denied)) return "it is denied";
  if (lists.allowed.length > 0 && !isNamed(lists.allowed)) return "it is not among those allowed";
  return undefined;
}

function wordsOf({ name, names = [], id, windowClass, executable }: AppIdentity): string[] {
  const words = [name, ...names, id, windowClass, executable, executable && basename(executable)];
  return words.flatMap((word) => word ? folded(word) : []).filter((word) => word !== "");
}

/** Case, composition, spaces around and ".desktop" at the end make no difference. */
function folded(name: string): string {
  return name.normalize("NFKC").trim().toLowerCase().replace(/\.desktop$/, "");
}
