import { BackstepError } from "../base/error.ts";
import { BASELINE_KINDS, type BaselineName, only, type Variant, VARIANT_KEYS } from "./baselines.ts";

/** What the one URI form begins with. */
const SCHEME = "baseline:";
/** Characters of a name with its keys. */
const LONGEST = 300;
const VALUE = /^[\w.-]{1,80}$/;
/** One part of a path: no dot in front, and nothing that the keys or a URI are written with. */
const PART = /^[\p{L}\p{N}_][\p{L}\p{N}_ .+-]*$/u;

/**
 * Reads a baseline's name: a path below the folder of baselines, or `baseline:` before it, and perhaps keys after it:
 * `editor.png`, `baseline:dialogs/save.png?scale=2&theme=Adwaita`.
 *
 * @throws {BackstepError} `invalid`, saying what of it cannot be.
 *
 * @example
 * ```ts
 * import { readBaselineName } from "./baseline-name.ts";
 * const { name, variant } = readBaselineName("baseline:editor.png?scale=2");
 * if (name !== "editor.png" || variant.scale !== "2") throw new Error(name);
 * ```
 */
export function readBaselineName(text: string): BaselineName {
  const fault = (why: string) =>
    new BackstepError("invalid", `Cannot use the baseline ${JSON.stringify(text.slice(0, 100))}: ${why}`, {
      hint: 'Write it as "editor.png", or "baseline:editor.png?scale=2".',
    });
  if (text.length > LONGEST) throw fault(`it has more than ${LONGEST} characters`);
  const bare = text.startsWith(SCHEME) ? text.slice(SCHEME.length) : text;
  const at = bare.indexOf("?");
  const name = at < 0 ? bare : bare.slice(0, at);
  const parts = name.split("/");
  if (parts.includes("..") || name.startsWith("/")) throw fault("it leads out of the folder of baselines");
  const wrong = parts.find((part) => !PART.test(part));
  if (wrong !== undefined) throw fault(`${JSON.stringify(wrong)} is no name of a file or folder`);
  if (!BASELINE_KINDS.some((kind) => name.endsWith(kind) && !name.endsWith(`/${kind}`))) {
    throw fault(`it ends neither in ${BASELINE_KINDS.join(" nor in ")}`);
  }
  const given = new Map<string, string>();
  for (const pair of at < 0 ? [] : bare.slice(at + 1).split("&")) {
    const [key = "", value = "", ...more] = pair.split("=");
    if (!VARIANT_KEYS.some((existing) => existing === key)) {
      throw fault(`${JSON.stringify(key)} is no key of a baseline; there are ${VARIANT_KEYS.join(", ")}`);
    }
    if (more.length > 0 || !VALUE.test(value) || given.has(key)) {
      throw fault(`${key} has no value that can be`);
    }
    given.set(key, value);
  }
  return { name, variant: only(given) };
}

/** The one form in which a baseline is named: `baseline:editor.png?scale=2&theme=Adwaita`, keys in their order. */
export function baselineUri({ name, variant }: BaselineName): string {
  const keys = VARIANT_KEYS.flatMap((key) => variant[key] === undefined ? [] : [`${key}=${variant[key]}`]);
  return `${SCHEME}${name}${keys.length > 0 ? `?${keys.join("&")}` : ""}`;
}

/** Its file below the folder: `editor@scale=2,theme=Adwaita.png`; without keys the name itself. */
export function baselineFile({ name, variant }: BaselineName): string {
  const kind = BASELINE_KINDS.find((ending) => name.endsWith(ending)) ?? "";
  const keys = VARIANT_KEYS.flatMap((key) => variant[key] === undefined ? [] : [`${key}=${variant[key]}`]);
  return `${name.slice(0, name.length - kind.length)}${keys.length > 0 ? `@${keys.join(",")}` : ""}${kind}`;
}

/** A value that a key can have, from whatever a desktop says: "Noto Sans 11" becomes "Noto-Sans-11"; "" becomes undefined. */
export function keyValue(text: string): string | undefined {
  const value = text.trim().replaceAll(/[^\w.-]+/g, "-").replaceAll(/^-+|-+$/g, "").slice(0, 80);
  return value === "" ? undefined : value;
}

/** The keys of a desktop with those that a name is pinned to before them. */
export function pinnedTo(pinned: Variant, variant: Variant): Variant {
  return only(VARIANT_KEYS.map((key) => [key, pinned[key] ?? variant[key]]));
}
