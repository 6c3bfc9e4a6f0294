import type { ElementEvidence, ElementTraits } from "./evidence.ts";
import { shared, similar } from "./similar.ts";

/** How like an element is to what was seen of another, from 0 to 1. */
export interface Likeness {
  readonly score: number;
  /** How alike what tells an element by itself is: what it is called; of what is called nothing, the best of the rest. */
  readonly identity: number;
  /** What it lies in and stands beside. */
  readonly surroundings: number;
  /** It is in the same boxes, and has the same number in them. */
  readonly inPlace: boolean;
  /** It lies in the same item of a list, table or tree, or in none as before. */
  readonly sameItem: boolean;
  /** For people: what agrees. */
  readonly reasons: readonly string[];
}

/** What each agreement weighs, where there is something to agree with. */
const WEIGHTS = {
  id: 4,
  name: 3,
  description: 1.5,
  labels: 2,
  placeholders: 1.5,
  content: 1.5,
  ancestors: 1.5,
  neighbours: 1.5,
  index: 0.5,
} as const;
type Trait = keyof typeof WEIGHTS;

/** What tells something that is called nothing. */
const REST: readonly Trait[] = ["description", "labels", "placeholders"];

/** Compares what was seen of an element with one that is there. What neither has counts for nothing, nor what was not read. */
export function likeness(before: Omit<ElementEvidence, "others">, other: ElementTraits): Likeness {
  const agreement: Partial<Record<Trait, number>> = {};
  const text = (trait: "id" | "name" | "description") => {
    // That it has an id by now says nothing: it may not have been read.
    if (before[trait] === "" && (trait === "id" || other[trait] === "")) return;
    agreement[trait] = trait === "id" ? Number(before.id === other.id) : similar(before[trait], other[trait]);
  };
  const list = (trait: "labels" | "placeholders" | "content") => {
    if (trait !== "content" && !before.labelled) return;
    if (before[trait].length === 0 && other[trait].length === 0) return;
    agreement[trait] = closest(before[trait], other[trait]);
  };
  text("id");
  text("name");
  text("description");
  list("labels");
  list("placeholders");
  list("content");
  agreement.ancestors = shared(before.ancestors, other.ancestors);
  agreement.neighbours = (similar(before.neighbours[0], other.neighbours[0]) +
    similar(before.neighbours[1], other.neighbours[1])) / 2;
  agreement.index = Number(before.index === other.index);
  let sum = 0, weights = 0;
  const reasons: string[] = [];
  for (const trait of traits) {
    const value = agreement[trait];
    if (value === undefined) continue;
    sum += value * WEIGHTS[trait];
    weights += WEIGHTS[trait];
    if (value >= 0.5) reasons.push(`${trait} ${Math.round(value * 100)} %`);
  }
  const identity = identityOf(before, other, agreement);
  const surroundings =
    (agreement.ancestors + agreement.neighbours + (agreement.labels ?? agreement.ancestors)) / 3;
  const sameItem = (before.item === undefined) === (other.item === undefined) &&
    similar(before.item ?? "", other.item ?? "") >= 0.5;
  const inPlace = agreement.index === 1 && agreement.ancestors === 1;
  return { score: sum / weights, inPlace, identity, surroundings, sameItem, reasons };
}

/** What is called otherwise is not the same because it stands in the same place: only a stable id says more than its name. */
function identityOf(
  before: ElementTraits,
  other: ElementTraits,
  agreement: Partial<Record<Trait, number>>,
): number {
  if (before.id !== "" && before.id === other.id) return 1;
  const own = before.name || before.content[0], theirs = other.name || other.content[0];
  if (own !== undefined || theirs !== undefined) return similar(own ?? "", theirs ?? "");
  return Math.max(0, ...REST.map((trait) => agreement[trait] ?? 0));
}

const traits: readonly Trait[] = [
  "id",
  "name",
  "description",
  "labels",
  "placeholders",
  "content",
  "ancestors",
  "neighbours",
  "index",
];

/** How alike the most alike of two lists are. */
function closest(a: readonly string[], b: readonly string[]): number {
  return Math.max(0, ...a.flatMap((one) => b.map((other) => similar(one, other))));
}
