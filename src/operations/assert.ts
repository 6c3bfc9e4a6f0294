import { z } from "zod";
import { BackstepError, type Json } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import { type Context, defineOperation } from "../contract/operation.ts";
import { untilDeadline } from "../desktop/actions/read-back.ts";
import { stateNames } from "../desktop/state-words.ts";
import { Expectation } from "../checks/expectation.ts";
import { type Expectations, expectations, type Failure } from "../checks/properties.ts";
import { READS } from "../contract/effect.ts";
import { assertClipboard } from "./assert-clipboard.ts";
import { assertFile } from "./assert-file.ts";
import { Duration, milliseconds } from "./duration.ts";
import { lookKept } from "./look-kept.ts";
import { failures, failuresOfKept } from "./observe.ts";
import { FULL, LOOK, type Look, look, Target, targetText } from "./target.ts";
import { thereInstead } from "./there-instead.ts";

/** Characters of a value in an error's details. */
const MOST = 1_000;

const input = z.strictObject({
  target: Target.optional().describe("The element."),
  file: z.string().min(1).max(4_000).optional()
    .describe(
      "A file instead of an element: below the workflow's folder, or \"~/…\" in the desktop's HOME.",
    ),
  clipboard: Expectation.optional()
    .describe("The text on the clipboard, instead of an element; an empty text where there is none."),
  ...expectations,
  text: Expectation.optional().describe("The element's text, or the file's content."),
  timeout: Duration.optional().describe("How long it may take to become true; default 5 s."),
  must_pass: z.boolean().optional().describe(
    "Fail unless the assertion holds. Default true; false: only return the failures.",
  ),
}).superRefine((value, issues) => {
  const { target, file, clipboard, timeout: _o, must_pass: _m, ...properties } = value;
  if ([target, file, clipboard].filter((subject) => subject !== undefined).length !== 1) {
    issues.addIssue({
      code: "custom",
      path: ["target"],
      message: "Say one of `target`, `file` and `clipboard`",
    });
    return;
  }
  for (const [property, wanted] of Object.entries(properties)) {
    if (wanted === undefined || target !== undefined) continue;
    const ofFile = property === "exists" || property === "text";
    if (file !== undefined && ofFile) continue;
    const message = file === undefined
      ? "What the clipboard has stands in `clipboard` itself"
      : "Of a file, only `exists` and `text` are known";
    issues.addIssue({ code: "custom", path: [property], message });
  }
});

const Failures = z.array(
  z.strictObject({ property: z.string(), expected: z.unknown(), actual: z.unknown() }),
);
type Failed = z.infer<typeof Failures>[number];

/** Asserts a state of the interface, of a file, or of the clipboard. */
export const assertion = defineOperation({
  name: "assert",
  title: "Fail unless an element, a file or the clipboard is as expected",
  description:
    "Waits until an element, a file on the disk, or the text on the clipboard is as expected. When it fails, the " +
    "error shows the last values. Without an expectation, it checks that the element exists.",
  input,
  output: z.strictObject({
    passed: z.boolean().describe("false only with `must_pass: false`; otherwise this is an error."),
    failures: Failures.describe(
      "The assertions that do not hold; an error has this list in its details.",
    ),
    target: z.string(),
    count: z.int().optional().describe("How many elements match."),
    waited_ms: z.int(),
  }),
  hints: READS,
  traits: { waits: true, condition: true },
  timeout: 120_000,
  views: {
    yaml: { verb: "assert", scalar: (target) => ({ target: String(target) }) },
    cli: {
      command: "assert",
      positionals: [{ property: "target", name: "query", description: "The element", rest: true }],
      options: [
        {
          property: "file",
          kind: "path",
          description: "A file instead of an element; '~/…' is in the desktop's HOME",
        },
        {
          property: "clipboard",
          kind: "comparison",
          description: "The text on the clipboard instead of an element, or a comparison",
        },
        { property: "exists", kind: "boolean", description: "Whether anything matches" },
        ...stateNames.map((word) => ({
          property: word,
          kind: "boolean" as const,
          description: `Whether it is ${word}`,
        })),
        { property: "role", description: "A role word or an AX role" },
        {
          property: "title",
          kind: "comparison",
          description: "Its name, or a comparison: { contains: Draft }",
        },
        { property: "description", kind: "comparison", description: "Its accessible description" },
        {
          property: "value",
          kind: "comparison",
          description: "Its value, or a comparison: { at_least: 40 }",
        },
        { property: "text", kind: "comparison", description: "Its text, or the file's content" },
        { property: "contains_text", name: "contains-text", description: "A text that it shows" },
        { property: "count", kind: "comparison", description: "How many match: 3, or { at_least: 2 }" },
        { property: "timeout", kind: "time", description: "How long to wait until it is true; default 5s" },
      ],
      examples: [
        `backstep assert 'button[name="Save"]' --no-enabled --app gedit`,
        "backstep assert dialog --no-exists",
        `backstep assert textarea --contains-text "Hello" --timeout 2s`,
        `backstep assert progressbar --value '{ at_least: 40, not: 50 }'`,
        `backstep assert --clipboard '{ starts_with: "https://" }'`,
      ],
      toText: ({ target }) => `holds: ${target}`,
    },
  },
  resolve: () => Promise.resolve(undefined),
  effect: () => "read",
  subject: nameOf,
  async act(context, given) {
    const started = performance.now();
    const { target, file, clipboard, timeout, must_pass = true, ...expected } = given;
    const limit = milliseconds(timeout ?? 5_000);
    const answer = (count: number | undefined, failures: Failed[]) => ({
      passed: failures.length === 0,
      failures,
      target: nameOf(given),
      ...defined({ count }),
      waited_ms: Math.round(performance.now() - started),
    });
    try {
      if (file !== undefined) await assertFile(context, file, expected, limit);
      if (clipboard !== undefined) await assertClipboard(context, clipboard, limit);
      const last = target === undefined ? undefined : await assertElement(context, target, expected, limit);
      return answer(last?.rows.length, []);
    } catch (thrown) {
      if (must_pass || !(thrown instanceof BackstepError) || thrown.code !== "assertion") throw thrown;
      const { failures, expected = null, actual = null, count } = thrown.details ?? {};
      const failed = Failures.safeParse(failures);
      return answer(
        typeof count === "number" ? count : undefined,
        failed.success
          ? failed.data
          : [{ property: file === undefined ? "clipboard" : "file", expected, actual }],
      );
    }
  },
});

/** What an assertion is on. */
function nameOf({ target, file }: z.infer<typeof input>): string {
  return target === undefined ? file ?? "clipboard" : targetText(target);
}

/** One reading of the element: what was seen, or that its application does not run. */
interface Observed {
  readonly look: Look | undefined;
  readonly gone: BackstepError | undefined;
  readonly failed: readonly Failure[];
}

async function assertElement(
  context: Context,
  target: Target,
  expected: Expectations,
  limit: number,
): Promise<Look | undefined> {
  const fields = expected.value ?? expected.text ?? expected.contains_text;
  const looking = { ...context, deadline: context.deadline.within(limit + LOOK) };
  const read = async (whole = false): Promise<Observed> => {
    try {
      const kept = whole ? undefined : await lookKept(looking, target, { compared: true });
      if (kept !== undefined) {
        const judge = fields === undefined ? failures : failuresOfKept;
        return { look: kept, gone: undefined, failed: await judge(looking, kept, expected) };
      }
      const now = await look(looking, target, fields === undefined ? undefined : FULL);
      return { look: now, gone: undefined, failed: await failures(looking, now, expected) };
    } catch (thrown) {
      if (!(thrown instanceof BackstepError)) throw thrown;
      if (thrown.code === "stale") return { look: undefined, gone: thrown, failed: [] };
      if (thrown.code !== "app_not_running" && thrown.code !== "app_gone") throw thrown;
      return { look: undefined, gone: thrown, failed: [] };
    }
  };
  // An application named here may be misspelt: only the file's own one may be gone for good.
  const mayBeGone = expected.exists === false && typeof target === "string" && context.app !== undefined;
  const holds = ({ look, gone, failed }: Observed) =>
    look !== undefined ? failed.length === 0 : mayBeGone && gone?.code !== "stale";
  const seen = await untilDeadline(context.desktop, () => read(), holds, context.deadline.within(limit));
  if (seen.held) return seen.last.look;
  // What there is instead is told of the whole tree, once.
  const last = await read(true);
  if (holds(last)) return last.look;
  if (last.look === undefined) throw last.gone;
  throw unmet(target, last.look, last.failed, limit);
}

function unmet(target: Target, last: Look, failed: readonly Failure[], limit: number): BackstepError {
  const { matches, near, hint } = thereInstead(target, last);
  return new BackstepError(
    "assertion",
    `Cannot confirm ${targetText(target)}: ${
      failed.map(({ sentence }) => sentence).join("; ")
    } (waited ${limit} ms)`
      .slice(0, 1_500),
    {
      hint: last.rows.length > 1
        ? `Say which one, with :nth(1) or a name: ${matches.join(", ")}.`.slice(0, 800)
        : hint,
      details: {
        passed: false,
        failures: failed.map(({ property, expected, actual }): Json => ({
          property,
          expected: bounded(toJson(expected)),
          actual: bounded(actual),
        })),
        application: last.application.name,
        count: last.rows.length,
        matches: [...matches],
        ...(last.rows.length === 0 ? { candidates: [...near] } : {}),
      },
    },
  );
}

function toJson(expected: Expectation): Json {
  if (typeof expected !== "object") return expected;
  const json: Json = JSON.parse(JSON.stringify(expected));
  return json;
}

/** A whole text would be a part of every report; a comparison that is long is cut as it is written. */
function bounded(value: Json): Json {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > MOST ? `${text.slice(0, MOST - 1)}…` : value;
}
