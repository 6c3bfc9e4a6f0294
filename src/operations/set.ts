import { z } from "zod";
import type { Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import { SETS } from "../contract/effect.ts";
import { type Context, defineOperation } from "../contract/operation.ts";
import type { Done } from "../desktop/actions/attempts.ts";
import type { Desktop } from "../desktop/desktop.ts";
import { Interface } from "../desktop/interfaces.ts";
import type { Reach } from "../desktop/reach.ts";
import { Role } from "../desktop/roles.ts";
import { isQt } from "../desktop/toolkits.ts";
import { chooseNamed } from "../desktop/actions/choose.ts";
import { type Cell, cellIn } from "../desktop/actions/cells.ts";
import { editCell } from "../desktop/actions/edit-cell.ts";
import { checkCell, holdsCheck } from "../desktop/actions/check-cell.ts";
import { setChecked } from "../desktop/actions/set-checked.ts";
import { setExpanded } from "../desktop/actions/set-expanded.ts";
import { setNumber } from "../desktop/actions/set-number.ts";
import { setText } from "../desktop/actions/set-text.ts";
import { expansionOf } from "../participants/expansion.ts";
import { focusOf } from "../participants/focus.ts";
import { checkedCellsOf } from "../participants/checked-cells.ts";
import { cellTextOf } from "../participants/cell-text.ts";
import { selectionOf } from "../participants/selection.ts";
import { textOf } from "../participants/text.ts";
import { labelOf } from "../participants/element.ts";
import { holdersOf } from "./effects.ts";
import { kindOf, partsOf } from "./kind.ts";
import { Outcome, outcomeOf, outcomeText, subjectOf } from "./outcome.ts";
import { locate, type Match, Target } from "./target.ts";

const Value = z.union([z.string().max(1_000_000), z.number(), z.boolean()]);
type Value = z.infer<typeof Value>;

/** Words for on and off: the tool design passes every value as a string. */
const WORDS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["on", true],
  ["yes", true],
  ["1", true],
  ["false", false],
  ["off", false],
  ["no", false],
  ["0", false],
]);

/** Sets the value of a control. */
export const set = defineOperation({
  name: "set",
  title: "Set an element to a value, and read it back",
  description:
    "Sets a control to a value and reads it back: the text of a field or of a cell of a table, the number of a slider or spin " +
    "button, a check box (also one in a row), switch, toggle or radio button to true or false, an expander to open or closed, a list, " +
    "combo box or row of tabs to the item of a name.",
  input: z.strictObject({ target: Target, value: Value.describe("The value to set.") }),
  output: Outcome,
  hints: SETS,
  views: {
    yaml: { verb: "set" },
    cli: {
      command: "set",
      positionals: [
        { property: "target", name: "query", description: "The element", required: true },
        { property: "value", description: "The value to set", required: true, rest: true },
      ],
      options: [],
      examples: [`backstep set 'slider[name="Volume"]' 70`, `backstep set 'combobox[name="Font"]' Sans`],
      toText: (output) => outcomeText("set", output),
    },
  },
  async resolve(context, { target, value }) {
    const match = await locate(context, target);
    if (editedCell(match) !== undefined && onOff(value) !== undefined) {
      const call = { ...context.deadline.call(), recent: true } as const;
      return { ...match, reading: await context.desktop.read(match.element, call) };
    }
    if (!isWords(value) || !isSpinText(match) || match.reading !== undefined) return match;
    // Whether a text can be set at all, its range tells.
    const call = { ...context.deadline.call(), recent: true } as const;
    return { ...match, reading: await context.desktop.read(match.element, call) };
  },
  effect: (_input, match) =>
    kindOf(match.snapshot, match.row) !== "other" || editedCell(match) !== undefined
      ? "restorable"
      : "irreversible",
  // Of a row of a tree, `set` changes whether it is open, not whether it is chosen.
  protects: ({ value }, match) => {
    if (isOpenable(match)) return [expansionOf(match), focusOf(match)];
    const cell = editedCell(match);
    if (cell !== undefined && (isCheck(match, value) || mayBeCheck(match, value))) {
      const text = isCheck(match, value) ? [] : [cellTextOf(match, cell)];
      return [selectionOf(match), checkedCellsOf(match, cell.view), ...text, focusOf(match)];
    }
    // To be edited it is clicked, which chooses its row: that goes back after its text.
    if (cell !== undefined) return [selectionOf(match), cellTextOf(match, cell), focusOf(match)];
    return isText(match, value) ? [textOf(match), focusOf(match)] : holdersOf(match);
  },
  reaches: (input, match) => reachesOf(match, input.value),
  sets: ({ value }) => value,
  subject: (_input, match) => subjectOf(match),
  async act(context, input, match) {
    return outcomeOf(match, await setTo(context, match, input.value));
  },
});

/** A value is written, or chosen; anything else is pressed until it shows what it is to show. */
function reachesOf(match: Match, value: Value): readonly Reach[] {
  switch (kindOf(match.snapshot, match.row)) {
    case "text":
    case "secure":
    case "number":
      return [];
    case "container":
      return [{ by: "choice", spot: match, words: [String(value)] }];
    default:
      return [{ by: "press", doing: "set", spot: match }];
  }
}

/** A cell that is written where it lies, by an editor that opens above it; undefined: it is none. */
function editedCell({ snapshot, row }: Match): Cell | undefined {
  const kind = kindOf(snapshot, row);
  return kind === "item" || kind === "other" ? cellIn(snapshot, row) : undefined;
}

function isOpenable({ snapshot, row }: Match): boolean {
  return kindOf(snapshot, row) === "item" && snapshot.has(row, "expandable");
}

async function setTo({ desktop, deadline }: Context, match: Match, value: Value): Promise<Done> {
  const { snapshot, row, element } = match;
  switch (kindOf(snapshot, row)) {
    case "text":
    case "secure":
      if (typeof value === "boolean") throw unfit(match, value, "a text");
      return await setText(desktop, element, String(value), deadline);
    case "number":
      if (isText(match, value)) return await setShown(desktop, match, value, deadline);
      return await setNumber(desktop, element, asNumber(match, value), deadline);
    case "toggle":
    case "radio":
      return await setChecked(desktop, element, asBoolean(match, value), deadline);
    case "opener":
      return await setExpanded(desktop, element, asBoolean(match, value), deadline);
    case "container":
      if (typeof value === "boolean") throw unfit(match, value, "the name of an item");
      return await chooseNamed(desktop, element, String(value), deadline);
    case "item":
    case "other": {
      if (snapshot.has(row, "expandable")) {
        return await setExpanded(desktop, element, asBoolean(match, value), deadline);
      }
      const cell = editedCell(match);
      if (cell === undefined) throw noValue(match);
      if (isCheck(match, value)) return await checkCell(desktop, element, asBoolean(match, value), deadline);
      if (typeof value === "boolean") throw unfit(match, value, "a text");
      if (mayBeCheck(match, value)) {
        const done = await checkIfThere(desktop, match, asBoolean(match, value), deadline);
        if (done) return done;
      }
      return await editCell(desktop, snapshot.element(cell.view), cell.at, String(value), deadline);
    }
  }
}

function isWords(value: Value): value is string {
  return typeof value === "string" && value.trim() !== "" && Number.isNaN(Number(value));
}

/** Is it a text for a spin button, which may be one of days or words? */
function isText(match: Match, value: Value): value is string {
  const range = match.reading?.value;
  // One that has room for a number takes numbers alone, and its text goes back with its number.
  if (range !== undefined && range.minimum < range.maximum) return false;
  return isWords(value) && isSpinText(match);
}

function isSpinText({ snapshot, row }: Match): boolean {
  return snapshot.role(row) === Role.spinButton && snapshot.implements(row, Interface.editableText);
}

/** Sets what a spin button shows that has no room for a number: a date of Qt. */
async function setShown(
  desktop: Desktop,
  match: Match,
  value: string,
  deadline: Deadline,
): Promise<Done> {
  const { value: range } = await desktop.read(match.element, {
    ...deadline.call(),
    recent: true,
    place: false,
  });
  if (range !== undefined && range.minimum < range.maximum) throw unfit(match, value, "a number");
  return await setText(desktop, match.element, value, deadline);
}

function noValue(match: Match): BackstepError {
  const { snapshot, row, element } = match;
  const parts = partsOf(snapshot, row).map((part) => labelOf({ ...match, row: part, element }));
  const why = parts.length > 0 ? "its parts hold it" : "it has no value";
  return new BackstepError("unsupported", `Cannot set ${labelOf(match)}: ${why}`, {
    hint: parts.length > 0
      ? `Set ${parts.join(", ")}, each in a step of its own.`
      : "Click it, or set the list or combo box that holds it.",
  });
}

function asNumber(match: Match, value: Value): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) throw unfit(match, value, "a number");
  return number;
}

/** Is it for the check box of a cell? */
function isCheck({ application, snapshot, row, reading }: Match, value: Value): boolean {
  if (onOff(value) === undefined) return false;
  if (typeof value === "boolean" && isQt(application)) return true;
  return reading !== undefined && holdsCheck(snapshot, row, reading);
}

const CHECKS = /^(?:true|false|on|off)$/i;

/** Is it a word for on or off in a cell of Qt that shows none? It does not tell of a check box before it is checked. */
function mayBeCheck({ application, snapshot, row }: Match, value: Value): boolean {
  return isQt(application) && typeof value === "string" && CHECKS.test(value) &&
    !CHECKS.test(snapshot.name(row));
}

/** Checks a cell of Qt that may have a check box; undefined: it has none that could be checked. */
async function checkIfThere(
  desktop: Desktop,
  { element }: Match,
  want: boolean,
  deadline: Deadline,
): Promise<Done | undefined> {
  try {
    const done = await checkCell(desktop, element, want, deadline);
    return want ? done : { ...done, warning: UNCHECKED };
  } catch (thrown) {
    if (thrown instanceof BackstepError && thrown.code === "unsupported") return undefined;
    throw thrown;
  }
}

const UNCHECKED = "it is not checked; whether it has a check box is not reported, and no text was written";

function onOff(value: Value): boolean | undefined {
  return typeof value === "boolean" ? value : WORDS.get(String(value).toLowerCase());
}

function asBoolean(match: Match, value: Value): boolean {
  const on = onOff(value);
  if (on === undefined) throw unfit(match, value, "true or false");
  return on;
}

function unfit(match: Match, value: Value, wants: string): BackstepError {
  const shown = typeof value === "string" ? "this text" : JSON.stringify(value);
  return new BackstepError("invalid", `Cannot set ${labelOf(match)} to ${shown}: it takes ${wants}`);
}
