import type { Call } from "../base/call.ts";
import { BackstepError, type Json } from "../base/error.ts";
import type { Application, Desktop, ElementRef } from "../desktop/desktop.ts";
import type { Snapshot } from "../desktop/snapshot.ts";

/** An element together with the snapshot it was found in: what a locator resolves to. */
export interface Located {
  readonly application: Application;
  readonly snapshot: Snapshot;
  readonly row: number;
  readonly element: ElementRef;
}

/** One level of the way from the application to an element: what it is, and which of its like. */
export interface TrailStep {
  readonly role: number;
  readonly name: string;
  readonly id: string;
  /** Position among the siblings of the same role, from 0. */
  readonly nth: number;
}

/**
 * The way from the root down to a row. Names of the last step and of windows may change with a value or a title, so
 * that finding again prefers an id, then role and name, then role and position.
 */
export function trailOf(snapshot: Snapshot, row: number): TrailStep[] {
  const steps: TrailStep[] = [];
  for (let at = row; snapshot.parent(at) >= 0; at = snapshot.parent(at)) {
    const siblings = snapshot.children(snapshot.parent(at)).filter((s) =>
      snapshot.role(s) === snapshot.role(at)
    );
    steps.unshift({
      role: snapshot.role(at),
      name: snapshot.name(at),
      id: snapshot.id(at),
      nth: siblings.indexOf(at),
    });
  }
  return steps;
}

/** The row that a trail leads to in another snapshot, or -1. */
export function followTrail(snapshot: Snapshot, trail: readonly TrailStep[]): number {
  let row = 0;
  for (const step of trail) {
    const alike = snapshot.children(row).filter((child) => snapshot.role(child) === step.role);
    const next = step.id === ""
      ? namedOrPlaced(snapshot, alike, step)
      : alike.find((child) => snapshot.id(child) === step.id);
    if (next === undefined) return -1;
    row = next;
  }
  return row;
}

/** The one of this name; of several (GTK 4 calls every entry the same), the one in this place. */
function namedOrPlaced(snapshot: Snapshot, alike: readonly number[], step: TrailStep): number | undefined {
  const named = step.name === "" ? [] : alike.filter((child) => snapshot.name(child) === step.name);
  const placed = alike[step.nth];
  if (named.length === 1 || (placed !== undefined && !named.includes(placed))) return named[0] ?? placed;
  return placed ?? named[0];
}

/**
 * An element that can be found again: by its address while that holds, else by its trail in a fresh snapshot.
 */
export class Anchor {
  readonly application: Application;
  readonly trail: readonly TrailStep[];
  #element: ElementRef;

  constructor(located: Located) {
    this.application = located.application;
    this.trail = trailOf(located.snapshot, located.row);
    this.#element = located.element;
  }

  /** Equal for two steps that mean the same element of the same application. */
  get key(): string {
    return JSON.stringify([this.application.bus, this.#element.path]);
  }

  get element(): ElementRef {
    return this.#element;
  }

  /** Runs `deed` on the element; when its address is stale, finds it again once and tries there. */
  async with<R>(desktop: Desktop, call: Call, deed: (element: ElementRef) => Promise<R>): Promise<R> {
    try {
      return await deed(this.#element);
    } catch (thrown) {
      if (!(thrown instanceof BackstepError) || thrown.code !== "stale") throw thrown;
      const snapshot = await desktop.snapshot(this.application, { ...call, fields: ["id"] });
      const row = followTrail(snapshot, this.trail);
      if (row < 0) throw thrown;
      this.#element = snapshot.element(row);
      return await deed(this.#element);
    }
  }

  describe(): Json {
    return {
      application: this.application.id ?? this.application.name,
      trail: this.trail.map((step) => ({ role: step.role, name: step.name, id: step.id, nth: step.nth })),
    };
  }
}
