import { RE2JS, RE2JSSyntaxException } from "re2js";
import { defined } from "./defined.ts";
import { BackstepError } from "./error.ts";

/** Characters a pattern may have. */
export const MAX_PATTERN = 1_000;

/** A user's regular expression, matched in time linear in the text. */
export interface Regex {
  readonly source: string;
  /** Any of "i", "m", "s", in this order. */
  readonly flags: string;
  /** Does it match anywhere in the text? */
  test(text: string): boolean;
  /** The first match and its groups (undefined: took no part), or undefined when there is none. */
  exec(text: string): readonly (string | undefined)[] | undefined;
}

/** What JavaScript's expressions have and a linear-time engine cannot: pattern, name, and the way around it. */
const LACKING: readonly (readonly [RegExp, string, string])[] = [
  [/\(\?<[=!]/, "lookbehind", "Match the text before it as well, or use two tests."],
  [/\(\?[=!]/, "lookahead", "Match the text after it as well, or use two tests."],
  [/\\[1-9]/, "backreference", "Write out what the group may be."],
  [/\\k</, "named backreference", "Write out what the group may be."],
  [/\(\?>/, "atomic group", "A plain group does the same here: matching never backtracks."],
];

/**
 * Compiles a regular expression that came from a user, in RE2's syntax: no lookaround, no backreferences, and so no
 * pattern that hangs. Flags: `i` ignores case, `m` lets ^ and $ match at lines, `s` lets the dot match "\n".
 * Throws `invalid` with the reason.
 *
 * @example
 * ```ts
 * import { compileRegex } from "./regex.ts";
 * if (!compileRegex("^sav", "i").test("Save")) throw new Error();
 * ```
 */
export function compileRegex(source: string, flags = ""): Regex {
  const fail = (why: string, hint?: string, cause?: unknown): BackstepError =>
    new BackstepError("invalid", `Cannot use the regular expression /${brief(source)}/${flags}: ${why}`, {
      ...defined({ hint, cause }),
      details: { pattern: brief(source), flags, reason: why },
    });
  if (source.length > MAX_PATTERN) {
    throw fail(`it has ${source.length} characters, ${MAX_PATTERN} are allowed`);
  }
  let bits = 0;
  for (const flag of new Set(flags)) {
    if (flag === "i") bits |= RE2JS.CASE_INSENSITIVE;
    else if (flag === "m") bits |= RE2JS.MULTILINE;
    else if (flag === "s") bits |= RE2JS.DOTALL;
    else {throw fail(
        `there is no flag "${flag}"`,
        "The flags are i (ignore case), m (lines) and s (dot matches all).",
      );}
  }
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(translated(source), bits);
  } catch (thrown) {
    const escaped = source.replace(/\\\\/g, "  ");
    const lack = LACKING.find(([pattern]) => pattern.test(escaped));
    if (lack) throw fail(`it has a ${lack[1]}, which this engine does not support`, lack[2], thrown);
    const reason = thrown instanceof RE2JSSyntaxException
      ? `${thrown.error}${thrown.input ? ` at "${brief(thrown.input)}"` : ""}`
      : thrown instanceof Error
      ? thrown.message
      : String(thrown);
    throw fail(reason, undefined, thrown);
  }
  return {
    source,
    flags: ["i", "m", "s"].filter((flag) => flags.includes(flag)).join(""),
    test: (text) => compiled.test(text),
    exec(text) {
      const matcher = compiled.matcher(text);
      if (!matcher.find()) return undefined;
      return Array.from({ length: matcher.groupCount() + 1 }, (_, k) => matcher.group(k) ?? undefined);
    },
  };
}

/** JavaScript's "\\u00e9" and "\\u{e9}" as RE2's "\\x{e9}"; RE2's own translation drops backslashes it does not know. */
function translated(source: string): string {
  return source.replace(
    /\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|[^])/g,
    (whole, braced, four) => (braced ?? four) === undefined ? whole : `\\x{${braced ?? four}}`,
  );
}

function brief(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 77)}...`;
}
