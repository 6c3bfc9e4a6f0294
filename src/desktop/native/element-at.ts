import { type Call, type Deadline, pause } from "../../base/call.ts";
import { toBackstepError } from "../../base/error.ts";
import type { Bytes } from "../../ffi/binding.ts";
import { Op, type OpNumber } from "../../ffi/op.ts";
import type { Application, ElementRef, Rect } from "../element.ts";
import { hitTest } from "../hit-test.ts";
import { answeringAddress } from "../embedded.ts";
import { contains, type Point } from "../rect.ts";
import type { Snapshot } from "../snapshot.ts";
import { hasGtk3Widgets, isGtk4, isMac, isQt, webFactsOf } from "../toolkits.ts";
import { coordinatesOf, fromScreen, windowAt } from "./coordinates.ts";
import type { EmbeddedProcesses } from "./embedded-processes.ts";
import type { Placement } from "./placement.ts";
import { decodeAddress, type NativeWindow } from "./replies.ts";
import type { PlaceReply } from "./refreshed.ts";
import { requestTo } from "./request-to.ts";
import { Stacking } from "./stacking.ts";
import { accessibleWindow } from "./window-rows.ts";

/** Where an element is. */
type Address = Pick<ElementRef, "bus" | "path">;

/** What is asked of the reader of trees. */
export interface PointSource {
  submit(op: OpNumber, request: Bytes, call: Call): Promise<Bytes>;
  /** Bottom to top; none without a display. */
  windows(call: Call): Promise<NativeWindow[]>;
  /** The whole tree of an application, with places on the screen. */
  tree(application: Application, deadline: Deadline): Promise<Snapshot>;
  /** The windows of an application, below it, with their places as it tells them. */
  frames(application: Application, deadline: Deadline): Promise<Snapshot>;
  /** What is in an application, as it was asked of each element a moment ago at most; places are not asked. */
  kept(application: Application, deadline: Deadline): Promise<Snapshot>;
  /** Where elements lie and what their states are, as the application tells. */
  places(paths: readonly string[], application: Application, deadline: Deadline): Promise<PlaceReply[]>;
  readonly embedded: EmbeddedProcesses;
}

/** What a page that has no place, or ends, is answered for with. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(["unsupported", "stale", "app_gone"]);

/**
 * Milliseconds in which a page says what lies at a point, after its browser answered with a guess, and between two questions: it took 6
 * at most on a quiet machine, and 16 at a load of 8; longer while the page loads. Where the first answer took long, five times that.
 */
const PAGE = { answers: 40, every: 3 };

/** How to ask. */
export interface AtOptions {
  /** The only window that is asked, where it is known how it lies. */
  readonly window?: ElementRef | undefined;
  /** What is in the application, as it was looked at a moment ago. */
  readonly seen?: Snapshot | undefined;
}

/** Finds what lies at a point of the screen. */
export class ElementAt {
  readonly #source: PointSource;
  readonly #placement: Placement;
  readonly #stacking: Stacking;

  constructor(source: PointSource, placement: Placement) {
    this.#source = source;
    this.#placement = placement;
    this.#stacking = new Stacking({
      kept: (application, deadline) => source.kept(application, deadline),
      places: (paths, application, deadline) => source.places(paths, application, deadline),
      inside: (application, address, point, deadline) => this.inside(application, address, point, deadline),
    });
  }

  /** See `Desktop.elementAt`. */
  async at(
    application: Application,
    x: number,
    y: number,
    deadline: Deadline,
    { window, seen }: AtOptions = {},
  ): Promise<Address | undefined> {
    if (isMac(application)) return await this.#onMac(application, { x, y }, deadline);
    const place = window && this.#placement.inWindow(application, window, x, y);
    if (window && place) return await this.#onTop(application, window, place, deadline, seen);
    const [windows, reported] = await Promise.all([
      this.#source.windows(deadline.call()),
      this.#source.frames(application, deadline),
    ]);
    const frames = reported.children(0).map((row) => ({
      ref: reported.element(row),
      rect: reported.rect(row),
      accessible: accessibleWindow(reported, row, false),
    }));
    const reached = windowAt(windows, x, y);
    // Another application's window lies on top there.
    if (reached && reached.pid !== 0 && reached.pid !== application.pid) return undefined;
    const layout = await this.#placement.layoutOf(application, frames, windows, deadline);
    const inFrame = (k: number): Point | undefined => {
      const mapping = layout.mappings[k];
      return mapping && fromScreen(mapping, x, y);
    };
    let hit = frames.findIndex((_, k) => reached !== undefined && layout.windows[k]?.id === reached.id);
    if (reached?.popup) {
      const drawn = await this.#inPopup(application, { x, y }, reached.rect, frames[hit]?.ref.path, deadline);
      // GTK 4 would tell what lies below it.
      if (drawn || isGtk4(application)) return drawn;
    }
    if (hit < 0) {
      // A popup that no title or size gives away, or no window list at all: the last frame that covers the point.
      hit = frames.findLastIndex(({ rect }, k) => {
        const point = inFrame(k);
        return point !== undefined && rect !== undefined && contains(rect, point.x, point.y);
      });
    }
    const frame = frames[hit];
    const point = this.#placement.pagePoint(application, windows, { x, y }, inFrame(hit));
    return frame && point && await this.#onTop(application, frame.ref, point, deadline, seen);
  }

  /** What is drawn on top in a window, of what it reports. */
  async #onTop(
    application: Application,
    window: Address,
    point: Point,
    deadline: Deadline,
    seen: Snapshot | undefined,
  ): Promise<Address | undefined> {
    const begun = performance.now();
    const reported = await this.inside(application, window, point, deadline);
    const { guessesHits = false, fillsOnDemand = false } = webFactsOf(application) ?? {};
    if (guessesHits || (fillsOnDemand && reported === undefined)) {
      const alone = reported !== undefined &&
        await this.#stacking.isAlone(application, reported, point, deadline, seen);
      if (alone) return reported;
      const takes = Math.max(PAGE.answers, 5 * (performance.now() - begun));
      return await this.#ofPage(application, window, point, reported, takes, deadline);
    }
    if (reported === undefined) return undefined;
    const ordered = isQt(application) || hasGtk3Widgets(application);
    const drawn = ordered
      ? await this.#stacking.above(application, reported, point, deadline, seen)
      : reported;
    const page = this.#source.embedded.pageIn(application.bus, drawn.path);
    return page && await this.#inPage(application, page, point, deadline) || drawn;
  }

  /** What a page answers once it was asked, within `most` milliseconds; what its browser guessed, where that stays so. */
  async #ofPage(
    application: Application,
    window: Address,
    point: Point,
    guess: Address | undefined,
    most: number,
    deadline: Deadline,
  ): Promise<Address | undefined> {
    const patience = deadline.within(most);
    while (!patience.passed) {
      await pause(Math.min(PAGE.every, deadline.remaining()), deadline.signal);
      const now = await this.inside(application, window, point, deadline);
      if (now?.path !== guess?.path) return now;
    }
    return guess;
  }

  /** What a page says lies at a point; undefined: it says nothing, or is gone. */
  async #inPage(
    application: Application,
    page: Address,
    point: Point,
    deadline: Deadline,
  ): Promise<Address | undefined> {
    try {
      return await this.inside(application, answeringAddress(page), point, deadline);
    } catch (thrown) {
      if (SAYS_NOTHING.has(toBackstepError(thrown).code)) return undefined;
      throw thrown;
    }
  }

  /** What a window or another element says lies at a point, in the coordinates that its application tells. */
  async inside(
    application: Application,
    { bus, path }: Address,
    { x, y }: Point,
    deadline: Deadline,
  ): Promise<Address | undefined> {
    const request = requestTo({ bus, path }).u32(coordinatesOf(application)).i32(x).i32(y);
    const hit = decodeAddress(await this.#source.submit(Op.atPoint, request.bytes(), deadline.call()));
    return hit && this.#source.embedded.address(hit);
  }

  /** Menus and popovers are its own, and the window server knows what lies on top. */
  async #onMac(application: Application, point: Point, deadline: Deadline): Promise<Address | undefined> {
    const reached = windowAt(await this.#source.windows(deadline.call()), point.x, point.y);
    if (reached && reached.pid !== application.pid) return undefined;
    return await this.inside(application, { bus: application.bus, path: "" }, point, deadline);
  }

  /**
   * What a popup shows at a point, by our own tree: Qt does not know of its popups there, and Chromium answers with the
   * whole. Undefined where the application does better: what hangs below the popup's own window can be asked.
   */
  async #inPopup(
    application: Application,
    { x, y }: Point,
    popup: Rect,
    frame: string | undefined,
    deadline: Deadline,
  ): Promise<Address | undefined> {
    const snapshot = await this.#source.tree(application, deadline);
    const row = hitTest(snapshot, x, y, popup);
    if (row < 0) return undefined;
    let top = row;
    for (let up = snapshot.parent(row); up > 0; up = snapshot.parent(up)) top = up;
    const { bus, path } = snapshot.element(row);
    return frame !== undefined && snapshot.element(top).path === frame ? undefined : { bus, path };
  }
}
