import { z } from "zod";
import { defined } from "../base/defined.ts";
import { axActions } from "../desktop/ax-actions.ts";
import { isClassOfQt, plainText } from "../desktop/describe.ts";
import { Role } from "../desktop/roles.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { axStates, bearer, rowHas } from "../desktop/state-words.ts";
import { axOf, wordOf } from "../desktop/vocabulary.ts";
import { brief } from "./element-info.ts";
import { kindOf } from "./kind.ts";
import { valueOf } from "./value-of.ts";

const Frame = z.strictObject({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
  .describe("Screen pixels; all 0 where the application does not tell.");

/** One element, after sections 6 and 7 of the interface explorer's specification. */
export const Explored = z.strictObject({
  id: z.string().describe("Names it in later calls: a reference, or its path."),
  role: z.string().describe("AXButton…"),
  name: z.string().describe("Title, else description, else role."),
  title: z.string().optional(),
  value: z.string().optional(),
  description: z.string().optional(),
  frame: Frame,
  state: z.array(z.string()),
  capabilities: z.array(z.string()),
  actions: z.array(z.string()).describe("AX names: AXPress…"),
  attributes: z.record(z.string(), z.string()),
  get children() {
    return z.array(Explored).optional();
  },
});
export type Explored = z.infer<typeof Explored>;

/** What a descriptor is made of beside the row. */
export interface Reported {
  /** How later calls name it. */
  readonly id: string;
  /** Where its place in the whole tree says another role than the snapshot it was read in. */
  readonly role?: string;
}

/** A row as the explorer tells it, without its children. */
export function exploredOf(snapshot: Snapshot, row: number, reported: Reported): Explored {
  const ax = axOf(snapshot, row);
  const role = reported.role ?? ax.role;
  const title = snapshot.name(row);
  const description = snapshot.description(row);
  const value = valueText(snapshot, row);
  const rect = snapshot.rect(row);
  const actions = axActions(snapshot.actions(row), role);
  const attributes = attributesOf(snapshot, row, ax.subrole, rect === undefined);
  return {
    id: reported.id,
    role,
    name: brief(title || description || role),
    ...(title === "" ? {} : { title: brief(title) }),
    ...(value === undefined ? {} : { value: brief(value) }),
    ...(description === "" ? {} : { description: brief(description) }),
    frame: rect === undefined
      ? { x: 0, y: 0, width: 0, height: 0 }
      : { x: rect.x, y: rect.y, width: rect.width, height: rect.height },
    state: statesOf(snapshot, row),
    capabilities: capabilitiesOf(snapshot, row, role, actions, attributes),
    actions,
    attributes,
  };
}

/** Its value as text; undefined: it has none beside its title, or it is a password field. */
export function valueText(snapshot: Snapshot, row: number): string | undefined {
  if (kindOf(snapshot, row) === "secure") return undefined;
  const value = valueOf(snapshot, row);
  if (value === null || value === snapshot.name(row) || isPlaceholder(value)) return undefined;
  return String(value);
}

/** Nothing but marks for what is embedded, as Chromium's boxes tell as their text. */
export function isPlaceholder(value: unknown): boolean {
  return typeof value === "string" && value !== "" && plainText(value).trim() === "";
}

/** Does a person see it? Applications set no states: they do where one of their windows does. */
export function isShown(snapshot: Snapshot, row: number): boolean {
  if (snapshot.role(row) !== Role.application) return rowHas(snapshot, row, "visible");
  return snapshot.children(row).some((child) => rowHas(snapshot, child, "visible"));
}

/** Section 8.3: in its order, as pairs. */
export function statesOf(snapshot: Snapshot, row: number): string[] {
  const { application } = snapshot.origin;
  if (snapshot.role(row) === Role.application) {
    const active = snapshot.children(row).some((child) => rowHas(snapshot, child, "active"));
    return [
      "enabled",
      isShown(snapshot, row) ? "visible" : "hidden",
      active ? "focused" : "unfocused",
      "unselected",
    ];
  }
  const [enabled = "enabled", , ...rest] = axStates(bearer(snapshot, row), application);
  // Whether a GTK 4 element shows is told by its place too.
  return [enabled, rowHas(snapshot, row, "visible") ? "visible" : "hidden", ...rest];
}

const CLICKABLE = new Set([
  "button",
  "menubutton",
  "togglebutton",
  "checkbox",
  "switch",
  "radio",
  "link",
  "tab",
  "combobox",
  "menu",
  "menuitem",
  "checkmenuitem",
  "radiomenuitem",
]);
const TOGGLEABLE = new Set(["checkbox", "switch", "togglebutton", "checkmenuitem"]);

/** Section 8.4: in its order. */
export function capabilitiesOf(
  snapshot: Snapshot,
  row: number,
  role: string,
  actions: readonly string[],
  attributes: Readonly<Record<string, string>>,
): string[] {
  const word = wordOf(snapshot, row);
  const kind = kindOf(snapshot, row);
  const has = (action: string) => actions.includes(action);
  const table: readonly (readonly [string, boolean])[] = [
    ["clickable", has("AXPress") || CLICKABLE.has(word)],
    ["editable", rowHas(snapshot, row, "editable")],
    ["toggleable", TOGGLEABLE.has(word) || kind === "toggle"],
    ["selectable", snapshot.has(row, "selectable") || kind === "item" || kind === "radio"],
    ["adjustable", kind === "number" || has("AXIncrement") || has("AXDecrement")],
    ["scrollable", role === "AXScrollArea" || has("AXScrollToVisible")],
    ["hasChildren", snapshot.end(row) > row + 1 || (snapshot.columns.children[row] ?? 0) > 0],
    ["hasMenu", has("AXShowMenu")],
    ["hasHelp", "help" in attributes || "helpText" in attributes],
    ["hasTooltip", "tooltip" in attributes || "toolTip" in attributes],
    ["navigable", role === "AXLink"],
    ["focusable", snapshot.has(row, "focusable")],
  ];
  return table.filter(([, can]) => can).map(([name]) => name);
}

/** What section 8.5 leaves out, since it stands elsewhere. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  "role",
  "title",
  "value",
  "description",
  "identifier",
  "enabled",
  "visible",
  "focused",
  "selected",
  // The same of every element.
  "toolkit",
]);
/** Attributes shown of one element. */
const MOST = 20;

/** GDK writes a binding without a key as the symbol of none. */
function pressableKeys(keys: string): string {
  return keys.split(";").map((part) => part.includes("VoidSymbol") ? "" : part).join(";").replace(/^;+$/, "");
}

function attributesOf(
  snapshot: Snapshot,
  row: number,
  subrole: string | undefined,
  placeless: boolean,
): Record<string, string> {
  const description = snapshot.description(row);
  const keys = pressableKeys(snapshot.keys(row));
  const own: Record<string, string> = {
    ...defined({ subrole }),
    ...(keys === "" ? {} : { keyboardShortcut: keys }),
    // Toolkits tell what helps about a control, its tooltip most of all, as its description; Qt 5 tells its class there.
    ...(description === "" || isClassOfQt(description) ? {} : { helpText: description }),
    ...(description !== "" && snapshot.has(row, "hasTooltip") ? { tooltip: description } : {}),
    ...(placeless ? { frame: "unknown" } : {}),
  };
  const reported = Object.entries(snapshot.attributes(row)).filter(([key]) =>
    !ELSEWHERE.has(key) && !(key in own)
  );
  return Object.fromEntries(
    [...Object.entries(own), ...reported].slice(0, MOST).map(([key, text]) => [key, brief(text)]),
  );
}
