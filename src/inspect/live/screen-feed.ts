import { pause } from "../../base/call.ts";
import { defined } from "../../base/defined.ts";
import { toBackstepError } from "../../base/error.ts";
import type { Desktop, Frame } from "../../desktop/desktop.ts";
import { blackOut } from "../../engine/secrets/hidden.ts";
import { Passwords } from "./passwords.ts";
import { changedTiles, tileMessage } from "./tiles.ts";

/** Milliseconds between two pictures while something moves, and while nothing does. */
const BUSY = 25, STILL = 40;
/** Milliseconds after which nothing counts as moving. */
const CALM = 2_000;
/** Milliseconds that a picture may take. */
const TAKES = 5_000;

/** Who looks at the screen. */
export interface Viewer {
  /** A message of tiles. Answers false where it has more than it can take: it is sent everything later. */
  picture(message: Uint8Array): boolean;
  /** There is no picture, and why. */
  blind(why: string): void;
}

/** What somebody has of the picture. */
interface State {
  /** Needs all of it. */
  behind: boolean;
  /** Can take no more for now. */
  full: boolean;
}

/** The pictures that were taken since somebody looks: those of before, which was stopped, may still be on their way to somebody. */
interface Taken {
  /** The one that is shown. */
  shown: Frame | undefined;
  /** One that nobody looks at any more. */
  unused: Frame | undefined;
}

/** Pictures of the screen, taken while somebody looks and not otherwise; password fields are black in them. */
export class ScreenFeed {
  readonly #desktop: Desktop;
  readonly #drawn: () => void;
  readonly #viewers = new Map<Viewer, State>();
  #frame: Frame | undefined;
  /** What was black in it. */
  #black = "";
  #running: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;
  #taken = 0;

  /** `drawn` hears that something was drawn. */
  constructor(desktop: Desktop, drawn: () => void) {
    this.#desktop = desktop;
    this.#drawn = drawn;
  }

  /** Pictures that were taken so far. */
  get taken(): number {
    return this.#taken;
  }

  /** Shows the screen to somebody, who gets all of it first. */
  add(viewer: Viewer): void {
    this.#viewers.set(viewer, { behind: true, full: false });
    if (this.#running) return;
    const stop = new AbortController();
    this.#running = { stop, done: this.#run(stop.signal) };
  }

  /** It can take more again. */
  ready(viewer: Viewer): void {
    const state = this.#viewers.get(viewer);
    if (state) state.full = false;
  }

  async remove(viewer: Viewer): Promise<void> {
    this.#viewers.delete(viewer);
    if (this.#viewers.size === 0) await this.close();
  }

  async close(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    running?.stop.abort();
    this.#frame = undefined;
    await running?.done;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const passwords = new Passwords(this.#desktop);
    const taken: Taken = { shown: undefined, unused: undefined };
    let moved = performance.now();
    try {
      while (!signal.aborted) {
        const began = performance.now();
        if (await this.#one(passwords, taken, signal)) {
          moved = performance.now();
          this.#drawn();
        }
        const rest = performance.now() - moved < CALM ? BUSY : STILL;
        await pause(Math.max(5, rest - (performance.now() - began)), signal);
      }
    } catch (thrown) {
      if (signal.aborted) return;
      const { message } = toBackstepError(thrown);
      for (const viewer of this.#viewers.keys()) viewer.blind(message);
      this.#running = undefined;
    } finally {
      passwords.close();
    }
  }

  /** Answers whether something was drawn since the last one. */
  async #one(passwords: Passwords, taken: Taken, signal: AbortSignal): Promise<boolean> {
    const call = { timeout: TAKES, signal };
    const before = await passwords.now(call);
    this.#taken++;
    const raw = await this.#desktop.screenshot({ what: "screen" }, {
      ...call,
      ...defined({ into: taken.unused }),
    });
    taken.unused = raw;
    const black = JSON.stringify(before);
    const same = raw.route === "kept" && this.#frame !== undefined && black === this.#black;
    this.#black = black;
    const wanting = [...this.#viewers.entries()].filter(([, state]) => state.behind && !state.full);
    if (same && wanting.length === 0) return false;
    const frame = same && this.#frame ? this.#frame : await this.#blackened(raw, before, passwords, call);
    const tiles = changedTiles(this.#frame, frame);
    if (frame === raw) {
      taken.unused = taken.shown;
      taken.shown = raw;
    }
    this.#frame = frame;
    const rest = [...this.#viewers.entries()].filter(([, state]) => !state.behind);
    if (tiles.length > 0 && rest.length > 0) this.#send(rest, await tileMessage(frame, tiles));
    if (wanting.length > 0) this.#send(wanting, await tileMessage(frame, changedTiles(undefined, frame)));
    return tiles.length > 0;
  }

  async #blackened(
    raw: Frame,
    before: Awaited<ReturnType<Passwords["now"]>>,
    passwords: Passwords,
    call: { readonly timeout: number; readonly signal: AbortSignal },
  ): Promise<Frame> {
    // A field may have come, or moved, while the picture was taken.
    const after = await passwords.now(call);
    const rects = [...before.rects, ...after.rects];
    if (rects.length === 0 && !before.unplaced && !after.unplaced) return raw;
    const rgba = raw.rgba.slice();
    const frame = { ...raw, rgba };
    const whole = { x: 0, y: 0, width: raw.width, height: raw.height };
    blackOut(frame, before.unplaced || after.unplaced ? [whole] : rects, { x: 0, y: 0 });
    return frame;
  }

  /** Whoever cannot take more is given all of it once they can: nothing piles up meanwhile. */
  #send(to: readonly (readonly [Viewer, State])[], message: Uint8Array): void {
    for (const [viewer, state] of to) {
      const took = viewer.picture(message);
      state.behind = state.full = !took;
    }
  }
}
