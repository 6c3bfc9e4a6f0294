import { toBackstepError } from "../../base/error.ts";
import type { StepEvidence, StepLook, StepResult } from "../../contract/events.ts";
import type { ObserverPort, Touch } from "../../contract/recording-desktop.ts";
import type { Action, ElementRef, Gesture, Rect, WindowAction } from "../../desktop/desktop.ts";
import { Deadline, pause } from "../../base/call.ts";
import { inPixels } from "../../desktop/rect.ts";
import { defined } from "../../base/defined.ts";
import type { Session } from "../../session/session.ts";
import type { Encryption } from "../journal/encryption.ts";
import type { Journal } from "../journal/journal.ts";
import type { Hidden } from "../secrets/hidden.ts";
import type { Mask } from "../secrets/mask.ts";
import { settled } from "../model/settle.ts";
import { focusedIn, Looker, placeIn, type Seen } from "./looker.ts";
import { LOG } from "./log.ts";
import { LogWriter } from "./log-writer.ts";
import { seenStep } from "./pack.ts";

/** Milliseconds of quiet before the look after an action: two frames of a screen, and what an application tells in between. */
const QUIET = 40;
/** Milliseconds after which a step that has done nothing yet is taken for one that waits. */
const STEP = 250;
/** Milliseconds for asking where an element is. */
const PLACE = 500;
/** Places that are marked in one step. */
const MOST_MARKS = 8;

/** What only leads up to an action: the picture of the action is taken after it. */
const LEADS_UP: ReadonlySet<string> = new Set<Action["do"] | Gesture["do"] | WindowAction["do"]>([
  "focus",
  "caret",
  "selectText",
  "scrollTo",
  "scrollToPoint",
  "move",
  "activate",
  "restore",
]);

/** What an observer is made of. */
export interface ObserverParts {
  readonly session: Session;
  readonly mask: Mask;
  /** What no picture and no tree of the run shows. */
  readonly hidden: Hidden;
  /** Where it is kept. */
  readonly folder: string;
  readonly encryption: Encryption;
  /** Ends even the rollback. */
  readonly signal: AbortSignal | undefined;
}

/** Sees each step of a run before, at its action and after, and keeps that beside the run while it goes. */
export class Observer {
  readonly #parts: ObserverParts;
  readonly #looker: Looker;
  readonly #log: LogWriter;
  #steps = 0;
  /** The steps so far are written, in their order. */
  #written: Promise<void> = Promise.resolve();
  /** The run is at its end: what is to be seen is looked at now. */
  readonly #over = new AbortController();
  /** What looks when it is quiet. */
  #idle: Promise<unknown> = Promise.resolve();
  /** The step that goes on begins something: it looks itself before that. */
  #begun = new AbortController();

  constructor(parts: ObserverParts) {
    this.#parts = parts;
    this.#log = new LogWriter(parts.folder, parts.encryption);
    this.#looker = new Looker(parts.session, parts.mask, parts.hidden, this.#log);
  }

  /** Begins to look at a step. */
  async step(path: string, app: string | undefined): Promise<StepObserver> {
    const looker = this.#looker;
    this.#begun.abort();
    this.#begun = new AbortController();
    // A step looks before it does something; one that only waits is not to wait for that.
    if (looker.awaited) this.#whenQuiet(app, STEP);
    // What a run waits for is looked at once, before it is acted on.
    const before = looker.deferred
      ? looker.next()
      : Promise.resolve(await looker.look(app, this.#parts.signal));
    return new StepObserver(looker, this.#parts, app, before, (evidence, step) => {
      this.#steps++;
      this.#written = this.#written.then(async () => {
        this.#log.entry({ step: seenStep(path, await evidence, step) });
      });
      if (looker.awaited) this.#whenQuiet(app);
    });
  }

  /** Sees what the steps so far left, before something else is done that is none of a step's actions. */
  async catchUp(): Promise<void> {
    if (this.#looker.awaited) await this.#looker.look(undefined, this.#parts.signal);
  }

  /** Looks once the desktop is quiet, unless the run had to by then, or the next step begins. */
  #whenQuiet(app: string | undefined, after = 0): void {
    const begun = this.#begun.signal;
    const looks = async () => {
      const sooner = AbortSignal.any([begun, this.#over.signal]);
      await quiet(this.#parts, sooner, after);
      if (!begun.aborted && this.#looker.awaited) await this.#looker.look(app, this.#parts.signal, true);
    };
    this.#idle = Promise.all([this.#idle, looks()]);
  }

  /** What the desktop looks like after a rollback. */
  async rollback(path: string): Promise<StepLook> {
    await this.catchUp();
    await quiet(this.#parts);
    this.#looker.stale();
    const { look } = await this.#looker.look(undefined, this.#parts.signal);
    this.#log.entry({ rollback: { path, after: look } });
    return look;
  }

  /** Waits until all of it is on the disk, and names it in the journal. Throws `io`. */
  async keep(journal: Journal): Promise<void> {
    this.#over.abort();
    await this.#idle;
    await this.catchUp();
    await this.#written;
    const { bytes, dropped } = await this.#log.finish();
    const pictures = this.#looker.pictures.count - dropped;
    journal.write({ kind: "evidence", artefact: LOG, steps: this.#steps, pictures, dropped, bytes });
  }

  /** Removes what was kept so far: nobody wants it. */
  async discard(): Promise<void> {
    await this.#log.discard();
  }

  /** Sees nothing any more. */
  async close(): Promise<void> {
    this.#over.abort();
    await this.#idle;
    this.#looker.close();
    await this.#log.close();
  }
}

/** Sees one step. */
export class StepObserver implements ObserverPort {
  readonly #looker: Looker;
  readonly #parts: ObserverParts;
  readonly #app: string | undefined;
  readonly #before: Promise<Seen>;
  readonly #over: (evidence: Promise<StepEvidence>, step: StepResult) => void;
  readonly #marks: Rect[] = [];
  #action: Seen | undefined;
  #line: number | undefined;
  #touched = false;
  #typed = false;
  #secret = false;

  constructor(
    looker: Looker,
    parts: ObserverParts,
    app: string | undefined,
    before: Promise<Seen>,
    over: (evidence: Promise<StepEvidence>, step: StepResult) => void,
  ) {
    this.#looker = looker;
    this.#parts = parts;
    this.#app = app;
    this.#before = before;
    this.#over = over;
  }

  /** A try begins: where its input holds a secret, what it goes into is never shown again. */
  takes(secret: boolean): void {
    if (secret) this.#secret = true;
    this.#marks.length = 0;
    this.#action = undefined;
    this.#line = undefined;
  }

  /** It is about to do something, by calls to the desktop or otherwise: what is there before is seen. */
  async begins(): Promise<void> {
    if (!this.#touched && this.#looker.awaited) await this.#look();
  }

  async about(touch: Touch): Promise<void> {
    const { element } = touch;
    const types = touch.do === "type" || touch.do === "press";
    if (element && this.#secret) this.#looker.hidden.received(element);
    if (!LEADS_UP.has(touch.do)) {
      if (this.#touched) this.#looker.stale();
      this.#action ??= await this.#look();
    }
    await this.begins();
    this.#touched = true;
    const seen = this.#action ?? await this.#before;
    if (types) {
      const focused = focusedIn(seen);
      if (this.#secret) { for (const one of focused) this.#looker.hidden.received(one); }
      if (this.#secret) this.#typed = true;
    }
    const acted = element ?? (types ? focusedIn(seen).at(-1) : undefined);
    if (acted) this.#mark(await this.#placeOf(seen, acted));
    for (const { x, y } of touch.points ?? []) {
      const { x: left, y: top } = inPixels({ x, y, width: 0, height: 0 }, seen.origin, seen.scale);
      this.#mark({ x: left, y: top, width: 0, height: 0 });
    }
    if (acted) this.#line ??= seen.line(acted);
    this.#looker.acts();
  }

  /** The step is over. What is known of it by then; the rest comes with the next look, and is kept with it. */
  async after(step: StepResult): Promise<StepEvidence> {
    const acted = this.#touched || step.effect !== "read";
    // Why it failed is to be seen, and where what a check pictured must not be: no earlier look stands for that.
    const now = !this.#looker.deferred || step.error !== undefined;
    if (acted && now) await quiet(this.#parts);
    if (acted || step.error) this.#looker.stale();
    if (this.#typed) await this.#whereTyped();
    const action = this.#action?.look;
    const marks = this.#marks.slice(0, MOST_MARKS);
    const soFar = {
      ...(action ? { action } : {}),
      ...(marks.length > 0 ? { marks } : {}),
      ...defined({ line: this.#line }),
    };
    const next = now ? Promise.resolve(await this.#look(false)) : this.#looker.next();
    const whole = Promise.all([this.#before, next])
      .then(([before, after]): StepEvidence => ({ before: before.look, ...soFar, after: after.look }));
    this.#over(whole, step);
    return now ? await whole : soFar;
  }

  /** A secret was typed: into what had the keyboard, before or after. Where nothing had, nobody can say what shows it. */
  async #whereTyped(): Promise<void> {
    const now = await this.#looker.focused(this.#app, this.#parts.signal) ?? [];
    const focused = [...focusedIn(this.#action ?? await this.#before), ...now];
    for (const one of focused) this.#looker.hidden.received(one);
    if (focused.length === 0) this.#looker.blind();
  }

  #mark(place: Rect | undefined): void {
    if (!place || this.#marks.some((one) => sameRect(one, place))) return;
    this.#marks.push(place);
  }

  /** Where an element is in a picture: as its tree says, or as it says itself where there was no time for that. */
  async #placeOf(seen: Seen, element: ElementRef): Promise<Rect | undefined> {
    if (seen.fresh) return placeIn(seen, element);
    try {
      const { rect } = await this.#parts.session.desktop.read(element, { timeout: PLACE, recent: true });
      return rect && inPixels(rect, seen.origin, seen.scale);
    } catch (thrown) {
      void toBackstepError(thrown); // nothing is marked then: what is done to it says why
      return undefined;
    }
  }

  async #look(quick = true): Promise<Seen> {
    return await this.#looker.look(this.#app, this.#parts.signal, quick);
  }
}

function sameRect(a: Rect, b: Rect): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

/** Until what an action set off is drawn, or for a moment; no sooner than `after` milliseconds. */
async function quiet(
  { session, signal: hard }: ObserverParts,
  over?: AbortSignal,
  after = 0,
): Promise<void> {
  const signals = [hard, over].flatMap((one) => one ?? []);
  try {
    if (after > 0) await pause(after, AbortSignal.any(signals));
    await settled(session.desktop, QUIET, Deadline.after(5 * QUIET, AbortSignal.any(signals)));
  } catch (thrown) {
    void toBackstepError(thrown); // interrupted, or the desktop is gone: the look says what of it can be seen
  }
}
