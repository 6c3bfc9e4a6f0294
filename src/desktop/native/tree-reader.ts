import { type Call, type Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Bytes } from "../../ffi/binding.ts";
import { Field, Op, type OpNumber } from "../../ffi/op.ts";
import { Request } from "../../ffi/request.ts";
import type { Application, ElementRef, Fingerprint, SnapshotField, SnapshotOptions } from "../desktop.ts";
import { contains } from "../rect.ts";
import { Snapshot } from "../snapshot.ts";
import { isQt } from "../toolkits.ts";
import { decodeColumns, isUnchanged } from "./columns.ts";
import {
  Coordinates,
  coordinatesOf,
  type CoordinateType,
  dropNowhere,
  matchWindows,
  type Offset,
  offsetOf,
  shiftRows,
  windowAt,
} from "./coordinates.ts";
import { Mirrors, type MirrorSource } from "./mirrors.ts";
import { tellChosenTabs } from "./qt-tabs.ts";
import { decodeAddress, type NativeWindow } from "./replies.ts";
import { Toplevels } from "./toplevels.ts";

/** What the reader needs of the desktop it reads for. */
export interface TreeSource extends MirrorSource {
  submit(op: OpNumber, request: Bytes, call: Call, what?: string): Promise<Bytes>;
  /** Bottom to top; none without a display. */
  windows(call: Call): Promise<NativeWindow[]>;
  applications(call: Call): Promise<Application[]>;
}

const DEFAULT_FIELDS: readonly SnapshotField[] = ["extents", "text", "value", "id"];
const DEFAULT_NODES = 100_000;
const DEFAULT_DEPTH = 255;
const DEFAULT_TEXT = 1_000;
/** Characters of one element that a reading holds. */
const READING_TEXT = 1 << 20;
/** How much of one element is read, as a request has it. */
const READS = { everything: 0, identity: 1, verify: 2 };
type ReadMuch = keyof typeof READS;
/** The numbers of `SnapshotSource` in a request. */
const SOURCES = { application: 0, mirror: 1, held: 2 };

/** Reads trees and elements of applications and puts their rectangles into screen coordinates. */
export class TreeReader {
  readonly #source: TreeSource;
  readonly #mirrors: Mirrors;
  readonly #toplevels = new Toplevels();
  readonly #applications = new Map<string, Application>();

  constructor(source: TreeSource) {
    this.#source = source;
    this.#mirrors = new Mirrors(source);
  }

  async snapshot(
    application: Application,
    options: SnapshotOptions,
    deadline: Deadline,
  ): Promise<Snapshot> {
    this.#applications.set(application.bus, application);
    const { root, source = "application" } = options;
    const coordinates = coordinatesOf(application);
    const fields = options.fields ?? DEFAULT_FIELDS;
    const asked = hasIds(application) ? fields : fields.filter((field) => field !== "id");
    const ids = fields.includes("id");
    // Only whole trees with what may be held are kept decoded.
    const held = source === "held" && isWhole(options) && !fields.includes("hash");
    const current = held ? this.#mirrors.current(application.bus, ids) : undefined;
    if (current !== undefined) return current;
    const known = held ? this.#mirrors.known(application.bus, ids) : 0;
    const request = new Request()
      .str(root?.bus ?? application.bus).str(root?.path ?? "")
      .u32(asked.reduce((bits, field) => bits | Field[field], 0))
      .u32(coordinates)
      // A depth of 0 means "the most" to the core: the root alone is one node.
      .u32(options.maxDepth === 0 ? 1 : options.maxNodes ?? DEFAULT_NODES)
      .u32(options.maxDepth ?? DEFAULT_DEPTH)
      .u32(options.maxText ?? DEFAULT_TEXT)
      .u32(SOURCES[source]).u32(known % 2 ** 32).u32(Math.floor(known / 2 ** 32));
    const what = `read the tree of ${JSON.stringify(application.name)}`;
    const generation = this.#source.generation();
    const reply = await this.#source.submit(Op.snapshot, request.bytes(), deadline.call(), what);
    if (isUnchanged(reply)) {
      const same = this.#mirrors.confirmed(application.bus, ids, generation);
      if (same !== undefined) return same;
      // Somebody else's look has replaced what was held meanwhile.
      return await this.snapshot(application, { ...options, source: "application" }, deadline);
    }
    const read = this.#snapshotOf(reply, application, generation);
    const snapshot = asked === fields ? read : withoutIds(read);
    if (held) this.#mirrors.learn(snapshot, ids);
    if (coordinates === Coordinates.window) await this.#place(snapshot, root, deadline);
    return snapshot;
  }

  /** Every field of one element, read afresh, as a snapshot of one row. */
  async read(
    element: ElementRef,
    deadline: Deadline,
    what: string,
    much: ReadMuch = "everything",
  ): Promise<Snapshot> {
    const application = this.#applications.get(element.bus) ?? await this.#find(element.bus, deadline);
    const coordinates = coordinatesOf(application);
    const reading = this.#readRow(element, coordinates, application, READING_TEXT, deadline, what, much);
    if (coordinates === Coordinates.screen) return await reading;
    const [row, offset] = await Promise.all([reading, this.#offset(element, application, deadline)]);
    shiftRows(row.columns.rect, 0, row.size, offset);
    return row;
  }

  /** Role, name, description, states, id and place of one element, read afresh in one round trip. */
  verify(element: ElementRef, deadline: Deadline, what: string): Promise<Snapshot> {
    return this.read(element, deadline, what, "verify");
  }

  /** What identifies whoever answers at an element's address now. */
  async fingerprint(element: ElementRef, deadline: Deadline, what: string): Promise<Fingerprint> {
    const application = this.#applications.get(element.bus) ?? nobody(element.bus);
    const row = await this.#readRow(
      element,
      coordinatesOf(application),
      application,
      1,
      deadline,
      what,
      "identity",
    );
    return row.element(0).fingerprint;
  }

  async elementAt(
    application: Application,
    x: number,
    y: number,
    deadline: Deadline,
  ): Promise<{ bus: string; path: string } | undefined> {
    const [windows, frames] = await Promise.all([
      this.#source.windows(deadline.call()),
      this.#frames(application, deadline),
    ]);
    const reached = windowAt(windows, x, y);
    // Another application's window lies on top there.
    if (reached && reached.pid !== 0 && reached.pid !== application.pid) return undefined;
    const matched = matchWindows(frames.map((f) => f.accessible), windows, application.pid);
    const coordinates = coordinatesOf(application);
    const offsets = frames.map(({ accessible }, k): Offset | undefined => {
      const window = matched[k];
      if (coordinates === Coordinates.screen) return { x: 0, y: 0 };
      return window && offsetOf(accessible, window);
    });
    let hit = frames.findIndex((_, k) => reached !== undefined && matched[k]?.id === reached.id);
    if (hit < 0) {
      // A popup that no title or size gives away, or no window list at all: the last frame that covers the point.
      hit = frames.findLastIndex(({ rect }, k) => {
        const offset = offsets[k];
        return offset !== undefined && rect !== undefined && contains(rect, x - offset.x, y - offset.y);
      });
    }
    const frame = frames[hit], offset = offsets[hit];
    if (!frame || !offset) return undefined;
    const request = new Request()
      .str(frame.ref.bus).str(frame.ref.path).u32(coordinates).i32(x - offset.x).i32(y - offset.y);
    return decodeAddress(await this.#source.submit(Op.atPoint, request.bytes(), deadline.call()));
  }

  /** The application left: what was remembered of it is worthless. */
  forget(bus: string): void {
    this.#toplevels.forget(bus);
    this.#mirrors.forget(bus);
    this.#applications.delete(bus);
  }

  async #find(bus: string, deadline: Deadline): Promise<Application> {
    for (const application of await this.#source.applications(deadline.call())) {
      this.#applications.set(application.bus, application);
    }
    const found = this.#applications.get(bus);
    if (found) return found;
    throw new BackstepError("app_gone", `Cannot read the element: no application answers at ${bus}`, {
      hint: "It has left: launch it again, and find the element anew.",
    });
  }

  async #columns(
    op: OpNumber,
    request: Bytes,
    application: Application,
    deadline: Deadline,
    what: string,
  ): Promise<Snapshot> {
    // Taken before the read: what is removed while it runs makes its rows stale.
    const generation = this.#source.generation();
    return this.#snapshotOf(
      await this.#source.submit(op, request, deadline.call(), what),
      application,
      generation,
    );
  }

  #snapshotOf(reply: Bytes, application: Application, generation: number): Snapshot {
    const { columns, ...how } = decodeColumns(reply);
    dropNowhere(columns.rect);
    if (isQt(application)) tellChosenTabs(columns);
    return new Snapshot(columns, { application, generation, ...how });
  }

  #readRow(
    { bus, path }: { readonly bus: string; readonly path: string },
    coordinates: CoordinateType,
    application: Application,
    maxText: number,
    deadline: Deadline,
    what: string,
    much: ReadMuch = "everything",
  ): Promise<Snapshot> {
    const request = new Request().str(bus).str(path).u32(coordinates).u32(maxText).u32(READS[much]);
    return this.#columns(Op.read, request.bytes(), application, deadline, what);
  }

  /** Window-relative rectangles become screen ones, window by window. */
  async #place(snapshot: Snapshot, root: ElementRef | undefined, deadline: Deadline): Promise<void> {
    const { rect } = snapshot.columns;
    const { application } = snapshot.origin;
    if (!root) this.#toplevels.learn(snapshot);
    if (rect.length === 0) return;
    if (root) {
      shiftRows(rect, 0, snapshot.size, await this.#offset(root, application, deadline));
      return;
    }
    const windows = await this.#source.windows(deadline.call());
    const rows = snapshot.children(0);
    const frames = rows.map((row) => accessibleWindow(snapshot, row));
    const matched = matchWindows(frames, windows, application.pid);
    for (const [k, row] of rows.entries()) {
      const frame = frames[k], window = matched[k];
      shiftRows(rect, row, snapshot.end(row), frame && window && offsetOf(frame, window));
    }
  }

  /** Where the window of an element has its origin on the screen; undefined when that cannot be told. */
  async #offset(
    element: ElementRef,
    application: Application,
    deadline: Deadline,
  ): Promise<Offset | undefined> {
    const [windows, frame] = await Promise.all([
      this.#source.windows(deadline.call()),
      this.#toplevelOf(element, application, deadline),
    ]);
    const [window] = frame ? matchWindows([frame], windows, application.pid) : [];
    return frame && window && offsetOf(frame, window);
  }

  /** The window an element lies in, with its size and title as they are now. */
  async #toplevelOf(element: ElementRef, application: Application, deadline: Deadline) {
    let address = this.#toplevels.of(element);
    if (!address) {
      await this.snapshot(application, { fields: [] }, deadline);
      address = this.#toplevels.of(element);
    }
    if (!address) return undefined;
    const what = "find the window of the element";
    const row = await this.#readRow(address, Coordinates.window, application, 1, deadline, what);
    return accessibleWindow(row, 0);
  }

  /** The application's windows with their rectangles as the application gives them. */
  async #frames(application: Application, deadline: Deadline) {
    const request = new Request().str(application.bus).str("").u32(Field.extents)
      .u32(coordinatesOf(application)).u32(DEFAULT_NODES).u32(1).u32(1);
    const what = `list the windows of ${JSON.stringify(application.name)}`;
    const snapshot = await this.#columns(Op.snapshot, request.bytes(), application, deadline, what);
    return snapshot.children(0).map((row) => ({
      ref: snapshot.element(row),
      rect: snapshot.rect(row),
      accessible: accessibleWindow(snapshot, row),
    }));
  }
}

function isWhole({ root, maxDepth, maxNodes }: SnapshotOptions): boolean {
  return root === undefined && maxDepth === undefined && maxNodes === undefined;
}

/** GTK 4.8 answers "" for the id of everything: that is a call an element for nothing, a third of its time. */
function hasIds({ toolkit, toolkitVersion }: Application): boolean {
  return toolkit.toLowerCase() !== "gtk" || !toolkitVersion.startsWith("4.8.");
}

/** A snapshot whose ids are all empty: string 0. */
function withoutIds({ columns, origin }: Snapshot): Snapshot {
  return new Snapshot({ ...columns, id: new Uint32Array(columns.count) }, origin);
}

function accessibleWindow(snapshot: Snapshot, row: number) {
  const rect = snapshot.rect(row);
  return { title: snapshot.name(row), width: rect?.width ?? 0, height: rect?.height ?? 0 };
}

function nobody(bus: string): Application {
  return { bus, name: bus, pid: 0, toolkit: "", toolkitVersion: "" };
}
