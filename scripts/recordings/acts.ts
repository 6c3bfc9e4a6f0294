import { pause } from "../../src/base/call.ts";
import type { Snapshot } from "../../src/desktop/snapshot.ts";
import { FURTHER, opened } from "./further-acts.ts";
import { MIDDLE, pick as pickOf, placeOf, type Plan, type Random, READS, type Spot } from "./plan.ts";
import { rowOf } from "./stage.ts";

export type { Plan } from "./plan.ts";

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

const RETURN = 0xff0d;
const CTRL = 0xffe3;
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
  ...Object.keys(FURTHER),
];

/** The kinds of acts of a session, where no others are asked for. */
export function kindsOf(): string[] {
  return [...KINDS];
}

/** The next act of a session, of what shows. Only of these kinds. */
export function planOf(random: Random, tree: Snapshot, kinds: readonly string[]): Plan {
  for (let n = 0; n < TRIES; n++) {
    const plan = draw(random, kinds);
    if (rowOf(tree, plan.needs ?? plan.openers[0] ?? plan.uses[0] ?? "") > 0) return plan;
  }
  throw new Error(`nothing shows that one of these could be done to: ${kinds.join(", ")}`);
}

/** Draws of which none may be possible. */
const TRIES = 10_000;

/** The acts that there are. */
export const plans = {
  /** Clicks once, or twice. */
  click: (kind: string, name: string, count = 1, spot = MIDDLE): Plan => ({
    kind,
    uses: [name],
    openers: [],
    run: async (person, { look }) => await person.click(placeOf(await look(), name, spot), 1, count),
  }),
  open: opened,
  /** Clicks into a field and types, and presses Return at will. */
  fill: (name: string, text: string, enter: boolean, spot = MIDDLE, kind = "field"): Plan => ({
    kind,
    uses: [name],
    openers: [],
    run: async (person, { look }) => {
      await person.click(placeOf(await look(), name, spot));
      await pause(READS);
      await person.type(text);
      if (enter) await person.key(RETURN);
    },
  }),
};

/** Clicks into a field and types, in place of what stands there. */
function replaced(kind: string, name: string, text: string, enter: boolean, spot: Spot): Plan {
  return {
    kind,
    uses: [name],
    openers: [],
    run: async (person, { look }) => {
      await person.click(placeOf(await look(), name, spot));
      await pause(READS);
      await person.chord(CTRL, "a".charCodeAt(0));
      await person.type(text);
      if (enter) await person.key(RETURN);
    },
  };
}

function draw(random: Random, kinds: readonly string[]): Plan {
  const pick = <T>(list: readonly T[]): T => pickOf(random, list);
  const kind = pick(kinds);
  const further = FURTHER[kind];
  if (further !== undefined) return further(random);
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
      return replaced(kind, "Password", PASSWORD, false, spot);
    case "spin": {
      const text = String(Math.floor(random() * 8) + 1);
      return replaced(kind, "Copies", text, random() < 0.5, { ...spot, across: 0.15 });
    }
    default:
      return plans.fill(pick(["Title", "Author"]), pick(WORDS), random() < 0.5, spot);
  }
}
