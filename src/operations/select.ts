import { z } from "zod";
import { BackstepError } from "../base/error.ts";
import { SETS } from "../contract/effect.ts";
import { type Context, defineOperation } from "../contract/operation.ts";
import { chooseItem, chooseNamed } from "../desktop/actions/choose.ts";
import { chooseSeveral } from "../desktop/actions/choose-several.ts";
import { findText, selectText } from "../desktop/actions/select-text.ts";
import { behavingAs } from "../desktop/embedded.ts";
import { Role } from "../desktop/roles.ts";
import { isWeb } from "../desktop/toolkits.ts";
import { choiceOf } from "../participants/combo-entry.ts";
import { focusOf } from "../participants/focus.ts";
import { textSelectionOf } from "../participants/text-selection.ts";
import { labelOf } from "../participants/element.ts";
import { kindOf } from "./kind.ts";
import { Outcome, outcomeOf, outcomeText, subjectOf } from "./outcome.ts";
import { locate, type Match, Target } from "./target.ts";
import { uncover } from "./uncover.ts";

/** Is a part of a text meant? */
function isOfText({ text, start }: { text?: string | undefined; start?: number | undefined }): boolean {
  return text !== undefined || start !== undefined;
}

/** What is selected, or what it is selected in. */
interface Chosen extends Match {
  /** To be chosen is to be clicked there. */
  readonly clicked: boolean;
}

/** Elements of HTML whose items the browser itself chooses. */
const NATIVE: ReadonlySet<string | undefined> = new Set(["option", "optgroup", "select"]);

/** Rows that a page has made of its own hear a click when they are chosen: it may do anything then. */
async function isClicked(
  { desktop, deadline }: Context,
  { application, element }: Match,
): Promise<boolean> {
  if (!isWeb(behavingAs(application, element))) return false;
  const { attributes } = await desktop.read(element, deadline.call());
  return !NATIVE.has(attributes["tag"]);
}

const Offset = z.int().min(0).max(10_000_000);

/** What holds one choice. */
const HOLD_ONE: ReadonlySet<number> = new Set([Role.comboBox, Role.pageTabList]);

/** Selects a part of a text, or items. */
export const select = defineOperation({
  name: "select",
  title: "Select a part of a text, or items",
  description:
    "Selects a part of a text, by its words or by its start and end; or an item of a list, table or " +
    "tree; or several items and no others. Unlike a click, it has no other effect; only rows that a " +
    "web page built itself are clicked. The selection is read back.",
  input: z.strictObject({
    target: Target,
    text: z.string().min(1).max(10_000).optional().describe(
      "The part of the text; it must occur exactly once.",
    ),
    start: Offset.optional().describe("Instead of `text`: the first character, from 0."),
    end: Offset.optional().describe("One past the last character."),
    items: z.array(z.string().min(1).max(1_000)).min(1).max(100).optional()
      .describe("Names of the items to select."),
  }).superRefine((value, issues) => {
    const ways = [value.text, value.start, value.items].filter((way) => way !== undefined).length;
    if (ways > 1 || (value.start === undefined) !== (value.end === undefined)) {
      issues.addIssue({
        code: "custom",
        path: [],
        message: "Say either `text`, or `start` and `end`, or `items`, or none of them to select an item",
      });
    }
  }),
  output: Outcome,
  hints: { ...SETS, destructive: false },
  timeout: 30_000,
  views: {
    yaml: { verb: "select", scalar: (value) => ({ target: String(value) }) },
    cli: {
      command: "select",
      positionals: [
        { property: "target", name: "query", description: "The element", required: true },
        { property: "text", description: "The part of its text", rest: true },
      ],
      options: [
        { property: "start", kind: "number", description: "Instead of a text: the first character, from 0" },
        { property: "end", kind: "number", description: "One past the last character" },
        {
          property: "items",
          name: "item",
          multiple: true,
          description: "Instead of a text: an item of a list, table or tree; may be repeated",
        },
      ],
      examples: [
        `backstep select 'textarea' "second line" --app gedit`,
        `backstep select 'list' --item Apples --item Pears`,
        `backstep select 'listitem[name="Apples"]'`,
      ],
      toText: (output) => outcomeText("selected in", output),
    },
  },
  async resolve(context, input): Promise<Chosen> {
    const match = await locate(context, input.target);
    return { ...match, clicked: !isOfText(input) && await isClicked(context, match) };
  },
  effect: (_input, { clicked }) => clicked ? "irreversible" : "restorable",
  protects: (input, match) => [
    ...(isOfText(input) ? [textSelectionOf(match)] : choiceOf(match)),
    focusOf(match),
  ],
  reaches(input, match) {
    if (isOfText(input)) return [];
    return input.items === undefined
      ? [{ by: "press", doing: "choose", spot: match }]
      : [{ by: "choice", spot: match, words: input.items }];
  },
  sets({ target, text, start, items }) {
    if (isOfText({ text, start })) return undefined;
    return items ?? (typeof target === "string" ? target : target.selector);
  },
  subject: (_input, match) => subjectOf(match),
  async act(context, input, match) {
    const { desktop, deadline } = context;
    await uncover(context, match);
    const { element } = match;
    if (input.items !== undefined) {
      if (kindOf(match.snapshot, match.row) !== "container") {
        throw new BackstepError("unsupported", `Cannot select items of ${labelOf(match)}: it holds none`, {
          hint: "Name the list, table or tree that holds them.",
        });
      }
      const [first, ...more] = input.items;
      if (first === undefined || !HOLD_ONE.has(match.snapshot.role(match.row))) {
        return outcomeOf(match, await chooseSeveral(desktop, element, input.items, deadline));
      }
      if (more.length === 0) return outcomeOf(match, await chooseNamed(desktop, element, first, deadline));
      throw new BackstepError(
        "invalid",
        `Cannot select ${input.items.length} items of ${labelOf(match)}: one can be chosen in it`,
        { hint: "Name that one." },
      );
    }
    if (!isOfText(input)) {
      if (kindOf(match.snapshot, match.row) !== "item") {
        throw new BackstepError("unsupported", `Cannot select ${labelOf(match)}: it is no item of a list`, {
          hint: "Use `text` for a part of a text, or `items` for items of a list, table or tree.",
        });
      }
      return outcomeOf(match, await chooseItem(desktop, element, deadline));
    }
    const { start, end } = await rangeOf();
    return outcomeOf(match, await selectText(desktop, element, start, end, deadline));

    async function rangeOf(): Promise<{ start: number; end: number }> {
      if (input.text === undefined) return { start: input.start ?? 0, end: input.end ?? 0 };
      const reading = await desktop.read(element, deadline.call());
      const [start, end] = findText(reading, input.text, `select in ${labelOf(match)}`);
      return { start, end };
    }
  },
});
