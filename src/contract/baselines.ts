import { BackstepError } from "../base/error.ts";

/** What becomes of baselines: nothing, those that are missing are made, those that differ are made anew too, or all are. */
export const UPDATE_MODES: readonly UpdateMode[] = ["all", "changed", "missing", "none"];

/** When a baseline is written; see `writesBaseline`. */
export type UpdateMode = "all" | "changed" | "missing" | "none";

/** How a baseline's file ends: a picture, or a tree of roles and names. */
export const BASELINE_KINDS = [".png", ".tree.yaml"] as const;

/** What a baseline may depend on, the most lasting first: fall-back gives the last up first. */
export const VARIANT_KEYS: readonly VariantKey[] = ["platform", "scale", "theme", "font"];

/** One of the properties that a baseline may be kept for. */
export type VariantKey = "platform" | "scale" | "theme" | "font";

/** What a baseline was made under. A key that is absent does not matter. Values: letters, digits, ".", "_" and "-". */
export type Variant = { readonly [key in VariantKey]?: string };

/** A baseline as it is written in an input: a file's name with the keys that it is pinned to. */
export interface BaselineName {
  /** Below the folder, with its ending: "editor.png", "dialogs/save.tree.yaml". */
  readonly name: string;
  /** Keys that are to be exactly these, whatever the desktop is. */
  readonly variant: Variant;
}

/** A baseline's file. */
export interface BaselineFile {
  /** The one form in which results name it: "baseline:editor.png?scale=2". */
  readonly uri: string;
  /** Absolute. */
  readonly path: string;
  /** The keys that its name has. */
  readonly variant: Variant;
}

/** A baseline that was found. */
export interface Baseline extends BaselineFile {
  /** What is in it. */
  readonly bytes: Uint8Array;
}

/**
 * The baselines of a project: a folder that is confined, in which a file's name says what it was made under. Made by the
 * engine and by the command line; operations reach it as `context.baselines`.
 */
export interface Baselines {
  /** When `store` is to be called; see `writesBaseline`. */
  readonly mode: UpdateMode;
  /** Absolute; it need not exist. */
  readonly folder: string;
  /**
   * The baseline that fits best, else undefined. `name` is a path below the folder or a `baseline:` URI, whose keys go
   * before those of `variant`. All of the keys are tried first; then `font` is given up, then `theme`, and so on
   * (`fallbacks`).
   *
   * @throws {BackstepError} `invalid` for a name that is none, `io` where it cannot be read or is over 256 MiB.
   */
  find(name: string, variant: Variant): Promise<Baseline | undefined>;
  /**
   * Writes a baseline under exactly these keys (those of the name go before), at once or not at all.
   *
   * @throws {BackstepError} `invalid` for a name that is none, `io` where it cannot be written.
   */
  store(name: string, variant: Variant, bytes: Uint8Array): Promise<BaselineFile>;
}

/**
 * Keeps what a check saw beside the run that it belongs to: encrypted files of the run's folder, which reports and
 * `runs show` open by name. Where there is no run nothing is kept.
 */
export interface Evidence {
  /** The name under which the bytes are kept; undefined: nothing is kept here. */
  put(bytes: Uint8Array): string | undefined;
}

/** Nothing is kept: for commands without a run. */
export const NO_EVIDENCE: Evidence = { put: () => undefined };

/** There are none, and none can be made: where no project is known. */
export const NO_BASELINES: Baselines = {
  mode: "none",
  folder: "/",
  find: () => Promise.resolve(undefined),
  store: (name) =>
    Promise.reject(
      new BackstepError(
        "unsupported",
        `Cannot store the baseline ${name}: no folder of baselines is known here`,
      ),
    ),
};

/**
 * Is a baseline to be written?
 *
 * | | missing | differs | the same |
 * |---|---|---|---|
 * | `none` | | | |
 * | `missing` | written | | |
 * | `changed` | written | written | |
 * | `all` | written | written | written |
 */
export function writesBaseline(mode: UpdateMode, found: "missing" | "differs" | "same"): boolean {
  if (mode === "none") return false;
  if (mode === "all" || found === "missing") return true;
  return mode === "changed" && found === "differs";
}

/**
 * The keys to look under, in order: every subset of what is given, the most lasting key kept longest. `platform` goes
 * before `scale`, `scale` before `theme`, `theme` before `font`; what is pinned is never given up.
 *
 * @example
 * ```ts
 * import { fallbacks } from "./baselines.ts";
 * const tried = fallbacks({ platform: "linux", scale: "2" }, {}).map((keys) => Object.keys(keys).join("+"));
 * if (tried.join(" ") !== "platform+scale platform scale ") throw new Error(tried.join(" "));
 * ```
 */
export function fallbacks(variant: Variant, pinned: Variant): Variant[] {
  const free = VARIANT_KEYS.filter((key) => variant[key] !== undefined && pinned[key] === undefined);
  const found: Variant[] = [];
  for (let mask = 2 ** free.length - 1; mask >= 0; mask--) {
    const kept = free.filter((_, index) => (mask >> (free.length - 1 - index)) & 1);
    found.push(
      only(VARIANT_KEYS.map((key) => [key, pinned[key] ?? (kept.includes(key) ? variant[key] : undefined)])),
    );
  }
  return found;
}

/** Of these keys, those that have a value, in the order of `VARIANT_KEYS`. */
export function only(pairs: Iterable<readonly [string, string | undefined]>): Variant {
  const given = new Map(pairs);
  const kept: [string, string][] = [];
  for (const key of VARIANT_KEYS) {
    const value = given.get(key);
    if (value !== undefined) kept.push([key, value]);
  }
  return Object.fromEntries(kept);
}
