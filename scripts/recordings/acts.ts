import { pause } from "../../src/base/call.ts";
import type { Snapshot } from "../../src/desktop/snapshot.ts";
import type { Person, Place } from "./person.ts";
import { rowOf } from "./stage.ts";

/** Numbers that a seed gives, from 0 to below 1. */
export type Random = () => number;

/** A generator of numbers that is the same for each seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What a person does in a trial: the elements that are used, in order, and openers, which need not be in the account. */
export interface Plan {
  readonly kind: string;
  readonly uses: readonly string[];
  readonly openers: readonly string[];
  run(person: Person, look: () => Promise<Snapshot>): Promise<void>;
}

const RETURN = 0xff0d;
/** Milliseconds in which a menu opens that a person then reads. */
const OPENS = 500;
/** Milliseconds after which a person types into a field that was clicked. */
const READS = 200;
const WORDS = ["draft", "notes 7", "alpha2", "x", "memo book"];

/** The password that is typed: searched for byte by byte afterwards. */
export const PASSWORD = "hunter2q9";

const CLICKED: Readonly<Record<string, readonly string[]>> = {
  button: ["Save", "Send", "Print"],
  check: ["Bold", "Italic", "Underline"],
  radio: ["Red", "Green", "Blue"],
  toggle: ["Mute"],
  switch: ["Sound"],
  row: ["Alpha", "Beta", "Gamma"],
  cell: ["Inbox", "Drafts", "Sent"],
  tab: ["General", "Details"],
  "in page": ["In General", "In Details"],
};
const MENUS: Readonly<Record<string, readonly string[]>> = {
  File: ["Open", "Export"],
  Edit: ["Copy", "Paste"],
};
const SIZES = ["Small", "Medium", "Large"];
const KINDS = [
  ...Object.keys(CLICKED),
  "double",
  "menu",
  "combo",
  "field",
  "password",
  "spin",
  "slider",
  "dialog",
];

/** The next act of a session, of what shows. */
export function planOf(random: Random, tree: Snapshot): Plan {
  for (;;) {
    const plan = draw(random);
    if (rowOf(tree, plan.openers[0] ?? plan.uses[0] ?? "") > 0) return plan;
  }
}

/** Where in an element it is pressed, from its left and its top, from 0 to 1. */
interface Spot {
  readonly across: number;
  readonly down: number;
}

const MIDDLE: Spot = { across: 0.5, down: 0.5 };

/** The acts that there are. */
export const plans = {
  /** Clicks once, or twice. */
  click: (kind: string, name: string, count = 1, spot = MIDDLE): Plan => ({
    kind,
    uses: [name],
    openers: [],
    run: async (person, look) => await person.click(placeOf(await look(), name, spot), 1, count),
  }),
  /** Clicks what opens something, and then what is in there. A dialog's opener does something by itself. */
  open: (kind: string, first: string, then: string, spot = MIDDLE): Plan => ({
    kind,
    uses: kind === "dialog" ? [first, then] : [then],
    openers: kind === "dialog" ? [] : [first],
    run: async (person, look) => {
      await person.click(placeOf(await look(), first, spot));
      await pause(OPENS);
      await person.click(placeOf(await look(), then, spot, "last"));
    },
  }),
  /** Clicks into a field and types, and presses Return at will. */
  fill: (name: string, text: string, enter: boolean, spot = MIDDLE, kind = "field"): Plan => ({
    kind,
    uses: [name],
    openers: [],
    run: async (person, look) => {
      await person.click(placeOf(await look(), name, spot));
      await pause(READS);
      await person.type(text);
      if (enter) await person.key(RETURN);
    },
  }),
};

function draw(random: Random): Plan {
  const pick = <T>(list: readonly T[]): T => {
    const one = list[Math.floor(random() * list.length)];
    if (one === undefined) throw new Error("nothing to choose from");
    return one;
  };
  const kind = pick(KINDS);
  const spot = { across: 0.25 + 0.5 * random(), down: 0.3 + 0.4 * random() };
  const names = CLICKED[kind];
  if (names !== undefined) return plans.click(kind, pick(names), 1, spot);
  switch (kind) {
    case "double":
      return plans.click(kind, pick([...CLICKED["row"] ?? [], ...CLICKED["cell"] ?? []]), 2, spot);
    case "menu": {
      const menu = pick(Object.keys(MENUS));
      return plans.open(kind, menu, pick(MENUS[menu] ?? []), spot);
    }
    case "combo":
      return plans.open(kind, "Size", pick(SIZES), spot);
    case "dialog":
      return plans.open(kind, "Ask", pick(["Yes", "No"]), spot);
    case "slider":
      return plans.click(kind, "Volume", 1, spot);
    case "password":
      return plans.fill("Password", PASSWORD, false, spot, kind);
    case "spin": {
      const text = String(Math.floor(random() * 8) + 1);
      return plans.fill("Copies", text, random() < 0.5, { ...spot, across: 0.15 }, kind);
    }
    default:
      return plans.fill(pick(["Title", "Author"]), pick(WORDS), random() < 0.5, spot);
  }
}

function placeOf(tree: Snapshot, name: string, { across, down }: Spot, which?: "last"): Place {
  const row = rowOf(tree, name, which);
  const rect = row > 0 ? tree.rect(row) : undefined;
  if (rect === undefined) throw new Error(`nothing that shows is called ${name}`);
  return { x: Math.round(rect.x + rect.width * across), y: Math.round(rect.y + rect.height * down) };
}
