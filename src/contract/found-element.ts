import type { Application, ElementRef, Rect } from "../desktop/desktop.ts";
import type { Spot } from "../desktop/reach.ts";
import { Snapshot } from "../desktop/snapshot.ts";
import { axOf } from "../desktop/vocabulary.ts";

/** An element that an act is about, as it was found. */
export interface FoundElement {
  /** Whose it is. */
  readonly application: Application;
  /** Where it was found. */
  readonly element: ElementRef;
  /** AtspiRole number. */
  readonly role: number;
  /** Its AX role, as its states make it: AXTextArea. */
  readonly ax: string;
  /** Its accessible name; "" when it has none. */
  readonly name: string;
  /** Its accessible description; "" when it has none. */
  readonly description: string;
  /** In pixels of the screen; undefined where it was not read. */
  readonly rect: Rect | undefined;
}

/**
 * The elements in what a target resolved to: it is one, or holds some. Read from the target itself, so that no operation can
 * forget to tell.
 */
export function elementsIn(target: unknown): readonly FoundElement[] {
  return spotsIn(target).map(elementOf);
}

/** The same as rows of the trees that they were found in. */
export function spotsIn(target: unknown): readonly Spot[] {
  const one = spotOf(target);
  if (one) return [one];
  if (typeof target !== "object" || target === null) return [];
  const parts = Array.isArray(target) ? target : Object.values(target);
  return parts.flatMap((part) => spotOf(part) ?? []);
}

function spotOf(value: unknown): Spot | undefined {
  if (typeof value !== "object" || value === null || !("snapshot" in value) || !("row" in value)) {
    return undefined;
  }
  const { snapshot, row } = value;
  if (!(snapshot instanceof Snapshot) || typeof row !== "number") return undefined;
  return { application: snapshot.origin.application, snapshot, row };
}

function elementOf({ application, snapshot, row }: Spot): FoundElement {
  return {
    application,
    element: snapshot.element(row),
    role: snapshot.role(row),
    ax: axOf(snapshot, row).role,
    name: snapshot.name(row),
    description: snapshot.description(row),
    rect: snapshot.rect(row),
  };
}
