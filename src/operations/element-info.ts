import { z } from "zod";
import { defined } from "../base/defined.ts";
import { calledBy, plainText } from "../desktop/describe.ts";
import { Role } from "../desktop/roles.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { bearer, notableStates, rowHas } from "../desktop/state-words.ts";
import { axOf, wordOf } from "../desktop/vocabulary.ts";
import { kindOf } from "./kind.ts";
import { valueOf } from "./value-of.ts";

/** Characters of a text or name in an answer; longer ones end in "…". */
const MOST = 200;
/** Characters of a text that are read for an answer: whether there are more shows in it. */
export const READ_TEXT = MOST + 1;

/** One element in an answer. */
export const ElementInfo = z.strictObject({
  role: z.string().describe("The selector word: button, textfield…"),
  ax_role: z.string().describe("The AX role: AXButton…"),
  ax_subrole: z.string().optional(),
  name: z.string(),
  id: z.string().optional().describe("The accessible id."),
  description: z.string().optional(),
  value: z.union([z.string(), z.number(), z.boolean()]).optional(),
  position: z.tuple([z.int(), z.int()]).optional().describe("[x, y] in screen pixels."),
  size: z.tuple([z.int(), z.int()]).optional().describe("[width, height]."),
  enabled: z.boolean(),
  focused: z.boolean(),
  visible: z.boolean(),
  states: z.array(z.string()).describe("States that differ from a plain, enabled, visible element."),
});
export type ElementInfo = z.infer<typeof ElementInfo>;

/** A row as an answer: bounded, and without the content of a password field. */
export function infoOf(snapshot: Snapshot, row: number): ElementInfo {
  const ax = axOf(snapshot, row);
  const rect = snapshot.rect(row);
  const id = snapshot.id(row);
  const description = snapshot.description(row);
  const whole = kindOf(snapshot, row) === "secure" ? null : valueOf(snapshot, row);
  const value = typeof whole === "string" ? brief(whole) : whole;
  const name = brief(snapshot.name(row));
  return {
    role: wordOf(snapshot, row),
    ax_role: ax.role,
    ...defined({ ax_subrole: ax.subrole }),
    name,
    ...(id === "" ? {} : { id }),
    ...(description === "" ? {} : { description: brief(description) }),
    ...(value === null || value === name ? {} : { value }),
    ...(rect === undefined ? {} : { position: [rect.x, rect.y], size: [rect.width, rect.height] }),
    enabled: rowHas(snapshot, row, "enabled"),
    focused: rowHas(snapshot, row, "focused"),
    visible: rowHas(snapshot, row, "visible"),
    // Applications set no states: those of their windows count.
    states: snapshot.role(row) === Role.application
      ? []
      : notableStates(bearer(snapshot, row), snapshot.origin.application),
  };
}

/** An element as one line for people: `button "Save" [focused] = …`. */
export function infoText(info: ElementInfo): string {
  const name = info.name === ""
    ? calledBy({ name: "", description: info.description })
    : ` ${JSON.stringify(info.name)}`;
  const states = info.states.length === 0 ? "" : ` [${info.states.join(" ")}]`;
  const shown = typeof info.value === "string" ? plainText(info.value) : info.value;
  // A text that was only marks of what is embedded in it says nothing; one that is empty says so.
  const silent = shown === undefined || shown === "" && info.value !== "";
  const value = silent ? "" : `: ${JSON.stringify(shown)}`;
  return `${info.role}${name}${states}${value}`;
}

/** Text cut to a length that fits an answer. */
export function brief(text: string): string {
  return text.length > MOST ? `${text.slice(0, MOST - 1)}…` : text;
}
