import { compareFrames, type Comparison, sameSize } from "../checks/visual/compare.ts";
import type { VisualMode } from "../checks/visual/modes.ts";
import { type PixelEngine, pixelEngine } from "../checks/visual/engine.ts";
import { type Ignored, ignoring, Noise } from "../checks/visual/ignored.ts";
import type { Deadline } from "../base/call.ts";
import { defined } from "../base/defined.ts";
import type { Context } from "../contract/operation.ts";
import type { Frame, Rect, Watch } from "../desktop/desktop.ts";
import { visiblePart } from "../desktop/visible.ts";
import { type PictureInput, pictureOf, type Taken } from "./picture-of.ts";
import { locate, look, type Match, Target } from "./target.ts";
import { inPixels } from "../desktop/rect.ts";

/** Milliseconds after which the display is asked again where no application told of a change: the first, and the longest. */
const FIRST = 30, LONGEST = 120;
/** Milliseconds between two pictures that noise is learnt from. */
const APART = 100;

/** What is looked at, and how it is judged. */
export interface Watched extends PictureInput {
  readonly target?: Target | undefined;
  readonly mode: VisualMode;
  readonly threshold: number;
  readonly tolerance?: number | undefined;
  readonly ignore?: readonly (Rect | Target)[] | undefined;
}

/** A picture and what came of comparing it; without a comparison it has another size, or nothing to be compared with. */
export interface Verdict {
  readonly taken: Taken;
  readonly comparison: Comparison | undefined;
  readonly ignored: Ignored | undefined;
  /** Selectors to be ignored that match nothing. */
  readonly nothing: readonly string[];
}

/** Looks at one part of a desktop again and again, at each change that an application tells and, slowly, without any. */
export class VisualWatch {
  readonly #context: Context;
  readonly #input: Watched;
  readonly #deadline: Deadline;
  readonly #watch: Watch;
  #match: Match | undefined;
  #noise: Noise | undefined;
  #reread = FIRST;

  constructor(context: Context, input: Watched, match: Match | undefined, deadline: Deadline) {
    this.#context = context;
    this.#input = input;
    this.#match = match;
    this.#deadline = deadline;
    this.#watch = context.desktop.watch();
  }

  close(): void {
    this.#watch.close();
  }

  /** Learns what changes by itself from so many pictures; 0 or 1: nothing. */
  async learn(frames: number): Promise<void> {
    for (let count = 0; count < frames && frames > 1; count++) {
      const { frame } = await this.#take();
      if (this.#noise?.width !== frame.width || this.#noise.height !== frame.height) {
        this.#noise = new Noise(frame.width, frame.height);
      }
      this.#noise.learn(frame.rgba);
      if (count + 1 < frames) await this.#change(APART, this.#context.deadline);
    }
  }

  /** Compares until it matches or the time is over; then once more, to the last pixel. */
  async until(baseline: Frame): Promise<Verdict> {
    const engine = await pixelEngine();
    let last: Verdict | undefined;
    for (;;) {
      const taken = await this.#take();
      const over = this.#deadline.passed;
      // Nothing was drawn: what was said of it stands.
      if (last === undefined || taken.frame.route !== "kept" || over) {
        last = await this.#judge(baseline, taken, engine, !over);
        if (last.comparison?.passed) return last;
      }
      if (over) return last;
      await this.#change(this.#reread, this.#deadline);
      this.#reread = Math.min(2 * this.#reread, LONGEST);
    }
  }

  /** The picture once two in a row are the same, or the last one when the time is over. */
  async stable(): Promise<Verdict> {
    let taken = await this.#take();
    while (!this.#deadline.passed) {
      await this.#change(LONGEST, this.#deadline);
      const next = await this.#take();
      const same = sameSize(taken.frame, next.frame) &&
        compareFrames(taken.frame, next.frame, { threshold: 0, tolerance: 0 }).passed;
      taken = next;
      if (same) break;
    }
    return { taken, comparison: undefined, ignored: undefined, nothing: [] };
  }

  async #take(): Promise<Taken> {
    const { target } = this.#input;
    const match = this.#match ??
      (target === undefined ? undefined : await locate(this.#context, target, "attached", ["extents"]));
    // Where it is may be another place at the next look.
    this.#match = undefined;
    return await pictureOf(this.#context, this.#input, match);
  }

  async #judge(baseline: Frame, taken: Taken, engine: PixelEngine, verdictOnly: boolean): Promise<Verdict> {
    const { frame } = taken;
    if (!sameSize(baseline, frame)) return { taken, comparison: undefined, ignored: undefined, nothing: [] };
    const { rects, nothing } = await this.#ignoredAt(taken);
    const noise = this.#noise?.width === frame.width && this.#noise.height === frame.height
      ? this.#noise.mask()
      : undefined;
    const ignored = ignoring(frame.width, frame.height, rects, noise);
    const { mode, threshold, tolerance } = this.#input;
    const comparison = compareFrames(baseline, frame, {
      mode,
      threshold,
      ignored,
      engine,
      verdictOnly,
      ...defined({ tolerance }),
    });
    return { taken, comparison, ignored, nothing };
  }

  /** What is to be ignored as rectangles of the picture. */
  async #ignoredAt(
    taken: Taken,
  ): Promise<{ readonly rects: readonly Rect[]; readonly nothing: readonly string[] }> {
    const rects: Rect[] = [], nothing: string[] = [];
    for (const one of this.#input.ignore ?? []) {
      if (typeof one === "object" && "width" in one) {
        rects.push(inPixels(one, { x: 0, y: 0 }, taken.frame.scale));
        continue;
      }
      const { snapshot, rows } = await look(this.#context, one);
      const before = rects.length;
      for (const row of rows) {
        const rect = visiblePart(snapshot, row);
        if (rect) rects.push(inPixels(rect, taken, taken.frame.scale));
      }
      if (rects.length === before) nothing.push(typeof one === "string" ? one : one.selector);
    }
    return { rects, nothing };
  }

  async #change(milliseconds: number, deadline: Deadline): Promise<void> {
    await this.#watch.next(deadline.within(milliseconds).call());
    this.#watch.take();
  }
}
