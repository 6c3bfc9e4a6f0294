import { type Call, type Deadline, pause } from "../../base/call.ts";
import { defined } from "../../base/defined.ts";
import { BackstepError, toBackstepError } from "../../base/error.ts";
import type { Bytes } from "../../ffi/binding.ts";
import { Field, Op, type OpNumber } from "../../ffi/op.ts";
import { Request } from "../../ffi/request.ts";
import { quotedName } from "../called.ts";
import type { SnapshotField, SnapshotOptions, SnapshotSource, StateBits } from "../desktop.ts";
import { contentIn, embeds } from "../content.ts";
import type { Application, ElementRef, Fingerprint, Reading } from "../element.ts";
import { itemContent, MOST_NODES } from "../item.ts";
import { answeringAddress } from "../embedded.ts";
import type { RecentReadings } from "../recent-readings.ts";
import type { Snapshot } from "../snapshot.ts";
import { asksKeptAgain, isGtk4, isMac, webFactsOf } from "../toolkits.ts";
import { DEFAULT_FIELDS, fieldsFor, isWhole, withoutIds } from "./asked-fields.ts";
import { decodeColumns, isUnchanged } from "./columns.ts";
import {
  Coordinates,
  coordinatesOf,
  type CoordinateType,
  fromScreen,
  mapRows,
  mayChangeScale,
} from "./coordinates.ts";
import { ElementAt } from "./element-at.ts";
import { EmbeddedProcesses } from "./embedded-processes.ts";
import { isFilled, PageCache } from "./page-cache.ts";
import { Corrections, type Rooted } from "./corrections.ts";
import { KeptRows, type KeptSource } from "./kept-rows.ts";
import { Mirrors, type MirrorSource } from "./mirrors.ts";
import { hideCoveredPages } from "./hidden-pages.ts";
import { decodePlaces, type PlaceReply } from "./refreshed.ts";
import { type NativeWindow, readingOf } from "./replies.ts";
import { requestTo } from "./request-to.ts";
import { PageFocus } from "./page-focus.ts";
import { Placement } from "./placement.ts";
import { SideBySide } from "./side-by-side.ts";
import { QtPopups } from "./qt-popups.ts";

/** What the reader needs of the desktop it reads for. */
export interface TreeSource extends MirrorSource {
  submit(op: OpNumber, request: Bytes, call: Call, what?: string): Promise<Bytes>;
  /** Bottom to top; none without a display. */
  windows(call: Call): Promise<NativeWindow[]>;
  /** Is there a display? Without one no window says that places are other than told. */
  hasDisplay(): boolean;
  /** Is it Wayland's, whose applications do not know where they are? */
  readonly wayland: boolean;
  applications(call: Call): Promise<Application[]>;
  /** The tree of an application that was read a moment ago, where nothing has changed since. */
  recent(application: Application): Snapshot | undefined;
  /** States that were reported in the last moment. */
  readonly states: RecentReadings<StateBits>;
}

const DEFAULT_NODES = 100_000;
const DEFAULT_DEPTH = 255;
const DEFAULT_TEXT = 1_000;
/** Characters of one element that a reading holds. */
const READING_TEXT = 1 << 20;
/** How much of one element is read, as a request has it. */
const READS = { everything: 0, identity: 1, verify: 2, allButSelection: 3 };
type ReadMuch = keyof typeof READS;
/** What a browser tells of its pages on demand; places, which come last, are asked for last. */
const ON_DEMAND: readonly SnapshotField[] = [
  "text",
  "value",
  "actions",
  "attributes",
  "relations",
  "textStyle",
];
/** Milliseconds that a page gets to tell them, and between two looks. */
const FILLS = 3_000;
const REREAD = 25;
/** Where every application is itself. */
const ROOT = "/org/a11y/atspi/accessible/root";
/** The numbers of `SnapshotSource` in a request. */
const SOURCES = { application: 0, mirror: 1, held: 2, proven: 3, remembered: 4 };

/** Reads trees and elements of applications and puts their rectangles into screen coordinates. */
export class TreeReader {
  readonly #source: TreeSource;
  readonly #mirrors: Mirrors;
  readonly #corrections = new Corrections();
  readonly #pages = new PageCache();
  readonly #popups = new QtPopups();
  readonly #sideBySide = new SideBySide();
  /** Who answers for parts of applications. */
  readonly embedded = new EmbeddedProcesses();
  readonly #applications = new Map<string, Application>();
  readonly #placement: Placement;
  readonly #pageFocus = new PageFocus((paths, application, deadline) =>
    this.#placesByProcess(application.bus, paths, application, deadline)
  );
  /** What lies at points of the screen. */
  readonly points: ElementAt;
  /** Some rows of what is kept of an application. */
  readonly kept: KeptRows;

  constructor(source: TreeSource) {
    this.#source = source;
    this.#mirrors = new Mirrors(source);
    this.#placement = new Placement({
      windows: (call) => source.windows(call),
      hasDisplay: () => source.hasDisplay(),
      wayland: source.wayland,
      look: (application, fields, deadline) => this.snapshot(application, { fields }, deadline),
      surface: (address, application, deadline) =>
        this.#readRow(
          address,
          coordinatesOf(application),
          application,
          1,
          deadline,
          "find the window of the element",
        ),
    });
    this.points = new ElementAt({
      submit: (op, request, call) => source.submit(op, request, call),
      windows: (call) => source.windows(call),
      tree: (application, deadline) => this.snapshot(application, { fields: ["extents"] }, deadline),
      frames: (application, deadline) => this.#frames(application, deadline),
      kept: async (application, deadline) =>
        source.recent(application) ??
          await this.snapshot(application, { source: "remembered", fields: ["id"] }, deadline),
      places: (paths, application, deadline) => this.#places(application.bus, paths, application, deadline),
      embedded: this.embedded,
    }, this.#placement);
    const kept: KeptSource = {
      submit: (op, request, call) => source.submit(op, request, call),
      windows: (call) => source.windows(call),
      places: (paths, application, deadline) => this.#places(application.bus, paths, application, deadline),
      readRow: (element, application, deadline, what, much) =>
        this.#readRow(element, coordinatesOf(application), application, READING_TEXT, deadline, what, much),
      hidePages: (snapshot, deadline) => this.#hidePages(snapshot, deadline),
      embedded: this.embedded,
    };
    this.kept = new KeptRows(kept, this.#placement, this.#sideBySide, this.#corrections.tabs);
  }

  async snapshot(
    application: Application,
    options: SnapshotOptions,
    deadline: Deadline,
  ): Promise<Snapshot> {
    this.#applications.set(application.bus, application);
    const { root } = options;
    const source = this.#sourceFor(application, options.source ?? "application");
    const coordinates = coordinatesOf(application);
    const fields = options.fields ?? DEFAULT_FIELDS;
    const asked = fieldsFor(application, fields);
    const ids = fields.includes("id");
    // Only whole trees with what may be held are kept decoded.
    const held = source !== "application" && source !== "mirror" && isWhole(options) &&
      !fields.includes("hash");
    const current = held && source !== "proven" ? this.#mirrors.current(application.bus, ids) : undefined;
    const popups = (tree: Snapshot): Snapshot | Promise<Snapshot> =>
      isWhole(options) && this.#popups.mayHave(application)
        ? this.#popups.added(tree, (path) => this.#popup(application, path, asked, deadline))
        : tree;
    if (current !== undefined) return popups(current);
    const existing = held ? this.#mirrors.existing(application.bus, ids) : 0;
    const request = requestTo(root ?? { bus: application.bus, path: "" })
      .u32(asked.reduce((bits, field) => bits | Field[field], isMac(application) ? Field.nativeRole : 0))
      .u32(coordinates)
      // A depth of 0 means "the most" to the core: the root alone is one node.
      .u32(options.maxDepth === 0 ? 1 : options.maxNodes ?? DEFAULT_NODES)
      .u32(options.maxDepth ?? DEFAULT_DEPTH)
      .u32(options.maxText ?? DEFAULT_TEXT)
      .u32(SOURCES[source]).u32(existing % 2 ** 32).u32(Math.floor(existing / 2 ** 32));
    const roles = source === "remembered" && asksKeptAgain(application) ? options.roles ?? [] : [];
    if (roles.length > 0) request.u32(roles.length);
    for (const role of roles) request.u32(role);
    const what = `read the tree of ${quotedName(application)}`;
    const generation = this.#source.generation();
    const askedAt = performance.now();
    const reply = await this.#source.submit(Op.snapshot, request.bytes(), deadline.call(), what);
    if (isUnchanged(reply)) {
      const same = this.#mirrors.confirmed(application.bus, ids, generation);
      if (same !== undefined) return popups(same);
      // Somebody else's look has replaced what was held meanwhile.
      return await this.snapshot(application, { ...options, source: "application" }, deadline);
    }
    const read = this.#snapshotOf(reply, application, { generation, askedAt }, root);
    if (this.#pages.hasUnfilled(read)) {
      await this.#fill(application, deadline);
      return await this.snapshot(application, options, deadline);
    }
    if (root === undefined && this.embedded.isIn(application.bus)) this.#pageFocus.learn(read);
    const decoded = ids && !asked.includes("id") ? withoutIds(read) : read;
    if (held) this.#mirrors.learn(decoded, ids);
    const snapshot = await popups(decoded);
    if (isGtk4(application) && read.origin.source === "application" && asked.includes("extents")) {
      this.#sideBySide.learn(read, Array.from({ length: read.size }, (_, row) => row));
    }
    // What is kept without places cannot tell it either; who asks for what shows asks the application.
    const fromApplication = source === "application" || read.origin.source === "application";
    if (isGtk4(application) && fromApplication && asked.includes("extents")) {
      await this.#hidePages(snapshot, deadline);
    }
    if (this.#placement.maps(application) || mayChangeScale(application)) {
      await this.#placement.place(snapshot, root, deadline);
    }
    return snapshot;
  }

  /** Which lists of Qt are open on Wayland is told by the places of all: nothing is kept of it there. */
  #sourceFor(application: Application, source: SnapshotSource): SnapshotSource {
    return asksKeptAgain(application) && this.#source.wayland ? "application" : source;
  }

  /** An event came: what it says to show may be a context menu of Qt. */
  reported(bus: string, path: string, kind: string, on: boolean): void {
    this.#popups.reported(bus, path, kind, on);
  }

  /** What an application shows apart from its tree; undefined: it is gone. */
  async #popup(
    application: Application,
    path: string,
    fields: readonly SnapshotField[],
    deadline: Deadline,
  ): Promise<Snapshot | undefined> {
    const request = new Request()
      .str(application.bus).str(path).u32(fields.reduce((bits, field) => bits | Field[field], 0))
      .u32(coordinatesOf(application)).u32(DEFAULT_NODES).u32(DEFAULT_DEPTH).u32(DEFAULT_TEXT);
    const root = { bus: application.bus, path };
    try {
      return await this.#columns(Op.snapshot, request.bytes(), application, deadline, "read a menu", root);
    } catch (thrown) {
      if (toBackstepError(thrown).code === "stale") return undefined;
      throw thrown;
    }
  }

  /** Asks for all that its pages tell on demand, until it is there. */
  async #fill(application: Application, deadline: Deadline): Promise<void> {
    const limit = deadline.within(FILLS);
    const read = (fields: readonly SnapshotField[]) => {
      const request = new Request()
        .str(application.bus).str("").u32(fields.reduce((bits, field) => bits | Field[field], 0))
        .u32(coordinatesOf(application)).u32(DEFAULT_NODES).u32(DEFAULT_DEPTH).u32(1);
      const what = `read the pages of ${quotedName(application)}`;
      return this.#columns(Op.snapshot, request.bytes(), application, deadline, what);
    };
    await read(ON_DEMAND);
    for (;;) {
      const seen = await read(["extents"]);
      // One that never comes is taken as it is.
      if (isFilled(seen) || limit.passed) {
        this.#corrections.filled(await read(["attributes"]));
        return this.#pages.filled(seen);
      }
      await pause(REREAD, deadline.signal);
    }
  }

  /** Every field of one element, read afresh, as a snapshot of one row; not `placed`: where it lies may be absent. */
  async read(
    element: ElementRef,
    deadline: Deadline,
    what: string,
    { much = "everything", placed = true }: { readonly much?: ReadMuch; readonly placed?: boolean } = {},
  ): Promise<Snapshot> {
    const application = this.#applications.get(element.bus) ?? await this.#find(element.bus, deadline);
    const coordinates = coordinatesOf(application);
    const reading = this.#readRow(element, coordinates, application, READING_TEXT, deadline, what, much);
    if (!this.#placement.maps(application)) return await reading;
    const mapped = placed ? this.#placement.mapping(element, application, deadline) : undefined;
    const [row, mapping] = await Promise.all([reading, mapped]);
    mapRows(row.columns.rect, 0, row.size, mapping);
    return row;
  }

  /** The same as an object, with what is embedded in its text. */
  async reading(
    element: ElementRef,
    deadline: Deadline,
    what: string,
    how: { readonly placed?: boolean } = {},
  ): Promise<Reading> {
    const row = await this.read(element, deadline, what, how);
    const reading = readingOf(row);
    if (!embeds(row, 0)) return reading;
    const within: SnapshotOptions = { root: element, fields: ["text"], maxText: READING_TEXT };
    const tree = await this.snapshot(row.origin.application, within, deadline);
    return { ...reading, ...defined({ content: contentIn(tree, 0) }) };
  }

  /** Role, name, description, states, id and place of one element, read afresh in one round trip. */
  verify(element: ElementRef, deadline: Deadline, what: string): Promise<Snapshot> {
    return this.read(element, deadline, what, { much: "verify" });
  }

  /** Where elements lie and what their states are, asked of all at once. */
  async #places(
    bus: string,
    paths: readonly string[],
    application: Application,
    deadline: Deadline,
  ): Promise<PlaceReply[]> {
    const begun = this.#source.states.begin();
    const replies = await this.#placesByProcess(bus, paths, application, deadline);
    for (const [at, path] of paths.entries()) {
      const reply = replies[at];
      if (reply?.states === undefined) continue;
      const statesLow = await this.#pageFocus.corrected(reply.states.statesLow, path, application, deadline);
      const states = { ...reply.states, statesLow };
      replies[at] = { ...reply, states };
      this.#source.states.keep({ bus, path }, states, begun);
    }
    return replies;
  }

  /** Each process is asked for its own: those of the application, and of what is embedded in it. */
  async #placesByProcess(
    bus: string,
    paths: readonly string[],
    application: Application,
    deadline: Deadline,
  ): Promise<PlaceReply[]> {
    const asked = paths.map((path) => answeringAddress({ bus, path }));
    const replies: PlaceReply[] = [];
    await Promise.all(
      [...Map.groupBy(asked.keys(), (at) => asked[at]?.bus ?? bus)].map(async ([bus, own]) => {
        const request = new Request().str(bus).str("").u32(coordinatesOf(application)).u32(own.length);
        for (const at of own) request.str(asked[at]?.path ?? "");
        const reported = decodePlaces(await this.#source.submit(Op.places, request.bytes(), deadline.call()));
        for (const [k, at] of own.entries()) {
          const one = reported[k];
          if (one !== undefined) replies[at] = one;
        }
      }),
    );
    for (const [at, path] of paths.entries()) {
      const frame = this.embedded.frameOf(application.bus, path), reply = replies[at];
      const around = frame === undefined ? undefined : replies[paths.indexOf(frame)];
      if (reply !== undefined && around !== undefined) replies[at] = { ...reply, rect: around.rect };
    }
    return replies;
  }

  /** The states of elements of one application; undefined: it is gone, or does not answer. */
  async statesOf(elements: readonly ElementRef[], deadline: Deadline): Promise<(StateBits | undefined)[]> {
    const [first] = elements;
    if (first === undefined) return [];
    const { bus } = first;
    const application = this.#applications.get(bus) ?? await this.#find(bus, deadline);
    const paths = elements.map(({ path }) => path);
    return (await this.#places(bus, paths, application, deadline)).map(({ states }) => states);
  }

  /**
   * Does an application answer over the bus before the deadline? Trees and readings may come over a connection of their own,
   * which GTK 3 serves while it serves no other.
   */
  async answers({ bus }: Application, deadline: Deadline): Promise<boolean> {
    const request = new Request().str(bus).str(ROOT).u32(Coordinates.screen).i32(-1).i32(-1);
    try {
      await this.#source.submit(Op.atPoint, request.bytes(), deadline.call());
    } catch (thrown) {
      // Whatever else it says, it said something.
      return toBackstepError(thrown).code !== "timeout";
    }
    return true;
  }

  /** An application of which something was read. */
  applicationAt(bus: string): Application | undefined {
    return this.#applications.get(bus);
  }

  /** What identifies whoever answers at an element's address now. */
  async fingerprint(element: ElementRef, deadline: Deadline, what: string): Promise<Fingerprint> {
    const application = this.#applications.get(element.bus) ?? nobody(element.bus);
    const { item } = element.fingerprint;
    const [row, content] = await Promise.all([
      this.#readRow(element, coordinatesOf(application), application, 1, deadline, what, "identity"),
      item === undefined ? undefined : this.#content(element, item.path, application, deadline, what),
    ]);
    const { role, name, id } = row.element(0).fingerprint;
    return {
      role,
      name,
      id,
      ...(item && content !== undefined ? { item: { path: item.path, content } } : {}),
    };
  }

  /** What an item of a list, table or tree shows now. */
  async #content(
    element: ElementRef,
    path: string,
    application: Application,
    deadline: Deadline,
    what: string,
  ): Promise<string> {
    const request = requestTo({ bus: element.bus, path }).u32(0).u32(coordinatesOf(application))
      .u32(MOST_NODES).u32(DEFAULT_DEPTH).u32(1);
    const root = path === element.path ? element : undefined;
    return itemContent(
      await this.#columns(Op.snapshot, request.bytes(), application, deadline, what, root),
      0,
    );
  }

  /** A point of the screen as the application of an element tells it, and takes it; undefined: it is not known where it lies. */
  async pointFor(
    element: ElementRef,
    { x, y }: { readonly x: number; readonly y: number },
    deadline: Deadline,
  ): Promise<{ x: number; y: number } | undefined> {
    if (!this.#source.wayland) return { x, y };
    const application = this.#applications.get(element.bus) ?? await this.#find(element.bus, deadline);
    const mapping = await this.#placement.mapping(element, application, deadline);
    return mapping && fromScreen(mapping, x, y);
  }

  /** The application left: what was remembered of it is worthless. */
  forget(bus: string): void {
    this.#placement.forget(bus);
    this.#corrections.forget(bus);
    this.#pages.forget(bus);
    this.#popups.forget(bus);
    this.#sideBySide.forget(bus);
    this.#mirrors.forget(bus);
    this.embedded.forget(bus);
    this.#pageFocus.forget(bus);
    this.#applications.delete(bus);
  }

  async #find(bus: string, deadline: Deadline): Promise<Application> {
    for (const application of await this.#source.applications(deadline.call())) {
      this.#applications.set(application.bus, application);
    }
    const found = this.#applications.get(bus);
    if (found) return found;
    throw new BackstepError("app_gone", `Cannot read the element: no application answers at ${bus}`, {
      hint: "The application has ended: launch it again, and find the element again.",
    });
  }

  async #columns(
    op: OpNumber,
    request: Bytes,
    application: Application,
    deadline: Deadline,
    what: string,
    root?: Rooted,
  ): Promise<Snapshot> {
    // Taken before the read: what is removed while it runs makes its rows stale.
    const asked = { generation: this.#source.generation(), askedAt: performance.now() };
    return this.#snapshotOf(
      await this.#source.submit(op, request, deadline.call(), what),
      application,
      asked,
      root,
    );
  }

  #snapshotOf(
    reply: Bytes,
    application: Application,
    asked: { readonly generation: number; readonly askedAt: number },
    root?: Rooted,
  ): Snapshot {
    const { columns: read, ...how } = decodeColumns(reply);
    const columns = this.embedded.adopt(read, application.bus);
    const origin = { application, ...asked, readAt: performance.now(), ...how };
    return this.#corrections.apply(columns, origin, root);
  }

  async #readRow(
    element: Rooted,
    coordinates: CoordinateType,
    application: Application,
    maxText: number,
    deadline: Deadline,
    what: string,
    much: ReadMuch = "everything",
  ): Promise<Snapshot> {
    const fatal = much === "everything" && webFactsOf(application)?.fatalSelection;
    const request = requestTo(element).u32(coordinates).u32(maxText)
      .u32(READS[fatal ? "allButSelection" : much]);
    const row = await this.#columns(Op.read, request.bytes(), application, deadline, what, element);
    const { states } = row.columns;
    states[0] = await this.#pageFocus.corrected(states[0] ?? 0, element.path, application, deadline);
    return row;
  }

  /** Before rectangles become the screen's: the application is asked in its own coordinates. */
  async #hidePages(snapshot: Snapshot, deadline: Deadline): Promise<void> {
    const { application } = snapshot.origin;
    await hideCoveredPages(snapshot, async ({ row, x, y }) => {
      try {
        return await this.points.inside(application, snapshot.element(row), { x, y }, deadline);
      } catch (thrown) {
        // What was removed meanwhile does not say which of its pages shows.
        if (toBackstepError(thrown).code === "stale") return undefined;
        throw thrown;
      }
    });
  }

  /** The windows of an application alone, with their places as it tells them. */
  #frames(application: Application, deadline: Deadline): Promise<Snapshot> {
    const request = new Request().str(application.bus).str("").u32(Field.extents)
      .u32(coordinatesOf(application)).u32(DEFAULT_NODES).u32(1).u32(1);
    const what = `list the windows of ${quotedName(application)}`;
    return this.#columns(Op.snapshot, request.bytes(), application, deadline, what);
  }
}

function nobody(bus: string): Application {
  return { bus, name: bus, pid: 0, toolkit: "", toolkitVersion: "" };
}
