import { closest } from "../base/closest.ts";

/** `Did you mean "click"?`, or what there is when nothing is near; undefined when there is nothing at all. */
export function didYouMean(word: string, existing: Iterable<string>, what = "Known"): string | undefined {
  const all = [...existing];
  // A single letter is near to every other one.
  const near = word.length > 1 ? closest(word, all, 2) : [];
  if (near.length > 0) return `Did you mean ${near.map((n) => `"${n}"`).join(" or ")}?`;
  if (all.length === 0) return undefined;
  const shown = all.slice(0, 30).join(", ");
  return `${what}: ${shown}${all.length > 30 ? ", …" : ""}.`;
}

/** A value as a message shows it: quoted when it is a text, and never long. */
export function shown(value: unknown): string {
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
