import { Deadline, pause } from "../../base/call.ts";
import { toBackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { StepLook } from "../../contract/events.ts";
import type { Desktop, ElementRef, Rect, Watch } from "../../desktop/desktop.ts";
import { inPixels } from "../../desktop/rect.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import type { Session } from "../../session/session.ts";
import type { Mask } from "../secrets/mask.ts";
import type { Hidden } from "../secrets/hidden.ts";
import { Blackening } from "./blackening.ts";
import { KeptTrees, type TreePart } from "./kept-trees.ts";
import type { LogWriter } from "./log-writer.ts";
import { LookedTrees } from "./looked-trees.ts";
import { PixelMemory } from "./pixel-memory.ts";
import { ScreenPixels } from "./screen-pixels.ts";
import { Screenshots } from "./screenshots.ts";
import { treeLines } from "./tree.ts";
import { Trees } from "./trees.ts";

/**
 * Milliseconds for which a look stands while nothing is done, even where something moves by itself: before an action, and at
 * it. GTK 4 takes a third of a second to tell of a thousand elements.
 */
const STANDS = 500;
/** Milliseconds that one look may take. */
const LOOK = 5_000;

/**
 * Milliseconds within which an application draws what an action did: two frames of a screen. That something was drawn sooner
 * says little: GTK 3 draws the focus first, and what was typed with the next frame.
 */
const DRAWN = 34;

/** What trees may cost a run that goes on meanwhile: so many milliseconds, and so much of its time. */
const TREES = { first: 60, share: 0.02 };

/** A look with what it was made of, for finding elements in it. */
export interface Seen {
  readonly look: StepLook;
  readonly snapshots: readonly Snapshot[];
  /** They were read for it: there was time for that. Else they are from before, and no place has changed its window. */
  readonly fresh: boolean;
  /** What got the keyboard since they were read. */
  readonly focused: ElementRef | undefined;
  /** Where the picture's corner lies on the screen. */
  readonly origin: { readonly x: number; readonly y: number };
  /** Pixels of the picture for each unit of places. */
  readonly scale: number;
  /** The line of an element in the tree. */
  line(element: { readonly bus: string; readonly path: string }): number | undefined;
}

/** Looks at a desktop: a picture in which secrets are black, and the trees in which they are masked. Never throws. */
export class Looker {
  readonly hidden: Hidden;
  readonly pictures: Screenshots;
  readonly #trees: Trees;
  readonly #session: Session;
  readonly #mask: Mask;
  readonly #looked: LookedTrees;
  readonly #blackening: Blackening;
  readonly #screen: ScreenPixels;
  /** The number of the last picture, and what was shown in it. */
  #picture: { readonly number: number | undefined; readonly version: number } | undefined;
  #last: { readonly desktop: Desktop; readonly seen: Seen; readonly when: number } | undefined;
  #watch: { readonly desktop: Desktop; readonly watch: Watch } | undefined;
  readonly #kept = new KeptTrees();
  /** Who waits for the next look. */
  #waiting: ((seen: Seen) => void)[] = [];
  /** The look that is being made. */
  #making: Promise<unknown> = Promise.resolve();
  readonly #began = performance.now();
  /** When the last action was about to be done. */
  #actedAt = -Infinity;
  /** Milliseconds that trees have taken, and the last of them. */
  readonly #trees_ms = { all: 0, last: 0 };

  constructor(session: Session, mask: Mask, hidden: Hidden, log: Pick<LogWriter, "picture" | "entry">) {
    this.#session = session;
    this.#screen = new ScreenPixels(session);
    const memory = new PixelMemory();
    this.pictures = new Screenshots((...picture) => log.picture(...picture), memory);
    this.#trees = new Trees((tree, lines) => log.entry({ tree, lines }));
    this.#mask = mask;
    this.hidden = hidden;
    this.#looked = new LookedTrees(session, () => hidden.active);
    this.#blackening = new Blackening(hidden, this.#looked, memory);
  }

  /** Something was done: the next look is made afresh. */
  stale(): void {
    this.#last = undefined;
  }

  /** Something is about to be done: the next look is made afresh, once that is drawn. */
  acts(): void {
    this.stale();
    this.#actedAt = performance.now();
  }

  /** Ends the watch on the desktop. */
  close(): void {
    this.#watch?.watch.close();
    this.#watch = undefined;
  }

  /** From now on there are no pictures: a secret was typed, and no element can be told that got it. */
  blind(): void {
    this.#blackening.blind();
  }

  /** What has the keyboard now; undefined: nobody can say. */
  async focused(app: string | undefined, signal: AbortSignal | undefined): Promise<ElementRef[] | undefined> {
    const { desktop } = this.#session;
    const deadline = Deadline.after(LOOK, signal);
    const missing: string[] = [];
    try {
      const applications = await this.#looked.applications(desktop, app, deadline);
      const found = (await this.#looked.read(desktop, applications, missing, deadline)).flatMap(focusedOf);
      return missing.length > 0 ? undefined : found;
    } catch (thrown) {
      void toBackstepError(thrown); // whatever it was: who has the keyboard is not known
      return undefined;
    }
  }

  /**
   * Need a run not wait for its looks? Where secrets are about it does: what is shown is settled before anything else is done;
   * and where time passes only while it waits.
   */
  get deferred(): boolean {
    return !this.hidden.active && this.#session.desktop.virtualTime !== true;
  }

  /** Does somebody wait for the next look? */
  get awaited(): boolean {
    return this.#waiting.length > 0;
  }

  /** The last look, where nothing was done since and hardly any time passed; else the next one, whenever it is made. */
  next(): Promise<Seen> {
    const last = this.#standing();
    if (last && performance.now() - last.when < STANDS) return Promise.resolve(last.seen);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /**
   * The last look where nothing was done since, and nothing happened or hardly any time passed; else a new one. A `quick` one
   * has trees only where there is time for them: the run waits.
   */
  async look(app: string | undefined, signal: AbortSignal | undefined, quick = false): Promise<Seen> {
    const making = this.#making.then(() => this.#look(app, signal, quick));
    this.#making = making;
    const seen = await making;
    for (const resolve of this.#waiting.splice(0)) resolve(seen);
    return seen;
  }

  #standing() {
    const { desktop } = this.#session;
    return this.#last?.desktop === desktop && this.#last.seen.look.missing === undefined
      ? this.#last
      : undefined;
  }

  async #look(app: string | undefined, signal: AbortSignal | undefined, quick: boolean): Promise<Seen> {
    const { desktop } = this.#session;
    const last = this.#standing();
    // Without taking what was told meanwhile: a later look is to know of it.
    if (last && performance.now() - last.when < STANDS) return last.seen;
    const quiet = await this.#quiet(desktop);
    if (last) {
      const same = quiet && await this.#unchanged(desktop, app, Deadline.after(LOOK, signal));
      if (same) return { ...last.seen, look: { ...last.seen.look, at: Date.now() } };
    }
    const seen = await this.#afresh(desktop, app, Deadline.after(LOOK, signal), quick && this.deferred);
    this.#last = { desktop, seen, when: performance.now() };
    return seen;
  }

  /** No event came since this was asked last. */
  async #quiet(desktop: Desktop): Promise<boolean> {
    if (this.#watch?.desktop !== desktop) {
      this.close();
      this.#watch = { desktop, watch: desktop.watch() };
      this.#kept.note(undefined);
      return false;
    }
    const { watch } = this.#watch;
    const answer = await watch.next({ timeout: 0 }).catch(() => "lost"); // the desktop is gone: nothing is as before
    const events = watch.take();
    this.#kept.note(answer === "lost" ? undefined : events);
    return answer !== "lost" && events.length === 0;
  }

  /** Does the desktop still show what the last picture was made of? */
  async #unchanged(desktop: Desktop, app: string | undefined, deadline: Deadline): Promise<boolean> {
    const before = this.#picture;
    if (!before) return false;
    try {
      const applications = await this.#looked.applications(desktop, app, deadline);
      const shown = await this.#screen.now(applications, deadline, this.#blackening.hides);
      return typeof shown !== "string" && shown.version === before.version;
    } catch (thrown) {
      void toBackstepError(thrown); // the look that is made then says why
      return false;
    }
  }

  async #afresh(
    desktop: Desktop,
    app: string | undefined,
    deadline: Deadline,
    quick: boolean,
  ): Promise<Seen> {
    const at = Date.now();
    const missing: string[] = [];
    let snapshots: readonly Snapshot[] = [];
    let origin = { x: 0, y: 0 };
    let scale = 1;
    let picture: number | undefined;
    let hidden: readonly Rect[] = [];
    let whole = true;
    let lines: readonly string[] | undefined;
    try {
      const applications = await this.#looked.applications(desktop, app, deadline);
      await this.#quiet(desktop);
      whole = !quick;
      const before = whole ? undefined : this.#kept.current(applications);
      lines = before && await this.#kept.lines(desktop, deadline);
      // What is held of the trees tells at least whether there is a password field.
      whole ||= lines === undefined && this.#timeForTrees();
      if (before) snapshots = before;
      else if (!whole) {
        this.#kept.begin();
        snapshots = await this.#looked.read(desktop, applications, missing, deadline, "held");
      }
      whole ||= missing.length > 0;
      // Of password fields alone it is enough to know where they are.
      let placed = whole ? undefined : await this.#blackening.placed(desktop, snapshots, deadline);
      if (!placed && !whole && before) {
        // They cannot be asked alone; who is about to act may have read the tree just now.
        snapshots = await this.#looked.read(desktop, applications, missing, deadline, "held");
        placed = missing.length > 0 ? undefined : await this.#blackening.placed(desktop, snapshots, deadline);
      }
      if (placed) snapshots = placed;
      else whole = true;
      if (whole) {
        lines = undefined;
        missing.length = 0;
        this.#kept.begin();
        const from = performance.now();
        snapshots = await this.#looked.read(desktop, applications, missing, deadline);
        this.#trees_ms.last = performance.now() - from;
        this.#trees_ms.all += this.#trees_ms.last;
      }
      const unread = missing.length > 0;
      if (!unread && !whole && !before) this.#kept.take(snapshots);
      if (desktop.capabilities.pictures) {
        await this.#drawn(desktop, deadline);
        const shown = await this.#screen.now(applications, deadline, this.#blackening.hides);
        if (typeof shown === "string") missing.push(shown);
        else {
          const { frame, version } = shown;
          ({ origin } = shown);
          ({ scale = 1 } = frame);
          const same = this.#picture?.version === version && !unread && this.#blackening.showsAll(snapshots)
            ? this.#picture.number
            : undefined;
          const answer = same ??
            await this.#blackening.blackened(frame, origin, snapshots, unread, deadline, desktop);
          if (typeof answer === "string") missing.push(answer);
          else picture = typeof answer === "number" ? answer : await this.pictures.add(answer);
          this.#picture = { number: picture, version };
          hidden = this.#blackening.rects;
        }
      }
    } catch (thrown) {
      missing.push(toBackstepError(thrown).message);
    }
    let parts: readonly TreePart[] = lines === undefined ? [] : this.#kept.parts;
    if (whole) {
      ({ lines, parts } = this.#linesOf(snapshots));
      if (missing.length === 0) this.#kept.take(snapshots, lines, parts);
    }
    const look: StepLook = {
      at,
      ...defined({ picture }),
      ...(lines === undefined || lines.length === 0 ? {} : { tree: this.#trees.add(lines) }),
      ...(origin.x === 0 && origin.y === 0 ? {} : { corner: origin }),
      ...(scale === 1 ? {} : { scale }),
      ...(hidden.length === 0 ? {} : { hidden }),
      ...(missing.length === 0 ? {} : { missing: this.#mask.text(missing.join("; ").slice(0, 500)) }),
    };
    return {
      look,
      snapshots,
      fresh: whole,
      focused: whole ? undefined : this.#kept.focused,
      origin,
      scale,
      line(element) {
        for (const { snapshot, lineOf, from } of parts) {
          const line = lineOf.get(snapshot.rowOf(element));
          if (line !== undefined) return from + line;
        }
        return undefined;
      },
    };
  }

  #linesOf(snapshots: readonly Snapshot[]): {
    readonly lines: readonly string[];
    readonly parts: readonly TreePart[];
  } {
    const lines: string[] = [];
    const parts = snapshots.map((snapshot): TreePart => {
      const from = lines.length;
      const { lines: own, lineOf } = treeLines(snapshot, this.hidden.of(snapshot), this.#mask);
      lines.push(...own);
      return { snapshot, lineOf, from };
    });
    return { lines, parts };
  }

  #timeForTrees(): boolean {
    const { all, last } = this.#trees_ms;
    return all + last <= TREES.first + TREES.share * (performance.now() - this.#began);
  }

  /** Waits until what the last action did is drawn. What is in memory is drawn when it is pictured. */
  async #drawn(desktop: Desktop, deadline: Deadline): Promise<void> {
    const left = this.#actedAt + DRAWN - performance.now();
    if (left > 0 && desktop.kind !== "simulated") {
      await pause(Math.min(left, deadline.remaining()), deadline.signal);
    }
  }
}

/** Where an element is in a look, in pixels of its picture. */
export function placeIn(seen: Seen, element: Pick<ElementRef, "bus" | "path">): Rect | undefined {
  for (const snapshot of seen.snapshots) {
    if (snapshot.origin.application.bus !== element.bus) continue;
    const row = snapshot.rowOf(element);
    const rect = row < 0 ? undefined : snapshot.rect(row);
    if (rect) return inPixels(rect, seen.origin, seen.scale);
  }
  return undefined;
}

/** The elements that have the keyboard in a look. */
export function focusedIn(seen: Seen): ElementRef[] {
  if (seen.focused) return [seen.focused];
  return seen.snapshots.flatMap(focusedOf);
}

function focusedOf(snapshot: Snapshot): ElementRef[] {
  const found: ElementRef[] = [];
  for (let row = 0; row < snapshot.size; row++) {
    if (snapshot.has(row, "focused")) found.push(snapshot.element(row));
  }
  return found;
}
