import type { Rect, Window } from "../../src/desktop/desktop.ts";
import type { Snapshot } from "../../src/desktop/snapshot.ts";
import type { Person, Place } from "./person.ts";
import { rowOf } from "./stage.ts";

/** Numbers that a seed gives, from 0 to below 1. */
export type Random = () => number;

/** What a person sees. */
export interface Sight {
  /** The tree of the application, which the judge looks at later. */
  look(): Promise<Snapshot>;
  /** Its windows. */
  windows(): Promise<readonly Window[]>;
}

/** What a person does in a trial: the elements that are used, in order, and openers, which need not be in the account. */
export interface Plan {
  readonly kind: string;
  readonly uses: readonly string[];
  readonly openers: readonly string[];
  /** What has to show for it; default: the first opener, or else the first that is used. */
  readonly needs?: string;
  /** Its elements are those of `uses`, whatever the account names: it names what came of them. None: the replay judges. */
  readonly exact?: true;
  /** It may do nothing, and then no step is right. */
  readonly idle?: true;
  run(person: Person, sight: Sight): Promise<void>;
}

/** Where in an element it is pressed, from its left and its top, from 0 to 1. */
export interface Spot {
  readonly across: number;
  readonly down: number;
}

export const MIDDLE: Spot = { across: 0.5, down: 0.5 };

/** Milliseconds in which a menu opens that a person then reads. */
export const OPENS = 500;
/** Milliseconds after which a person types into a field that was clicked. */
export const READS = 200;

/** The place of what is called so, the first or the last of them: what just opened. */
export function rectOf(tree: Snapshot, name: string, which?: "last"): Rect {
  const row = rowOf(tree, name, which);
  const rect = row > 0 ? tree.rect(row) : undefined;
  if (rect === undefined) throw new Error(`nothing that shows is called ${name}`);
  return rect;
}

export function placeOf(tree: Snapshot, name: string, spot: Spot, which?: "last"): Place {
  return spotOf(rectOf(tree, name, which), spot);
}

export function spotOf(rect: Rect, { across, down }: Spot): Place {
  return { x: Math.round(rect.x + rect.width * across), y: Math.round(rect.y + rect.height * down) };
}

/** One of them. */
export function pick<T>(random: Random, list: readonly T[]): T {
  const one = list[Math.floor(random() * list.length)];
  if (one === undefined) throw new Error("nothing to choose from");
  return one;
}
