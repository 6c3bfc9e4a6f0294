import type { Deadline } from "../../base/call.ts";
import type { Application, ElementRef } from "../element.ts";
import { isQuick } from "../quick.ts";
import { contains, type Point } from "../rect.ts";
import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import { rowHas } from "../state-words.ts";
import { couldLieAt, drawnLater } from "../stacking.ts";
import { hasState, State } from "../states.ts";
import { hasGtk3Widgets } from "../toolkits.ts";
import type { PlaceReply } from "./refreshed.ts";

/** Where an element is. */
type Address = Pick<ElementRef, "bus" | "path">;

/** What is asked of the reader of trees; places and points as the application tells them. */
export interface StackingSource {
  /** What is in the application: which elements, and in what order. */
  kept(application: Application, deadline: Deadline): Promise<Snapshot>;
  places(paths: readonly string[], application: Application, deadline: Deadline): Promise<PlaceReply[]>;
  /** What an element says lies at a point inside of it. */
  inside(
    application: Application,
    address: Address,
    point: Point,
    deadline: Deadline,
  ): Promise<Address | undefined>;
}

/** So many elements are asked where they lie; asking more takes longer than a page does to answer. */
const MOST_OTHERS = 150;
/** So many are asked in one call at most (`BACKSTEP_OP_PLACES`); what is drawn last is among them. */
const MOST_AT_ONCE = 4_096;
/** Sheets above sheets that are looked through. */
const DEEPEST = 8;

/**
 * What Qt Widgets and GTK 3 draw on top at a point. Of children that lie on each other they report the first
 * (QAccessibleWidget::childAt; ATK), and the last is drawn above the others. Each one that comes later than what was reported, beside
 * it or beside what it is in, is asked where it lies. That one lets the pointer through, or has a mask, they do not tell.
 */
export class Stacking {
  readonly #source: StackingSource;

  constructor(source: StackingSource) {
    this.#source = source;
  }

  /** What lies there, where this was reported. `seen`: what is in the application, where that was looked at a moment ago. */
  async above(
    application: Application,
    reported: Address,
    point: Point,
    deadline: Deadline,
    seen?: Snapshot,
  ): Promise<Address> {
    const kept = await this.#whole(application, seen, deadline);
    let hit = reported, within = 0;
    for (let turn = 0; turn < DEEPEST; turn++) {
      const row = kept.rowOf(hit);
      if (row < 0 || isQuick(kept, row)) return hit;
      const reports = hasGtk3Widgets(application);
      // Which of them show GTK 3 tells by events.
      const later = drawnLater(kept, row, within)
        .filter((one) => !reports || rowHas(kept, one, "visible")).slice(0, MOST_AT_ONCE);
      if (later.length === 0) return hit;
      const places = await this.#source.places(
        later.map((one) => kept.element(one).path),
        application,
        deadline,
      );
      const cover = later.find((_, k) => liesAt(places[k], point));
      if (cover === undefined) return hit;
      hit = await this.#source.inside(application, kept.element(cover), point, deadline) ??
        kept.element(cover);
      within = cover;
    }
    return hit;
  }

  /** Is there nothing else of a page that holds the point, by where all lies that could: then what a browser guessed is right. */
  async isAlone(
    application: Application,
    guess: Address,
    point: Point,
    deadline: Deadline,
    seen?: Snapshot,
  ): Promise<boolean> {
    const kept = await this.#whole(application, seen, deadline);
    const row = kept.rowOf(guess);
    const others = row < 0 ? undefined : couldLieAt(kept, row);
    if (others === undefined || others.length > MOST_OTHERS) return false;
    if (others.length === 0) return true;
    const places = await this.#source.places(
      others.map((one) => kept.element(one).path),
      application,
      deadline,
    );
    return !places.some((place) => holds(place, point));
  }

  async #whole(
    application: Application,
    seen: Snapshot | undefined,
    deadline: Deadline,
  ): Promise<Snapshot> {
    return seen?.role(0) === Role.application ? seen : await this.#source.kept(application, deadline);
  }
}

function liesAt(place: PlaceReply | undefined, point: Point): boolean {
  if (place?.states === undefined || !holds(place, point)) return false;
  const { statesLow, statesHigh } = place.states;
  return hasState(statesLow, statesHigh, State.showing) && hasState(statesLow, statesHigh, State.visible);
}

function holds({ rect: [left = 0, top = 0, width = -1, height = -1] }: PlaceReply, { x, y }: Point): boolean {
  return contains({ x: left, y: top, width, height }, x, y);
}
