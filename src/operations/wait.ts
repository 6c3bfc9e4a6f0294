import { z } from "zod";
import { BackstepError } from "../base/error.ts";
import { defineOperation } from "../contract/operation.ts";
import { untilDeadline } from "../desktop/actions/read-back.ts";
import { rowHas } from "../desktop/state-words.ts";
import { READS } from "../contract/effect.ts";
import { isNoTree } from "../session/inaccessible.ts";
import { Duration, milliseconds } from "./duration.ts";
import { lookKept } from "./look-kept.ts";
import { LOOK, type Look, look, Target, targetText } from "./target.ts";
import { thereInstead } from "./there-instead.ts";

const STATES = [
  "exists",
  "gone",
  "visible",
  "hidden",
  "enabled",
  "disabled",
  "focused",
  "checked",
  "unchecked",
  "selected",
  "expanded",
  "collapsed",
] as const;

/** Waits for an element to come to a state. There is no way to wait for mere time: that tests nothing. */
export const wait = defineOperation({
  name: "wait",
  title: "Wait until an element is there, gone, enabled…",
  description:
    "Waits until an element is visible, gone, enabled, checked… Errors: `timeout`, which says what was " +
    "there instead.",
  input: z.strictObject({
    target: Target,
    for: z.enum(STATES).optional().describe(
      "The expected state; default visible. gone: it is not in the tree; hidden: it does not show, or is not there. " +
        "Toolkits keep dialogs that were closed, hidden.",
    ),
    timeout: Duration.optional().describe("Default 10 s."),
  }),
  output: z.strictObject({ target: z.string(), state: z.enum(STATES), waited_ms: z.int() }),
  hints: READS,
  traits: { waits: true },
  timeout: 120_000,
  views: {
    yaml: { verb: "wait", scalar: (target) => ({ target: String(target) }) },
    cli: {
      command: "wait",
      positionals: [{
        property: "target",
        name: "query",
        description: "The element",
        required: true,
        rest: true,
      }],
      options: [
        {
          property: "for",
          description: `One of ${
            STATES.join(", ")
          }; default visible. A closed dialog may stay in the tree, hidden`,
        },
        { property: "timeout", kind: "time", description: "How long to wait: 500ms, 5s…; default 10s" },
      ],
      examples: ['backstep wait "Save" --app gedit', "backstep wait dialog --for hidden --timeout 3s"],
      toText: ({ target, state, waited_ms }) => `${target} is ${worded(state)} after ${waited_ms} ms`,
    },
  },
  resolve: () => Promise.resolve(undefined),
  effect: () => "read",
  subject: (input) => targetText(input.target),
  async act(context, input) {
    const started = performance.now();
    const state = input.for ?? "visible";
    const limit = milliseconds(input.timeout ?? 10_000);
    const looking = { ...context, deadline: context.deadline.within(limit + LOOK) };
    const read = async (whole = false): Promise<Look | { readonly thrown: unknown }> => {
      try {
        return (whole ? undefined : await lookKept(looking, input.target)) ??
          await look(looking, input.target);
      } catch (thrown) {
        if (!isNoTree(thrown)) throw thrown;
        return { thrown };
      }
    };
    const holds = (now: Look | { readonly thrown: unknown }) => !("thrown" in now) && isSo(now, state);
    const { held } = await untilDeadline(
      context.desktop,
      () => read(),
      holds,
      context.deadline.within(limit),
    );
    const target = targetText(input.target);
    // What there is instead is told of the whole tree, once.
    const last = held ? undefined : await read(true);
    if (last === undefined || holds(last)) {
      return { target, state, waited_ms: Math.round(performance.now() - started) };
    }
    if ("thrown" in last) throw last.thrown;
    const { matches, hint } = thereInstead(input.target, last);
    throw new BackstepError(
      "timeout",
      `Cannot wait for ${target}: ${
        last.rows.length === 0 ? "nothing matches" : `it is not ${worded(state)}`
      } after ${limit} ms`,
      {
        hint: state === "gone" && isSo(last, "hidden")
          ? `${hint} It stays, and does not show: wait until it is hidden, not gone.`
          : hint,
        details: { outcome: "not_sent", count: last.rows.length, matches: [...matches] },
      },
    );
  },
});

/** As it stands after "is". */
function worded(state: (typeof STATES)[number]): string {
  return state === "exists" ? "there" : state;
}

function isSo({ snapshot, rows }: Look, state: (typeof STATES)[number]): boolean {
  if (state === "gone") return rows.length === 0;
  if (state === "exists") return rows.length > 0;
  if (state === "hidden") return rows.every((row) => !rowHas(snapshot, row, "visible"));
  return rows.some((row) => rowHas(snapshot, row, state));
}
