import { z } from "zod";
import { BackstepError } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import { WRITES } from "../contract/effect.ts";
import { type Context, defineOperation } from "../contract/operation.ts";
import type { Application } from "../desktop/desktop.ts";
import { cellIn } from "../desktop/actions/cells.ts";
import { awaitFocus } from "../desktop/actions/focus.ts";
import { setText } from "../desktop/actions/set-text.ts";
import { typeText } from "../desktop/actions/type-text.ts";
import { raise } from "../desktop/actions/window.ts";
import { isBox } from "../desktop/describe.ts";
import { Interface } from "../desktop/interfaces.ts";
import { requireInput } from "../desktop/mode.ts";
import { isWebRow } from "../desktop/embedded.ts";
import { isGtk3 } from "../desktop/toolkits.ts";
import { labelOf } from "../participants/element.ts";
import { isAccessible } from "../session/inaccessible.ts";
import { windowOwnerFor } from "./application.ts";
import { holdersOf } from "./effects.ts";
import { type Kind, kindOf } from "./kind.ts";
import { Outcome, outcomeOf, outcomeText, subjectOf } from "./outcome.ts";
import { locate, type Match, Target } from "./target.ts";
import { withTree } from "./with-tree.ts";
import { uncover } from "./uncover.ts";

/** What is typed into, and read back. */
const TAKE_TEXT: ReadonlySet<Kind> = new Set(["text", "secure", "number"]);

/** Where the text goes: an element, or whatever has the keys in an application. */
interface Goal {
  readonly application: Application;
  readonly match: Match | undefined;
}

/** Types text as a person does. */
export const type = defineOperation({
  name: "type",
  title: "Type text into an element, or into the focused one",
  description:
    "Types text with the keyboard into an element, or into the focused one. The text is added at the " +
    "end, or at the caret if the element had the focus already. It is read back, except for password " +
    "fields.",
  input: z.strictObject({
    text: z.string().max(100_000).describe(
      'The text; "\\n" is Return, which cannot be undone in a field of one line.',
    ),
    into: Target.optional().describe("The element; default: the focused one."),
    clear: z.boolean().optional().describe("Empty the field first. Default false."),
    background: z.boolean().optional()
      .describe(
        "Insert at the caret without keys and without taking the focus, if the field supports it. " +
          "Default: only with mode: background.",
      ),
    shows: z.string().max(100_000).optional().describe(
      "The text that the field shows, if it changes what is typed (7*6 becomes 7×6); this is read back instead.",
    ),
    app: z.string().min(1).optional().describe("The application, when no element is named."),
  }),
  output: Outcome,
  hints: WRITES,
  timeout: 30_000,
  views: {
    yaml: { verb: "type", scalar: (value) => ({ text: String(value) }) },
    cli: {
      command: "type",
      positionals: [{ property: "text", description: "The text", required: true, rest: true }],
      options: [
        {
          property: "into",
          name: "element",
          description: "The element to type into; default: the focused one",
        },
        { property: "clear", kind: "boolean", description: "Empty the field first" },
        { property: "shows", description: "The text that the field shows, if it changes what is typed" },
        { property: "background", kind: "boolean", description: "Do not take the focus" },
      ],
      examples: ['backstep type "hello world" --app gedit', 'backstep type "query" --element "URL bar"'],
      toText: (output) => outcomeText(output.target === undefined ? "typed" : "typed into", output),
    },
  },
  async resolve(context, input): Promise<Goal> {
    if (input.into !== undefined) {
      const match = await locate(context, input.into);
      requireWay(context, match);
      return { application: match.application, match };
    }
    const application = await windowOwnerFor(context, input.app);
    const match = isAccessible(application) ? await focusedSoon(context, application) : undefined;
    requireWay(context, match);
    return { application, match };
  },
  effect(input, { match }) {
    if (match === undefined) return "irreversible";
    // Return in a field of one line sends its form, or answers its dialog; only where lines can be broken it is text.
    const lines = match.snapshot.has(match.row, "multiLine");
    if (/[\n\r]/.test(input.text) && !lines) return "irreversible";
    // Tab goes on to the next field, which what follows it is typed into; web pages leave text areas by it too.
    if (input.text.includes("\t") && (!lines || isWebRow(match.snapshot, match.row))) return "irreversible";
    return TAKE_TEXT.has(kindOf(match.snapshot, match.row)) ? "restorable" : "irreversible";
  },
  reaches: ({ text }, { application, match }) => [
    { by: "text", text, into: match, application: withTree(application) },
  ],
  protects: (_input, { match }) => match === undefined ? [] : holdersOf(match),
  followsFocus: ({ into }) => into === undefined,
  subject: (_input, { match }) => subjectOf(match),
  async act(context, input, { application, match }) {
    const { desktop, deadline } = context;
    if (match !== undefined) await uncover(context, match);
    if (input.clear === true) {
      if (match === undefined) {
        throw new BackstepError(
          "invalid",
          "Cannot clear what has the focus: nothing that can be found has it",
          {
            hint: "Say which element with `into`.",
          },
        );
      }
      await setText(desktop, match.element, "", deadline);
    }
    if (match === undefined) {
      await raise(desktop, application, deadline);
      if (isAccessible(application)) await awaitFocus(desktop, application, deadline);
    }
    const options = defined({ background: input.background, shows: input.shows });
    return outcomeOf(match, await typeText(desktop, match?.element, input.text, deadline, options));
  },
});

/** Keys are the only way into what cannot be written: known before anything is done. */
function requireWay({ desktop }: Context, match: Match | undefined): void {
  if (match?.snapshot.implements(match.row, Interface.editableText)) return;
  if (match !== undefined && isGtk3(match.application) && cellIn(match.snapshot, match.row) !== undefined) {
    throw new BackstepError(
      "unsupported",
      `Cannot type into ${labelOf(match)}: the keys would go to the search of its table`,
      {
        hint: "Write it with `set`; or open its editor with `click`, and `type` without an element.",
      },
    );
  }
  requireInput(
    desktop,
    match === undefined ? "type where the focus is" : `type into ${labelOf(match)}`,
    "keyboard",
  );
}

/** The element that has the keys, in a window that has just come once it gave them to one. */
async function focusedSoon(context: Context, application: Application): Promise<Match | undefined> {
  const { desktop, deadline } = context;
  return await focusedIn(context, application) ??
    (await awaitFocus(desktop, application, deadline) ? await focusedIn(context, application) : undefined);
}

/** The element that has the keys: the innermost one, or what it is a part of where that takes text: a text area of Qt has a part. */
async function focusedIn(context: Context, application: Application): Promise<Match | undefined> {
  const snapshot = await context.desktop.snapshot(application, {
    ...context.deadline.call(),
    fields: ["extents", "text", "value", "id", "selection"],
  });
  for (let row = snapshot.size - 1; row >= 0; row--) {
    if (!snapshot.has(row, "focused")) continue;
    let taker = row;
    while (taker > 0 && isBox(snapshot, taker) && snapshot.has(snapshot.parent(taker), "focused")) {
      taker = snapshot.parent(taker);
    }
    const whose = TAKE_TEXT.has(kindOf(snapshot, taker)) ? taker : row;
    return { application, snapshot, row: whose, element: snapshot.element(whose) };
  }
  return undefined;
}
