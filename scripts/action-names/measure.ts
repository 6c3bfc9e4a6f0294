import { Deadline } from "../../src/base/call.ts";
import type { ElementRef } from "../../src/desktop/desktop.ts";
import { type Meaning, meaningOf } from "../../src/desktop/actions/click-action.ts";
import { isItem, itemName } from "../../src/desktop/actions/items.ts";
import { clickOn } from "../../src/desktop/actions/point.ts";
import { visiblePart } from "../../src/desktop/visible.ts";
import { Role, roleOf } from "../../src/desktop/roles.ts";
import type { Snapshot } from "../../src/desktop/snapshot.ts";
import type { Line, Stage } from "./stage.ts";

/** What an action did, beside what a left click there did, in the application's own account. */
export interface Measured {
  readonly role: string;
  /** What it was tried on, by its name in the fixture. */
  readonly on: string;
  readonly action: string;
  /** What the code takes it for. */
  readonly meaning: Meaning;
  /** Undefined: it opens what has the keyboard then, or does what a menu of its own holds; it is not tried. */
  readonly did: readonly string[] | undefined;
  /** Undefined: it cannot be pointed at while it is shut away, or what it opens has the keyboard. */
  readonly clicked: readonly string[] | undefined;
}

/** Milliseconds for one action. */
const PATIENCE = 15_000;
/** Where the pointer, or the keyboard with it, merely came to. */
const PASSING: ReadonlySet<string> = new Set(["focus", "mousedown"]);
/** What opens a list has the keyboard then. */
const OPENERS: ReadonlySet<number> = new Set([Role.comboBox, Role.menu]);
/** What is never measured: texts, and what only holds others. */
const PASSED_OVER: ReadonlySet<number> = new Set([
  Role.label,
  Role.static,
  Role.filler,
  Role.panel,
  Role.frame,
  Role.dialog,
]);
/** Context menus, what they hold (GTK 4's "clipboard.copy"), and what scrolls. */
const UNTRIED = /^(?:show(?:context)?menu$|scroll)|\w\.\w/i;

/** What lines of an account say, each thing once, without what passes. */
export function actionsIn(lines: readonly Line[]): string[] {
  const actions = lines.filter(({ what }) => !PASSING.has(what)).map(({ what, of }) =>
    `${what} ${of ?? ""}`.trim()
  );
  return [...new Set(actions)].sort();
}

/** Rows of a fixture that are worth a try: those that are called something, each kind of thing once. */
export function subjects(tree: Snapshot): { readonly row: number; readonly on: string }[] {
  const inside = [...Array(tree.size).keys()].find((row) => tree.role(row) === Role.documentWeb) ?? 0;
  const found: { row: number; on: string }[] = [];
  for (let row = inside + 1; row < tree.end(inside); row++) {
    const role = tree.role(row);
    if (PASSED_OVER.has(role)) continue;
    const on = isItem(role) ? itemName(tree, row) : tree.name(row);
    // Of several alike the second, since the first may be chosen already.
    if (on === "" || on === "Reset" || / (?:one|three)$/.test(on) && !on.startsWith("Item")) continue;
    if (!found.some((one) => one.on === on)) found.push({ row, on });
  }
  return found;
}

/** Does each action of each thing, and clicks it; puts the fixture back in between. */
export async function measure(stage: Stage): Promise<Measured[]> {
  const measured: Measured[] = [];
  await stage.reset();
  for (const { on } of subjects(await stage.snapshot())) measured.push(...await measureOne(stage, on));
  return measured;
}

async function measureOne(stage: Stage, on: string): Promise<Measured[]> {
  const find = async (): Promise<[Snapshot, number, ElementRef]> => {
    const tree = await stage.snapshot();
    const subject = subjects(tree).find((one) => one.on === on);
    if (subject === undefined) throw new Error(`${on} is gone`);
    return [tree, subject.row, tree.element(subject.row)];
  };
  const [tree, row, element] = await find();
  const reading = await stage.desktop.read(element, { timeout: PATIENCE });
  if (reading.actions.length === 0) return [];
  const role = roleOf(reading.role, reading.statesLow, reading.statesHigh).word;
  const grabs = OPENERS.has(reading.role) && !tree.has(row, "editable");
  const click = async () => await clickOn(stage.desktop, (await find())[2], Deadline.after(PATIENCE));
  const pointed = visiblePart(tree, row) !== undefined && !grabs;
  const clicked = pointed ? actionsIn(await stage.during(click)) : undefined;
  const measured: Measured[] = [];
  for (const action of reading.actions) {
    const act = async () => {
      await stage.desktop.act((await find())[2], { do: "action", name: action }, { timeout: PATIENCE });
    };
    const did = UNTRIED.test(action) ? undefined : actionsIn(await stage.during(act, { grabs }));
    const meaning = meaningOf(action, reading, stage.application);
    measured.push({ role, on, action, meaning, did, clicked });
  }
  return measured;
}
