import type { Call, Deadline } from "../../base/call.ts";
import type { SnapshotField } from "../desktop.ts";
import type { Application, ElementRef } from "../element.ts";
import { popoversOf } from "../popover.ts";
import type { Snapshot } from "../snapshot.ts";
import {
  AS_REPORTED,
  Coordinates,
  coordinatesOf,
  fromScreen,
  hasScreenPages,
  type Layout,
  layOut,
  type Mapping,
  mapRows,
} from "./coordinates.ts";
import type { NativeWindow } from "./replies.ts";
import { isMac } from "../toolkits.ts";
import { Surfaces } from "./surfaces.ts";
import { Toplevels } from "./toplevels.ts";
import { inPage, isLocal, layOutLocal, pageScaleOf } from "./wayland-layout.ts";
import type { AccessibleWindow } from "./window-match.ts";
import { accessibleWindow, ownRows, pageRows } from "./window-rows.ts";

type Address = Pick<ElementRef, "bus" | "path">;

/** What placing needs of the desktop and of the reader of its trees. */
export interface PlacementSource {
  /** Bottom to top; none without a display. */
  windows(call: Call): Promise<NativeWindow[]>;
  /** Is there a display? Without one no window says that places are other than told. */
  hasDisplay(): boolean;
  /** Is it Wayland's, whose applications do not know where they are? */
  readonly wayland: boolean;
  /** Reads the whole tree of an application, which is placed on the way. */
  look(application: Application, fields: readonly SnapshotField[], deadline: Deadline): Promise<Snapshot>;
  /** One window or popover, as its application tells it. */
  surface(address: Address, application: Application, deadline: Deadline): Promise<Snapshot>;
}

/** Puts what applications tell of places onto the screen, and remembers how it did that for each window. */
export class Placement {
  readonly #source: PlacementSource;
  readonly #toplevels = new Toplevels();
  /** How many screen pixels make one of an application's, by its bus name; unknown before a window told. */
  readonly #scales = new Map<string, number>();
  readonly #surfaces = new Surfaces();
  /** How many pixels of a page make one of its window's, on Wayland; by bus name. */
  readonly #pageScales = new Map<string, number>();

  constructor(source: PlacementSource) {
    this.#source = source;
  }

  /** Must rectangles be mapped? Not once it is known that what the application tells is the screen's. */
  maps(application: Application): boolean {
    if (isMac(application)) return false;
    if (coordinatesOf(application) === Coordinates.window) return true;
    return this.#source.hasDisplay() && this.#scales.get(application.bus) !== 1;
  }

  /** What the application told becomes the screen's, window by window. */
  async place(snapshot: Snapshot, root: ElementRef | undefined, deadline: Deadline): Promise<void> {
    const { rect } = snapshot.columns;
    const { application } = snapshot.origin;
    if (!root) this.#toplevels.learn(snapshot);
    if (rect.length === 0) return;
    const [windows, around] = await Promise.all([
      this.#source.windows(deadline.call()),
      root && this.mapping(root, application, deadline),
    ]);
    this.#map(snapshot, windows, root && { mapping: around });
  }

  /** The same with what is on the screen; `around`: how what is told of row 0 becomes the screen's, where that is a part. */
  #map(
    snapshot: Snapshot,
    windows: readonly NativeWindow[],
    around?: { readonly mapping: Mapping | undefined },
  ): void {
    const { rect, textRect } = snapshot.columns;
    const { application } = snapshot.origin;
    // A popover that is asked for by itself is told like any other element.
    const popovers = popoversOf(snapshot).filter((row) => row > 0);
    const toplevels = around ? [] : snapshot.children(0);
    const rows = [...toplevels, ...popovers];
    const frames = rows.map((row, k) => accessibleWindow(snapshot, row, k >= toplevels.length));
    const local = isLocal(application, windows, this.#source.wayland);
    const layout = local
      ? layOutLocal(snapshot, rows, frames, windows)
      : layOut(application, frames, windows, this.#scales.get(application.bus));
    if (layout.scale !== undefined) this.#scales.set(application.bus, layout.scale);
    const apart = new Set(rows);
    const pages = local ? pageScaleOf(snapshot) : 1;
    if (local && !around) this.#pageScales.set(application.bus, pages);
    const placed = rows.map((row, k) => ({ row, mapping: layout.mappings[k] }));
    if (around) placed.unshift({ row: 0, mapping: around.mapping });
    else this.#surfaces.learn(snapshot, rows, layout);
    for (const { row, mapping } of placed) {
      const map = (mapping: Mapping | undefined) => ([from, to]: readonly [number, number]) => {
        mapRows(rect, from, to, mapping);
        if (textRect !== undefined) mapRows(textRect, from, to, mapping);
      };
      ownRows(snapshot, row, apart).forEach(map(mapping));
      if (local) pageRows(snapshot, row).forEach(map(mapping && inPage(mapping, pages)));
    }
  }

  /** How what is told of an element becomes the screen's; undefined when its window cannot be told. */
  async mapping(
    element: ElementRef,
    application: Application,
    deadline: Deadline,
  ): Promise<Mapping | undefined> {
    const windows = await this.#source.windows(deadline.call());
    if (isLocal(application, windows, this.#source.wayland)) {
      return await this.#localMapping(element, application, windows, deadline);
    }
    const own = this.#toplevels.of(element);
    const isInPage = () => hasScreenPages(application) && this.#toplevels.isInPage(element);
    const standing = own && !isInPage() && this.#surfaces.standing(own, windows);
    if (standing) return standing;
    const frames = await this.#surfacesOf(element, application, deadline);
    if (isInPage()) return AS_REPORTED;
    if (frames.length === 0) {
      return coordinatesOf(application) === Coordinates.screen ? AS_REPORTED : undefined;
    }
    return layOut(application, frames, windows, this.#scales.get(application.bus)).mappings[0];
  }

  /** The same on Wayland, where the whole tree of a window tells. */
  async #localMapping(
    element: ElementRef,
    application: Application,
    windows: readonly NativeWindow[],
    deadline: Deadline,
  ): Promise<Mapping | undefined> {
    const standing = () => {
      const own = this.#toplevels.of(element);
      return own && this.#surfaces.standing(own, windows);
    };
    const existing = standing();
    if (!existing) await this.#source.look(application, ["extents"], deadline);
    // Qt gives cells another address at each look: one that no look has seen is in the window that is used.
    const mapping = existing ?? standing() ?? this.#surfaces.active(element.bus, windows);
    const page = hasScreenPages(application) && this.#toplevels.isInPage(element);
    return mapping && page ? inPage(mapping, this.#pageScales.get(element.bus) ?? 1) : mapping;
  }

  /** How windows of Wayland lie, as their whole tree told: read anew where one has another size, or was not there. */
  async #learned(
    application: Application,
    toplevels: readonly Address[],
    windows: readonly NativeWindow[],
    deadline: Deadline,
  ): Promise<Pick<Layout, "windows" | "mappings">> {
    const standing = () => toplevels.map((one) => this.#surfaces.standing(one, windows));
    let mappings = standing();
    if (mappings.includes(undefined)) {
      await this.#source.look(application, ["extents"], deadline);
      mappings = standing();
    }
    return { mappings, windows: toplevels.map((one) => this.#surfaces.window(one, windows)) };
  }

  /**
   * The window or popover that an element lies in, with its size and title as they are now; after a popover the other
   * ones, which may be of the same size. Empty: not known.
   */
  async #surfacesOf(
    element: ElementRef,
    application: Application,
    deadline: Deadline,
  ): Promise<AccessibleWindow[]> {
    let address = this.#toplevels.of(element);
    if (!address) {
      await this.#source.look(application, [], deadline);
      address = this.#toplevels.of(element);
    }
    if (!address) return [];
    const own = address;
    const popovers = own.popover ? this.#toplevels.popovers(own.bus) : [];
    const [first, ...others] = await Promise.allSettled(
      [own, ...popovers.filter(({ path }) => path !== own.path)].map(async (surface) =>
        accessibleWindow(
          await this.#source.surface(surface, application, deadline),
          0,
          surface.popover,
        )
      ),
    );
    if (first?.status === "rejected") throw first.reason;
    // Another one may have closed meanwhile: it takes no window then.
    return [first, ...others].flatMap((one) => one?.status === "fulfilled" ? [one.value] : []);
  }

  /** A whole tree was told: where its windows lie is known from here on. */
  learn(snapshot: Snapshot, windows: readonly NativeWindow[]): void {
    this.#toplevels.learn(snapshot);
    this.#map(snapshot, windows);
  }

  /** How windows of an application lie, as they are told now. */
  async layoutOf(
    application: Application,
    frames: readonly { readonly ref: Address; readonly accessible: AccessibleWindow }[],
    windows: readonly NativeWindow[],
    deadline: Deadline,
  ): Promise<Pick<Layout, "windows" | "mappings">> {
    if (isLocal(application, windows, this.#source.wayland)) {
      return await this.#learned(application, frames.map(({ ref }) => ref), windows, deadline);
    }
    const reported = frames.map(({ accessible }) => accessible);
    return layOut(application, reported, windows, this.#scales.get(application.bus));
  }

  /** A point of the screen as a window of the application would tell it; undefined: it is not known where that lies. */
  inWindow(
    application: Application,
    window: ElementRef,
    x: number,
    y: number,
  ): { x: number; y: number } | undefined {
    if (hasScreenPages(application) && !this.#source.wayland || !this.maps(application)) return { x, y };
    const mapping = this.#surfaces.mapping(window);
    return this.#asPage(application, mapping && fromScreen(mapping, x, y));
  }

  /** A point in a window of Wayland, in the pixels in which Chromium tells pages. */
  #asPage(
    application: Application,
    point: { readonly x: number; readonly y: number } | undefined,
  ): { x: number; y: number } | undefined {
    const pages = hasScreenPages(application) ? this.#pageScales.get(application.bus) ?? 1 : 1;
    return point && { x: Math.round(point.x * pages), y: Math.round(point.y * pages) };
  }

  /** A point that an application is asked for: Chromium wants the screen's, whatever it tells, or the page's on Wayland. */
  pagePoint(
    application: Application,
    windows: readonly NativeWindow[],
    screen: { readonly x: number; readonly y: number },
    inside: { readonly x: number; readonly y: number } | undefined,
  ): { x: number; y: number } | undefined {
    const local = isLocal(application, windows, this.#source.wayland);
    return hasScreenPages(application) && !local ? screen : this.#asPage(application, inside);
  }

  /** The application left. */
  forget(bus: string): void {
    this.#toplevels.forget(bus);
    this.#scales.delete(bus);
    this.#pageScales.delete(bus);
    this.#surfaces.forget(bus);
  }
}
