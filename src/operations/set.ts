import { z } from "zod";
import { SETS } from "../contract/effect.ts";
import { defineOperation } from "../contract/operation.ts";
import { kindOf } from "./kind.ts";
import { Outcome, outcomeOf, outcomeText, subjectOf } from "./outcome.ts";
import { asksFirst, settingOf } from "./setting.ts";
import { editedCell } from "./setting-cell.ts";
import { Value } from "./set-value.ts";
import { locate, Target } from "./target.ts";
import { uncover } from "./uncover.ts";

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
    if (!asksFirst(match, value)) return match;
    const call = { ...context.deadline.call(), recent: true } as const;
    return { ...match, reading: await context.desktop.read(match.element, call) };
  },
  effect: (_input, match) =>
    kindOf(match.snapshot, match.row) !== "other" || editedCell(match) !== undefined
      ? "restorable"
      : "irreversible",
  protects: ({ value }, match) => settingOf(match, value).protects(),
  reaches: ({ value }, match) => settingOf(match, value).reaches,
  sets: ({ value }) => value,
  subject: (_input, match) => subjectOf(match),
  async act(context, { value }, match) {
    const { desktop, deadline } = context;
    await uncover(context, match);
    return outcomeOf(match, await settingOf(match, value).apply(desktop, deadline));
  },
});
