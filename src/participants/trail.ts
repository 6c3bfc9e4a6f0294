import type { Call } from "../base/call.ts";
import { BackstepError, type Json } from "../base/error.ts";
import type { Application, Desktop, ElementRef } from "../desktop/desktop.ts";
import { Role } from "../desktop/roles.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { isQt, namesByChoice } from "../desktop/toolkits.ts";
import type { Surface } from "../contract/participant.ts";
import { surfaceOf } from "./surface.ts";

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
 * The way from the root down to a row: by id where there is one, else by role and name, with the position as a tie-break.
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

/**
 * The row that a trail leads to in another snapshot, or -1. The one at the old position is preferred among those that
 * fit; where another fits and it is the only one, it has moved. Nothing is taken for it that has another name.
 */
export function followTrail(snapshot: Snapshot, trail: readonly TrailStep[]): number {
  let row = 0;
  for (const step of trail) {
    const alike = snapshot.children(row).filter((child) => snapshot.role(child) === step.role);
    const fitting = alike.filter((child) => fits(snapshot, child, step));
    const there = alike[step.nth];
    const shows = step.id === "" && isNamedByChoice(snapshot.origin.application, step.role);
    const next = shows || (there !== undefined && fitting.includes(there))
      ? there
      : fitting.length > 0
      ? only(fitting)
      : RENAMED.has(step.role) && step.id === ""
      ? there
      : undefined;
    if (next === undefined) return -1;
    row = next;
  }
  return row;
}

/**
 * Qt and Swing name a combo box after what it shows, Qt a row of tabs, too: another that shows the same must not be taken for it.
 */
function isNamedByChoice(application: Application, role: number): boolean {
  if (role === Role.pageTabList) return isQt(application);
  return role === Role.comboBox && namesByChoice(application);
}

/** What toolkits name after what it shows: titles, and the choice of a combo box. */
const RENAMED: ReadonlySet<number> = new Set([
  Role.frame,
  Role.window,
  Role.dialog,
  Role.alert,
  Role.comboBox,
]);

function fits(snapshot: Snapshot, row: number, step: TrailStep): boolean {
  return step.id === "" ? snapshot.name(row) === step.name : snapshot.id(row) === step.id;
}

function only(rows: readonly number[]): number | undefined {
  return rows.length === 1 ? rows[0] : undefined;
}

/**
 * An element that can be found again: by its address while that holds, else by its trail in a fresh snapshot.
 */
export class Anchor {
  readonly application: Application;
  readonly trail: readonly TrailStep[];
  /** What it is drawn in; undefined: that is not known. */
  readonly surface: Surface | undefined;
  #element: ElementRef | undefined;

  private constructor(
    application: Application,
    trail: readonly TrailStep[],
    element: ElementRef | undefined,
    surface?: Surface,
  ) {
    this.surface = surface;
    this.application = application;
    this.trail = trail;
    this.#element = element;
  }

  /** Of an element that was found. */
  static of(located: Located): Anchor {
    const { application, snapshot, row, element } = located;
    return new Anchor(application, trailOf(snapshot, row), element, surfaceOf(located));
  }

  /** Of an element that another process described: it is found by its trail. */
  static at(application: Application, trail: readonly TrailStep[]): Anchor {
    return new Anchor(application, trail, undefined);
  }

  /** As it was found; undefined: by its trail alone. */
  get element(): ElementRef | undefined {
    return this.#element;
  }

  /** Equal for two steps that mean the same element of the same application. */
  get key(): string {
    return JSON.stringify([this.application.bus, this.#element?.path ?? this.trail]);
  }

  /** Its row in a snapshot, by its address and else by its trail, -1: it does not stand there; none: it is of another application. */
  rowsIn(snapshot: Snapshot): number[] {
    if (snapshot.origin.application.bus !== this.application.bus) return [];
    const row = this.#element === undefined ? -1 : snapshot.rowOf(this.#element);
    return [row >= 0 ? row : followTrail(snapshot, this.trail)];
  }

  /** Runs `action` on the element; when its address is stale, finds it again once and tries there. */
  async with<R>(desktop: Desktop, call: Call, action: (element: ElementRef) => Promise<R>): Promise<R> {
    if (this.#element === undefined) return await action(await this.#find(desktop, call));
    try {
      return await action(this.#element);
    } catch (thrown) {
      if (!(thrown instanceof BackstepError) || thrown.code !== "stale") throw thrown;
      return await action(await this.#find(desktop, call, thrown));
    }
  }

  async #find(desktop: Desktop, call: Call, stale?: BackstepError): Promise<ElementRef> {
    const snapshot = await desktop.snapshot(this.application, { ...call, fields: ["id"] });
    const row = followTrail(snapshot, this.trail);
    if (row < 0) {
      throw stale ?? new BackstepError(
        "not_found",
        `Cannot find an element of ${this.application.name} again: nothing is where it was, or it has another name`,
      );
    }
    return this.#element = snapshot.element(row);
  }

  describe(): Json {
    return {
      application: this.application.id ?? this.application.name,
      pid: this.application.pid,
      trail: this.trail.map((step) => ({ role: step.role, name: step.name, id: step.id, nth: step.nth })),
    };
  }
}
