import type { Call, Deadline } from "../../base/call.ts";
import { toBackstepError } from "../../base/error.ts";
import type { Bytes } from "../../ffi/binding.ts";
import { Op, type OpNumber } from "../../ffi/op.ts";
import { isAsKept } from "../as-kept.ts";
import { embeds } from "../content.ts";
import type { Refreshed, RefreshOptions, VerifyManagedOptions } from "../desktop.ts";
import type { Application, ElementRef } from "../element.ts";
import type { Snapshot } from "../snapshot.ts";
import { isGtk3, isGtk4, isOffice, isQt, tellsByElement } from "../toolkits.ts";
import { dropNowhere, mayChangeScale } from "./coordinates.ts";
import type { EmbeddedProcesses } from "./embedded-processes.ts";
import { lyingPages } from "./hidden-pages.ts";
import { verifyManaged } from "./managed-rows.ts";
import type { Placement } from "./placement.ts";
import type { QtTabs } from "./qt-tabs.ts";
import {
  asRead,
  fillIn,
  leavesOf,
  pathsTo,
  type PlaceReply,
  rowsAlong,
  rowsAround,
  unplaced,
} from "./refreshed.ts";
import { decodeAddresses, type NativeWindow, readingOf } from "./replies.ts";
import { requestTo } from "./request-to.ts";
import type { SideBySide } from "./side-by-side.ts";

/** How an application is asked. */
export interface KeptSource {
  submit(op: OpNumber, request: Bytes, call: Call): Promise<Bytes>;
  /** Bottom to top; none without a display. */
  windows(call: Call): Promise<NativeWindow[]>;
  /** Where elements lie, in the application's own coordinates, and what their states are. */
  places(paths: readonly string[], application: Application, deadline: Deadline): Promise<PlaceReply[]>;
  /** One element alone; "verify": what it is, its states and its place. */
  readRow(
    element: ElementRef,
    application: Application,
    deadline: Deadline,
    what: string,
    much: "everything" | "verify",
  ): Promise<Snapshot>;
  /** Takes VISIBLE from the pages that do not show. */
  hidePages(snapshot: Snapshot, deadline: Deadline): Promise<void>;
  readonly embedded: EmbeddedProcesses;
}

/** Asks the application of some rows of what is kept of it, and of nothing else. */
export class KeptRows {
  readonly #source: KeptSource;
  readonly #placement: Placement;
  readonly #sideBySide: SideBySide;
  readonly #tabs: QtTabs;

  constructor(source: KeptSource, placement: Placement, sideBySide: SideBySide, tabs: QtTabs) {
    this.#tabs = tabs;
    this.#source = source;
    this.#placement = placement;
    this.#sideBySide = sideBySide;
  }

  /** What a kept snapshot says of some rows, verified, with their places: see `Desktop.refresh`. */
  async refresh(
    held: Snapshot,
    rows: readonly number[],
    deadline: Deadline,
    { shows = rows.length > 1, unread = false }: RefreshOptions = {},
  ): Promise<Refreshed | undefined> {
    const { application } = held.origin;
    if (!tellsByElement(application)) return undefined;
    const pages = shows && isGtk4(application);
    // What lies beside one matters where it may lie on it.
    const within = pages ? [...pathsTo(held, rows)].filter((row) => !this.#sideBySide.has(held, row)) : [];
    const asked = rowsAround(held, rows, within);
    if (asked === undefined) return undefined;
    const maps = this.#placement.maps(application) || mayChangeScale(application);
    const now = unplaced(held);
    const [only] = rows.length === 1 && !unread ? rows : [];
    const along = rowsAlong(held, rows);
    const read = unread ? [] : rows;
    const much = only === undefined ? "verify" : "everything";
    // What is read whole tells its place and its states itself.
    const others = asked.filter((row) => row !== only);
    const [same, placed, windows] = await Promise.all([
      Promise.all(read.map((row) => this.#same(held, row, application, deadline, much))),
      this.#fillIn(now, others, application, deadline, along),
      maps ? this.#source.windows(deadline.call()) : [],
    ]);
    const readAt = performance.now();
    if (!placed || same.includes(undefined)) return undefined;
    const [alone] = same;
    if (only !== undefined && alone !== undefined) asRead(now, only, alone);
    if (isQt(application)) this.#tabs.tell(now);
    if (pages) {
      this.#sideBySide.learn(now, within);
      const leaves = leavesOf(now, lyingPages(now));
      if (leaves.length > 0 && !await this.#fillIn(now, leaves, application, deadline)) return undefined;
      await this.#source.hidePages(now, deadline);
    }
    if (maps) this.#placement.learn(now, windows);
    const reported = pages || !isGtk4(application);
    const refreshed = { snapshot: now, shows: reported, readAt };
    // Who needs what is embedded in it reads that.
    if (only === undefined || alone === undefined || embeds(alone, 0)) return refreshed;
    return { ...refreshed, reading: { ...readingOf(alone), rect: now.rect(only) } };
  }

  /** See `Desktop.verifyManaged`. Others than GTK 3 look through a sheet or a page for very long. */
  async verifyManaged(
    kept: Snapshot,
    roles: readonly number[],
    deadline: Deadline,
    options: VerifyManagedOptions,
  ): Promise<Snapshot | undefined> {
    const { application } = kept.origin;
    if (!isGtk3(application) || isOffice(application)) return undefined;
    return await verifyManaged(kept, roles, {
      find: (row) => this.#below(kept, row, roles, deadline),
      same: (row) => this.#same(kept, row, application, deadline, "verify"),
    }, options);
  }

  /** The elements of some roles below a row, as the application finds them; undefined: the row is gone, or cannot be asked. */
  async #below(
    kept: Snapshot,
    row: number,
    roles: readonly number[],
    deadline: Deadline,
  ): Promise<{ bus: string; path: string }[] | undefined> {
    const request = requestTo(kept.element(row)).u32(roles.length);
    for (const role of roles) request.u32(role);
    try {
      return decodeAddresses(await this.#source.submit(Op.roles, request.bytes(), deadline.call()))
        .map((one) => this.#source.embedded.address(one));
    } catch (thrown) {
      const { code } = toBackstepError(thrown);
      if (code !== "stale" && code !== "unsupported") throw thrown;
      return undefined;
    }
  }

  /** A row read afresh; undefined: it is not any more what was kept of it. */
  async #same(
    held: Snapshot,
    row: number,
    application: Application,
    deadline: Deadline,
    much: "everything" | "verify",
  ): Promise<Snapshot | undefined> {
    const element = held.element(row);
    const what = `verify ${JSON.stringify(held.name(row))}`;
    try {
      const now = await this.#source.readRow(element, application, deadline, what, much);
      return isAsKept(held, row, now) ? now : undefined;
    } catch (thrown) {
      if (toBackstepError(thrown).code !== "stale") throw thrown;
      return undefined;
    }
  }

  /** Asks for the places and states of rows; false: one of them does not answer. Of those along only the states are kept. */
  async #fillIn(
    snapshot: Snapshot,
    rows: readonly number[],
    application: Application,
    deadline: Deadline,
    along: readonly number[] = [],
  ): Promise<boolean> {
    const paths = [...new Set([...rows, ...along])].map((row) => snapshot.path(row));
    const all = fillIn(snapshot, rows, await this.#source.places(paths, application, deadline));
    dropNowhere(snapshot.columns.rect);
    return all;
  }
}
