import type { Snapshot } from "./snapshot.ts";
import { axOf, isInteractive, wordOf } from "./vocabulary.ts";

/** Kinds of controls that the interface explorer looks for (its specification, section 5.2). */
export const ELEMENT_TYPES = [
  "button",
  "checkbox",
  "radio",
  "textfield",
  "dropdown",
  "slider",
  "link",
  "tab",
  "any",
] as const;
export type ElementType = (typeof ELEMENT_TYPES)[number];

/** Our words for what each kind means; `any` means every element that a person can act on. */
const TYPE_WORDS: Readonly<Record<Exclude<ElementType, "any">, readonly string[]>> = {
  button: ["button", "menubutton", "togglebutton"],
  checkbox: ["checkbox", "switch", "togglebutton", "checkmenuitem"],
  radio: ["radio", "radiomenuitem"],
  textfield: ["textfield", "textarea", "passwordfield", "dateeditor", "autocomplete", "terminal"],
  dropdown: ["combobox", "autocomplete", "menubutton"],
  slider: ["slider", "dial", "scrollbar"],
  link: ["link"],
  tab: ["tab"],
};

/** Is the element of a row of one of these kinds? */
export function isOfType(snapshot: Snapshot, row: number, types: readonly ElementType[]): boolean {
  const word = wordOf(snapshot, row);
  return types.some((type) =>
    type === "any" ? isInteractive(word) || word === "scrollbar" : TYPE_WORDS[type].includes(word)
  );
}

/** Is this the AX role, or subrole, of a row where it stands? */
export function hasAxRole(snapshot: Snapshot, row: number, wanted: string): boolean {
  const { role, subrole } = axOf(snapshot, row);
  return role === wanted || subrole === wanted;
}
