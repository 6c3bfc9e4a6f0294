import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** What values a setting takes, from a text (flag, environment) and from TOML. */
export interface Kind<T> {
  /** What is allowed, for faults and the reference: "one of normal, safe, sandboxed". */
  readonly allowed: string;
  /** Undefined: the text is no such value. */
  fromText(text: string): T | undefined;
  /** Undefined: the value of a file is none. */
  fromToml(value: unknown): T | undefined;
  /** For tables. */
  show(value: T): string;
}

/** One of these words, in any case. */
export function choice<const W extends string>(words: readonly W[]): Kind<W> {
  const read = (value: unknown) =>
    typeof value === "string" ? words.find((word) => word === value.trim().toLowerCase()) : undefined;
  return { allowed: `one of ${words.join(", ")}`, fromText: read, fromToml: read, show: (value) => value };
}

const YES: ReadonlySet<string> = new Set(["true", "1", "yes", "on"]);
const NO: ReadonlySet<string> = new Set(["false", "0", "no", "off"]);

/** True or false. */
export const truth: Kind<boolean> = {
  allowed: "true or false",
  fromText(text) {
    const word = text.trim().toLowerCase();
    return YES.has(word) ? true : NO.has(word) ? false : undefined;
  },
  fromToml: (value) => typeof value === "boolean" ? value : undefined,
  show: String,
};

/** A whole number within bounds. */
export function whole(least: number, most: number): Kind<number> {
  const read = (value: number) =>
    Number.isInteger(value) && value >= least && value <= most ? value : undefined;
  return {
    allowed: `a whole number from ${least} to ${most}`,
    fromText: (text) => /^\d{1,12}$/.test(text.trim()) ? read(Number(text)) : undefined,
    fromToml: (value) => typeof value === "number" ? read(value) : undefined,
    show: String,
  };
}

function readText(value: unknown): string | undefined {
  return typeof value === "string" && value.length <= 4_000 && !value.includes("\0") ? value : undefined;
}

/** Any text. */
export const text: Kind<string> = {
  allowed: "a text",
  fromText: readText,
  fromToml: readText,
  show: (value) => value,
};

/** A text that is never shown. */
export const secret: Kind<string> = {
  ...text,
  // An empty one protects nothing: it is as good as none.
  fromToml: () => undefined,
  show: (value) => value === "" ? "" : "********",
};

/** Names, separated by commas in a text. */
export const names: Kind<readonly string[]> = {
  allowed: "a list of names",
  fromText: (value) => value.split(",").map((name) => name.trim()).filter((name) => name !== ""),
  fromToml(value) {
    if (!Array.isArray(value) || value.length > 1_000) return undefined;
    const read = value.map(readText).filter((name) => name !== undefined && name.trim() !== "");
    return read.length === value.length ? read.flatMap((name) => name?.trim() ?? []) : undefined;
  },
  show: (value) => value.join(", "),
};

function readPath(value: unknown): string | undefined {
  const path = readText(value);
  if (path === undefined) return undefined;
  const whole = path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;
  return isAbsolute(whole) ? whole : undefined;
}

/** A file's absolute path; "~" is the home folder. */
export const file: Kind<string> = {
  allowed: "an absolute path of a file",
  fromText: readPath,
  fromToml: readPath,
  show: (value) => value,
};
