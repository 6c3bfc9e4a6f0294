import { toBackstepError } from "../../base/error.ts";
import type { RunEvent, StepEvidence, StepLook, StepResult } from "../../contract/events.ts";
import type { ObserverPort, Touch } from "../../contract/recording-desktop.ts";
import type { Action, Gesture, Rect, WindowAction } from "../../desktop/desktop.ts";
import { Deadline } from "../../base/call.ts";
import { defined } from "../../base/defined.ts";
import type { Session } from "../../session/session.ts";
import type { Artefacts } from "../journal/artefacts.ts";
import type { Journal } from "../journal/journal.ts";
import type { Hidden } from "../secrets/hidden.ts";
import type { Mask } from "../secrets/mask.ts";
import { settled } from "../model/settle.ts";
import { focusedIn, Looker, placeIn, type Seen } from "./looker.ts";
import { packEvidence, type SeenStep, seenStep } from "./pack.ts";

/** Milliseconds of quiet before the look after an action: two frames of a screen, and what an application tells in between. */
const QUIET = 40;
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
  readonly emit: (event: RunEvent) => void;
  /** Ends even the rollback. */
  readonly signal: AbortSignal | undefined;
}

/** Sees each step of a run before, at its action and after, and keeps that beside the run when it ends. */
export class Observer {
  readonly #parts: ObserverParts;
  readonly #looker: Looker;
  readonly #steps: SeenStep[] = [];
  readonly #rollbacks: { readonly path: string; readonly after: StepLook }[] = [];

  constructor(parts: ObserverParts) {
    this.#parts = parts;
    this.#looker = new Looker(parts.session, parts.mask, parts.hidden);
  }

  /** Begins to look at a step. */
  async step(path: string, app: string | undefined): Promise<StepObserver> {
    const before = await this.#looker.look(app, this.#parts.signal);
    return new StepObserver(this.#looker, this.#parts, app, before, (evidence, step) => {
      this.#steps.push(seenStep(path, evidence, step));
    });
  }

  /** What the desktop looks like after a rollback. */
  async rollback(path: string): Promise<StepLook> {
    await quiet(this.#parts);
    this.#looker.stale();
    const { look } = await this.#looker.look(undefined, this.#parts.signal);
    this.#rollbacks.push({ path, after: look });
    return look;
  }

  /** Keeps all of it as one encrypted artefact, durable before the line of the journal that names it. Throws `io`. */
  async keep(store: Artefacts, journal: Journal): Promise<void> {
    const { pictures, trees } = this.#looker;
    const evidence = {
      steps: this.#steps,
      rollbacks: this.#rollbacks,
      pictures: await pictures.all(),
      trees: trees.all,
      dropped: pictures.dropped,
    };
    const bytes = packEvidence(evidence);
    const artefact = store.put(bytes);
    journal.write({
      kind: "evidence",
      artefact,
      steps: evidence.steps.length,
      pictures: evidence.pictures.length - evidence.dropped,
      dropped: evidence.dropped,
      bytes: bytes.length,
    });
  }

  /** Sees nothing any more. */
  close(): void {
    this.#looker.close();
  }
}

/** Sees one step. */
export class StepObserver implements ObserverPort {
  readonly #looker: Looker;
  readonly #parts: ObserverParts;
  readonly #app: string | undefined;
  readonly #before: Seen;
  readonly #over: (evidence: StepEvidence, step: StepResult) => void;
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
    before: Seen,
    over: (evidence: StepEvidence, step: StepResult) => void,
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

  async about(touch: Touch): Promise<void> {
    const { element } = touch;
    const types = touch.do === "type" || touch.do === "press";
    if (element && this.#secret) this.#looker.hidden.received(element);
    if (!LEADS_UP.has(touch.do)) {
      if (this.#touched) this.#looker.stale();
      this.#action ??= await this.#look();
    }
    this.#touched = true;
    const seen = this.#action ?? this.#before;
    if (types) {
      const focused = focusedIn(seen);
      if (this.#secret) { for (const one of focused) this.#looker.hidden.received(one); }
      if (this.#secret) this.#typed = true;
    }
    const places = element
      ? [placeIn(seen, element)]
      : touch.points
      ? touch.points.map(({ x, y }) => ({ x: x - seen.origin.x, y: y - seen.origin.y, width: 0, height: 0 }))
      : types
      ? focusedIn(seen).slice(-1).map((one) => placeIn(seen, one))
      : [];
    for (const place of places) this.#mark(place);
    const acted = element ?? (types ? focusedIn(seen).at(-1) : undefined);
    if (acted) this.#line ??= seen.line(acted);
    this.#looker.stale();
  }

  /** The step is over. */
  async after(step: StepResult): Promise<StepEvidence> {
    if (this.#touched || step.effect !== "read") {
      await quiet(this.#parts);
      this.#looker.stale();
    }
    if (this.#typed) await this.#whereTyped();
    // Why it failed is to be seen, and where what a check pictured must not be: no earlier look stands for that.
    if (step.error) this.#looker.stale();
    const after = await this.#look();
    const evidence: StepEvidence = {
      before: this.#before.look,
      ...(this.#action ? { action: this.#action.look } : {}),
      after: after.look,
      ...(this.#marks.length > 0 ? { marks: this.#marks.slice(0, MOST_MARKS) } : {}),
      ...defined({ line: this.#line }),
    };
    this.#over(evidence, step);
    return evidence;
  }

  /** A secret was typed: into what had the keyboard, before or after. Where nothing had, nobody can say what shows it. */
  async #whereTyped(): Promise<void> {
    const now = await this.#looker.focused(this.#app, this.#parts.signal) ?? [];
    const focused = [...focusedIn(this.#action ?? this.#before), ...now];
    for (const one of focused) this.#looker.hidden.received(one);
    if (focused.length === 0) this.#looker.blind();
  }

  #mark(place: Rect | undefined): void {
    if (!place || this.#marks.some((one) => sameRect(one, place))) return;
    this.#marks.push(place);
  }

  async #look(): Promise<Seen> {
    return await this.#looker.look(this.#app, this.#parts.signal);
  }
}

function sameRect(a: Rect, b: Rect): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

/** Until what an action set off is drawn, or for a moment. */
async function quiet({ session, signal }: ObserverParts): Promise<void> {
  try {
    await settled(session.desktop, QUIET, Deadline.after(5 * QUIET, signal));
  } catch (thrown) {
    void toBackstepError(thrown); // interrupted, or the desktop is gone: the look says what of it can be seen
  }
}
