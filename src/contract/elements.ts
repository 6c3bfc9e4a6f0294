import type { Application, ElementRef } from "../desktop/desktop.ts";

/** An element that somebody was told of, with the application that it belongs to. */
export interface ReferencedElement {
  /** As it ran when the element was seen. */
  readonly application: Application;
  /** Where it was seen, and what it looked like then. */
  readonly element: ElementRef;
}

/** Names for elements that live across calls: who was told one may use it wherever a selector is taken. */
export interface Elements {
  /** The reference of this element, "el-3f9c1a"; the same element keeps the same one. */
  keep(existing: ReferencedElement): string;
  /** What a reference stands for. Throws `not_found` where nobody was told it, or where it has been forgotten. */
  get(reference: string): ReferencedElement;
}

/** What a reference looks like, beside selectors. */
export const ELEMENT_REFERENCE = /^el-[0-9a-z]{6,}$/;
