import type { ElementRef } from "../../desktop/desktop.ts";
import { folded } from "./destructive-words.ts";

/** What one act, or one call of it, would hit. */
export interface Hit {
  /**
   * "harmless"; "destructive": words say that something is lost; "unknown": nothing tells; "program": one is started;
   * "script": what is sent is run.
   */
  readonly kind: "harmless" | "destructive" | "unknown" | "program" | "script";
  /** How a sentence says it: "click", "press", "drag on". */
  readonly doing: string;
  /** What the element is called; of what is unknown, what is done there. */
  readonly name: string;
  /** What the application is called. */
  readonly app: string;
  /** AtspiRole number, where it is an element. */
  readonly role?: number;
  /** Its AX role, as its states make it, where its tree is known. */
  readonly ax?: string;
  /** The word that tells. */
  readonly word?: string;
  /** Why it is unknown, as the end of a sentence. */
  readonly why?: string;
  /** What tells it from others of the same name: the application's own words. */
  readonly apart: readonly string[];
  readonly mark: Mark;
  /** Where it is an element of a tree. */
  readonly element?: ElementRef;
  /** Of a script: all of it. */
  readonly script?: { readonly text: string; readonly language: string; readonly timeout?: number };
}

/** What tells whether two hits are one. */
export interface Mark {
  /** The application's address; "": none. */
  readonly bus: string;
  /** The element's address; undefined: not one element, but whatever bears the words. */
  readonly path: string | undefined;
  /** The name, folded. */
  readonly words: string;
  /** What its row of a list shows, and the group that it stands in; undefined: not looked at. */
  readonly around: string | undefined;
  /** From the corner of its window, in pixels; undefined: not known. */
  readonly place?: { readonly x: number; readonly y: number } | undefined;
}

/** Pixels that borders and hovering move things by. */
const SLACK = 8;

/** A mark, its words folded. */
export function markOf(mark: Mark): Mark {
  return { ...mark, words: folded(mark.words, " ").replace(/\s+/g, " ").trim() };
}

/**
 * Is what would be hit now what somebody agreed to? The same element, called the same, in the same row and at the same place:
 * a yes belongs to one element.
 */
export function isAgreed(agreed: Hit, now: Hit): boolean {
  const [a, b] = [agreed.mark, now.mark];
  if (agreed.kind !== now.kind || a.bus !== b.bus || a.words !== b.words) return false;
  if (a.path === undefined) return true;
  if (a.path !== b.path || !isEither(a.around, b.around)) return false;
  return a.place === undefined || b.place === undefined || isNear(a.place, b.place);
}

/**
 * Is it what somebody agreed to, made anew? Where an element goes before anything is sent, a yes holds for the one in its
 * place that is called the same, is the same to its application, and stands in the same row and at the same place.
 */
export function isAgreedAnew(agreed: Hit, now: Hit): boolean {
  return agreed.role === now.role && agreed.ax === now.ax && agreed.doing === now.doing &&
    isAgreed({ ...agreed, mark: { ...agreed.mark, path: now.mark.path } }, now);
}

/** The same, as far as both were looked at. */
function isEither(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined || a === b;
}

function isNear(a: { readonly x: number; readonly y: number }, b: typeof a): boolean {
  return Math.abs(a.x - b.x) <= SLACK && Math.abs(a.y - b.y) <= SLACK;
}

/** Is it the same end by another way: the same element, or another one of the same words in the same row? */
export function isSameEnd(refused: Hit, now: Hit): boolean {
  const [a, b] = [refused.mark, now.mark];
  if (a.bus !== b.bus) return false;
  if (refused.kind === "destructive" && now.kind === "destructive") {
    return a.words === b.words && (a.path === b.path || isEither(a.around, b.around));
  }
  return refused.kind === now.kind && a.words === b.words && a.path === b.path;
}
