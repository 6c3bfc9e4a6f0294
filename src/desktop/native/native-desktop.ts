import { type Call, Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Bytes } from "../../ffi/binding.ts";
import { Op, type OpNumber } from "../../ffi/op.ts";
import type { EventRecord, Notice } from "../../ffi/records.ts";
import { Reply } from "../../ffi/reply.ts";
import { Request } from "../../ffi/request.ts";
import type { CoreCall, CoreSession } from "../../ffi/session.ts";
import { quotedName } from "../called.ts";
import type {
  Action,
  Area,
  AtPointOptions,
  Capabilities,
  Desktop,
  DesktopKind,
  Drawn,
  Frame,
  Gesture,
  Hit,
  InputWatch,
  ReadCall,
  Refreshed,
  RefreshOptions,
  Said,
  ScreenshotCall,
  SnapshotOptions,
  StateBits,
  VerifyManagedOptions,
  Watch,
  Window,
  WindowAction,
} from "../desktop.ts";
import type { Application, ElementRef, Reading, Rect } from "../element.ts";
import { embedderOf, isEmbedded } from "../embedded.ts";
import type { Holders, HoldersQuery } from "../holders.ts";
import { keysymsOf } from "../keys.ts";
import type { InputRecording } from "../input-events.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Flush } from "../flush.ts";
import { asksKeptAgain } from "../toolkits.ts";
import { actIfSame, type ActSource } from "./act-if-same.ts";
import { Clicks } from "./clicks.ts";
import { ListedWindows } from "./listed-windows.ts";
import { ScreenReads } from "./screen-reads.ts";
import { LateReports } from "./late-reports.ts";
import { readClipboardText, wholeClipboard, writeClipboardText } from "./clipboard.ts";
import { encodeAction, encodeGesture, encodeWindowAction } from "./encode-action.ts";
import { decodeHolders, encodeHolders } from "./holders.ts";
import { Generations } from "./generations.ts";
import { nameOf } from "../identity.ts";
import { type Connection, decodeApplications } from "./replies.ts";
import type { ManagedWindows } from "./managed-windows.ts";
import { scrollsAtOnce } from "./scrolls-at-once.ts";
import { TreeReader } from "./tree-reader.ts";
import { Stalls } from "./stalls.ts";
import { DEFAULT_FIELDS, isWhole } from "./asked-fields.ts";
import { OF_A_STEP, SharedWindows } from "./shared-windows.ts";
import { SharedWithinStep } from "./shared-within-step.ts";
import { ForeignInputs } from "./foreign-input.ts";
import { EventWatch } from "./watch.ts";

/** Milliseconds a call may take when it does not say. */
const DEFAULT_TIMEOUT = 10_000;
const SNAPSHOT_TIMEOUT = 30_000;
/** What the core of macOS has in the place of a name on a bus. */
const MAC = "macos";
const NOWHERE: Rect = { x: 0, y: 0, width: 0, height: 0 };
/** Typing takes its time: so much more a character. */
const TIMEOUT_PER_CHARACTER = 50;

/** What has been done when it is answered: an action may only have been begun. */
const READ_AT_ONCE: ReadonlySet<Action["do"]> = new Set([
  "setText",
  "insertText",
  "deleteText",
  "setValue",
  "select",
  "deselect",
  "selectRow",
  "deselectRow",
]);
/** Milliseconds for reading what came of an action before anybody asks. */
const ALONG = 1_000;

/** Operations that change nothing, beside those below `action`: after any other, what was read may read otherwise. */
const ONLY_LOOKS: ReadonlySet<OpNumber> = new Set<OpNumber>([
  Op.watchInput,
  Op.capture,
  Op.windows,
  Op.holders,
  Op.drawn,
  Op.clipRead,
  Op.clipKeep,
]);

/** A real desktop, over one session of the native core. Made by `connectNative`. */
export class NativeDesktop implements Desktop {
  readonly kind: DesktopKind;
  readonly mode = "focus";
  readonly label: string;
  /** Of the screen, in pixels; 0 without a display. */
  readonly screen: { readonly width: number; readonly height: number };
  readonly #session: CoreSession;
  readonly #generations = new Generations();
  readonly #clicks: Clicks;
  readonly #watches = new Set<EventWatch>();
  readonly #inputs: ForeignInputs;
  readonly #tree: TreeReader;
  readonly #stalls: Stalls;
  readonly #shared = new SharedWithinStep(new SharedWindows((call) => this.#listed.now(call)));
  readonly #listed: ListedWindows;
  readonly #screenReads: ScreenReads;
  readonly #managed: ManagedWindows | undefined;
  readonly #mac: boolean;
  readonly #acts: ActSource = {
    submit: (op, request, call, what) => this.#submit(op, request, call, what),
    fingerprint: (element, deadline, what) => this.#tree.fingerprint(element, deadline, what),
    application: (bus) => this.#tree.applicationAt(bus),
  };
  readonly #late = new LateReports({
    submit: (op, request, call) => this.#submit(op, request, call),
    application: (bus) => this.#tree.applicationAt(bus),
    watch: () => this.watch(),
  });
  #accessibility: boolean;
  #display: boolean;
  /** When something was last sent to anybody: what that sets off may not be seen yet. */
  #sentAt = -Infinity;
  #wroteClipboard = false;

  /**
   * `managed`: who knows the windows where the display is Wayland's, which does not; `clicks`: those that count so far.
   */
  constructor(
    session: CoreSession,
    kind: DesktopKind,
    label: string,
    connection: Connection,
    managed?: ManagedWindows,
    clicks = new Clicks(),
  ) {
    this.#managed = managed;
    this.#clicks = clicks;
    this.#mac = connection.busName === MAC;
    this.#session = session;
    this.kind = kind;
    this.label = label;
    this.screen = { width: connection.width, height: connection.height };
    this.#accessibility = connection.accessibility;
    this.#display = connection.display;
    this.#listed = new ListedWindows((op, request, call) => this.#submit(op, request, call), managed);
    this.#screenReads = new ScreenReads({
      submit: (op, request, call) => this.#submit(op, request, call),
      windows: (call) => this.#shared.windows.fresh(call),
      // Where a compositor draws, what it has not drawn yet may have moved.
      tellsDrawing: () => kind === "isolated" && this.#display && !managed,
      // On a person's desktop more than windows may lie there: panels and popups are in no list.
      outputsAlone: managed !== undefined && kind === "isolated",
      screen: this.screen,
    });
    this.#inputs = new ForeignInputs(async (level, call, what) => {
      if (level === 0 && (this.#session.closed || !this.#display)) return;
      await this.#submit(Op.watchInput, new Request().u32(level).bytes(), call, what);
    });
    this.#tree = new TreeReader({
      submit: (op, request, call, what) => this.#submit(op, request, call, what),
      windows: (call) => this.#display ? this.#shared.windows.recent(call) : Promise.resolve([]),
      applications: (call) => this.applications(call),
      generation: () => this.#generations.now,
      peek: (bus) => session.peek(bus),
      hasDisplay: () => this.#display,
      wayland: managed !== undefined,
      recent: ({ bus }) => this.#shared.tree.of(bus, ["id"]),
      states: this.#shared.states,
    });
    this.#stalls = new Stalls({
      answers: (application, deadline) => this.#tree.answers(application, deadline),
      windows: (deadline) => this.#display ? this.#listed.now(deadline.call()) : Promise.resolve([]),
      recentWindows: (deadline) =>
        this.#display ? this.#shared.windows.recent(deadline.call(), OF_A_STEP) : Promise.resolve([]),
      applications: (deadline) => this.applications(deadline.call()),
    });
    NativeDesktop.#listen(session, new WeakRef(this));
  }

  // The core holds its sessions for as long as they are open; that must not keep a desktop whom everybody forgot. Apart
  // from the constructor: functions made in one place share what any of them holds.
  static #listen(session: CoreSession, dropped: WeakRef<NativeDesktop>): void {
    session.onEvents((notices) => {
      const desktop = dropped.deref();
      if (desktop) desktop.#notice(notices);
    });
  }

  /** What works now: a connection that broke takes away what needs it. */
  get capabilities(): Capabilities {
    const display = this.#display;
    return {
      accessibility: this.#accessibility,
      input: display,
      pictures: display,
      clipboard: display,
      windows: display,
      ...(display ? { display: this.#managed ? "wayland" : this.#mac ? "macos" : "x11" } : {}),
    };
  }

  async applications(call: ReadCall = {}): Promise<Application[]> {
    const recent = call.recent ? this.#shared.applications.recent() : undefined;
    if (recent !== undefined) return [...recent];
    const begun = this.#shared.applications.begin();
    const reply = await this.#submit(Op.apps, new Uint8Array(0), call);
    const applications = this.#stalls.list(decodeApplications(reply));
    this.#shared.applications.keep(applications, begun);
    return [...applications];
  }

  stalledBy(bus: string): string | undefined {
    return this.#stalls.since(bus);
  }

  async snapshot(asked: Application, options: SnapshotOptions = {}): Promise<Snapshot> {
    const application = embedderOf(asked);
    if (options.root) this.#generations.check(`read the tree of ${nameOf(options.root)}`, options.root);
    const deadline = Deadline.of(options, SNAPSHOT_TIMEOUT);
    const blocked = this.#stalls.require(
      application.bus,
      `read the tree of ${quotedName(application)}`,
      deadline,
    );
    if (blocked !== undefined) await blocked;
    const { fields = DEFAULT_FIELDS } = options;
    const whole = isWhole(options) && options.maxText === undefined;
    // A mirror costs less to look at, and says more, than what was read: but where each element of it is asked again.
    const shared = options.source !== "remembered" || asksKeptAgain(application);
    const recent = options.recent && whole && shared
      ? this.#shared.tree.of(application.bus, fields)
      : undefined;
    if (recent !== undefined) return recent;
    const begun = this.#shared.tree.begin();
    const snapshot = await this.#gone(
      application,
      this.#tree.snapshot(application, options, deadline),
    );
    if (snapshot.origin.source === "application" && whole) this.#shared.tree.keep(snapshot, fields, begun);
    // It was asked of each element, as what is read is.
    else if (asksKeptAgain(application) && whole) this.#shared.tree.keep(snapshot, ["id"], begun);
    return snapshot;
  }

  async read(element: ElementRef, call: ReadCall = {}): Promise<Reading> {
    const what = `read ${nameOf(element)}`;
    this.#generations.check(what, element);
    const placed = call.place !== false;
    if (call.recent && !placed && this.#stalls.since(element.bus) === undefined) {
      await this.#shared.underWay(element);
    }
    const { readings, unplaced } = this.#shared;
    const recent = call.recent && (readings.of(element) ?? (placed ? undefined : unplaced.of(element)));
    if (recent) return recent;
    const deadline = Deadline.of(call, DEFAULT_TIMEOUT);
    const blocked = this.#stalls.require(element.bus, what, deadline);
    if (blocked !== undefined) await blocked;
    const kept = placed ? readings : unplaced;
    const begun = kept.begin();
    const reading = await this.#gone(element, this.#tree.reading(element, deadline, what, { placed }));
    // What is embedded reports its changes itself.
    if (reading.content === undefined) kept.keep(element, reading, begun);
    return reading;
  }

  async verify(element: ElementRef, call: Call = {}): Promise<Snapshot> {
    const what = `verify ${nameOf(element)}`;
    this.#generations.check(what, element);
    const deadline = Deadline.of(call, DEFAULT_TIMEOUT);
    const blocked = this.#stalls.require(element.bus, what, deadline);
    if (blocked !== undefined) await blocked;
    return await this.#gone(element, this.#tree.verify(element, deadline, what));
  }

  async statesOf(
    elements: readonly ElementRef[],
    call: ReadCall = {},
  ): Promise<readonly (StateBits | undefined)[]> {
    const [first] = elements;
    if (first === undefined) return [];
    const what = `read ${nameOf(first)} and ${elements.length - 1} more`;
    for (const element of elements) this.#generations.check(what, element);
    const recent = call.recent ? elements.flatMap((element) => this.#shared.states.of(element) ?? []) : [];
    if (recent.length === elements.length) return recent;
    const deadline = Deadline.of(call, DEFAULT_TIMEOUT);
    const blocked = this.#stalls.require(first.bus, what, deadline);
    if (blocked !== undefined) await blocked;
    return await this.#gone(first, this.#tree.statesOf(elements, deadline));
  }

  async refresh(
    snapshot: Snapshot,
    rows: readonly number[],
    options: RefreshOptions = {},
  ): Promise<Refreshed | undefined> {
    const { application } = snapshot.origin;
    const [row] = rows;
    if (options.recent && row !== undefined && rows.length === 1) {
      const existing = this.#shared.places.of(snapshot.element(row));
      if (existing !== undefined) return existing;
    }
    const deadline = Deadline.of(options, DEFAULT_TIMEOUT);
    const what = `look at elements of ${quotedName(application)}`;
    const blocked = this.#stalls.require(application.bus, what, deadline);
    if (blocked !== undefined) await blocked;
    const begun = this.#shared.readings.begin();
    const placed = this.#shared.places.begin();
    const refreshed = this.#gone(
      application,
      this.#tree.kept.refresh(snapshot, rows, deadline, options),
    );
    // What is drawn from here on is known to who points at it a moment later, and whoever looks whether it is reached needs the windows.
    const [now] = await Promise.all([
      refreshed,
      this.#screenReads.seesDrawing ? 0 : this.undrawn(NOWHERE, deadline.call()),
      this.#display ? this.#shared.windows.recent(deadline.call()) : [],
    ]);
    for (const one of now ? rows : []) {
      // Its own reading is kept for itself.
      if (now) {
        const { reading: _, ...placesOf } = now;
        this.#shared.places.keep(snapshot.element(one), placesOf, placed);
      }
    }
    // What verified the target is what it was before the action.
    if (now?.reading && row !== undefined) {
      this.#shared.readings.keep(snapshot.element(row), now.reading, begun);
    }
    return now;
  }

  async verifyManaged(
    snapshot: Snapshot,
    roles: readonly number[],
    options: VerifyManagedOptions = {},
  ): Promise<Snapshot | undefined> {
    const { application } = snapshot.origin;
    const deadline = Deadline.of(options, DEFAULT_TIMEOUT);
    const what = `look at elements of ${quotedName(application)}`;
    const blocked = this.#stalls.require(application.bus, what, deadline);
    if (blocked !== undefined) await blocked;
    return await this.#gone(
      application,
      this.#tree.kept.verifyManaged(snapshot, roles, deadline, options),
    );
  }

  async undrawn(rect: Rect, call: Call = {}): Promise<number> {
    const { still = 0 } = await this.#screenReads.drawn(rect, 0, call) ?? {};
    return Math.min(still, performance.now() - this.#sentAt);
  }

  async drawn(within: number, call: Call = {}): Promise<Drawn | undefined> {
    return await this.#screenReads.drawn({ x: 0, y: 0, ...this.screen }, within, call);
  }

  scrollsAtOnce(application: Application): boolean {
    return scrollsAtOnce(application);
  }

  async act(element: ElementRef, action: Action, call: Call = {}): Promise<number | undefined> {
    const deadline = Deadline.of(call, DEFAULT_TIMEOUT);
    // Anything else is sent at once: a session that is closed meanwhile calls it off.
    const own = this.#managed ? await this.#inOwnPixels(element, action, deadline) : action;
    const submission = encodeAction(element, own), { what } = submission;
    this.#generations.check(what, element);
    const blocked = this.#stalls.require(element.bus, what, deadline);
    if (blocked !== undefined) await blocked;
    const send = () => this.#gone(element, actIfSame(this.#acts, element, submission, deadline));
    // Whoever acts reads what came of it: that is under way while it is seen whether the application answers.
    const look = () => READ_AT_ONCE.has(action.do) ? this.#readAlong(element, deadline) : undefined;
    const act = () => this.#stalls.around(element.bus, what, deadline, send, look);
    const reply = await this.#late.around(element, deadline, act);
    if (action.do !== "setValue") return undefined;
    const value = new Reply(reply).f64();
    return Number.isNaN(value) ? undefined : value;
  }

  flushOf(element: ElementRef): Flush | undefined {
    return this.#late.flushOf(element);
  }

  #readAlong(element: ElementRef, deadline: Deadline): void {
    const soon = deadline.within(ALONG);
    const what = `read ${nameOf(element)}`;
    const read = () => this.#tree.reading(element, soon, what, { placed: false });
    this.#shared.readAlong(element, read);
  }

  /** Points are the screen's here, and the application's own there. */
  async #inOwnPixels(element: ElementRef, action: Action, deadline: Deadline): Promise<Action> {
    if (action.do !== "scrollToPoint") return action;
    const point = await this.#tree.pointFor(element, action, deadline);
    if (point) return { ...action, ...point };
    throw new BackstepError(
      "unsupported",
      `Cannot scroll ${nameOf(element)} to a point: its window cannot be told`,
      {
        details: { outcome: "not_sent" },
      },
    );
  }

  async elementAt(
    asked: Application,
    x: number,
    y: number,
    options: AtPointOptions = {},
  ): Promise<Hit | undefined> {
    const application = embedderOf(asked);
    const deadline = Deadline.of(options, DEFAULT_TIMEOUT);
    const blocked = this.#stalls.require(application.bus, `look what lies at ${x}, ${y}`, deadline);
    if (blocked !== undefined) await blocked;
    const begun = this.#shared.hits.begin();
    const { window, seen } = options;
    const hit = await this.#gone(
      application,
      this.#tree.points.at(application, Math.round(x), Math.round(y), deadline, { window, seen }),
    );
    this.#shared.hits.keep(application, x, y, hit, begun);
    return hit;
  }

  saidAt(application: Application, x: number, y: number): Said | undefined {
    return this.#shared.hits.of(application, x, y);
  }

  async typeText(text: string, call: Call = {}): Promise<void> {
    const timeout = DEFAULT_TIMEOUT + TIMEOUT_PER_CHARACTER * text.length;
    await this.#stalls.requireKeys("type", Deadline.of({ timeout, ...call }, timeout));
    await this.#submit(Op.text, new Request().str(text).bytes(), { timeout, ...call });
  }

  async pressKeys(keys: readonly string[], call: Call = {}): Promise<void> {
    const request = new Request().u32(keys.length);
    for (const keysym of keysymsOf(keys)) request.u32(keysym);
    await this.#stalls.requireKeys(`press ${keys.join("+")}`, Deadline.of(call, DEFAULT_TIMEOUT));
    await this.#submit(Op.chord, request.bytes(), call, `press ${keys.join("+")}`);
  }

  async readyFor(gesture: Gesture, call: Call = {}): Promise<void> {
    await this.#clicks.ready(gesture, call);
  }

  async pointer(gesture: Gesture, call: Call = {}): Promise<void> {
    const timeout = DEFAULT_TIMEOUT + (gesture.do === "drag" ? gesture.duration : 0);
    const where = `${gesture.do} at ${Math.round(gesture.x)}, ${Math.round(gesture.y)}`;
    await this.#clicks.ready(gesture, call);
    await this.#submit(Op.pointer, encodeGesture(gesture), { timeout, ...call }, where);
    this.#clicks.done(gesture);
  }

  async releaseInput({ all, ...call }: Call & { readonly all?: boolean } = {}): Promise<void> {
    await this.#submit(Op.release, all ? new Request().u32(1).bytes() : new Uint8Array(0), call);
  }

  async screenshot(area: Area, call: ScreenshotCall = {}): Promise<Frame> {
    return await this.#screenReads.picture(area, call);
  }

  async windows(call: ReadCall = {}): Promise<Window[]> {
    const windows = call.recent
      ? await this.#shared.windows.recent(call, OF_A_STEP)
      : await this.#shared.windows.fresh(call);
    return this.#listed.aged(windows);
  }

  async holders(query: HoldersQuery, call: Call = {}): Promise<Holders> {
    return decodeHolders(await this.#submit(Op.holders, encodeHolders(query), call));
  }

  async window(id: number, action: WindowAction, call: Call = {}): Promise<void> {
    if (action.do === "place") this.#clicks.moved();
    if (this.#managed) {
      this.#noteSent();
      return await this.#managed.act(id, action, call).finally(() => this.#noteSent());
    }
    await this.#submit(Op.window, encodeWindowAction(id, action), call, `${action.do} window ${id}`);
  }

  readonly wholeClipboard = wholeClipboard((op, request, call) => this.#submit(op, request, call));

  async leaveClipboard(call: Call = {}): Promise<void> {
    if (this.#wroteClipboard) await this.#submit(Op.clipLeave, new Uint8Array(0), call);
  }

  readClipboard(call: Call = {}): Promise<string | undefined> {
    return readClipboardText((op, request, c) => this.#submit(op, request, c), call);
  }

  writeClipboard(text: string | undefined, call: Call = {}): Promise<void> {
    return writeClipboardText((op, request, c) => this.#submit(op, request, c), text, call);
  }

  watch(application?: Application): Watch {
    const watch = new EventWatch(application?.bus, (closed) => this.#watches.delete(closed));
    if (this.#session.closed) watch.end(over(`the session of ${this.label} is closed`));
    else if (!this.#accessibility) watch.end(over("there is no connection to the accessibility bus"));
    else this.#watches.add(watch);
    return watch;
  }

  watchInput(call: Call = {}): Promise<InputWatch> {
    return this.#inputs.watch(call);
  }

  recordInput(call: Call = {}): Promise<InputRecording> {
    return this.#inputs.record(call);
  }

  async close(): Promise<void> {
    this.#endWatches(`the session of ${this.label} is closed`);
    this.#inputs.end(over(`the session of ${this.label} is closed`));
    await this.#session.close();
  }

  async #submit(op: OpNumber, request: Bytes, call: CoreCall, what?: string): Promise<Bytes> {
    const sends = op >= Op.action && !ONLY_LOOKS.has(op);
    if (sends) this.#noteSent();
    if (op === Op.clipWrite || op === Op.clipRestore) this.#wroteClipboard = true;
    try {
      return await this.#session.submit(op, request, { timeout: DEFAULT_TIMEOUT, ...call }, what);
    } finally {
      if (sends) this.#noteSent();
    }
  }

  #noteSent(): void {
    this.#sentAt = performance.now();
    this.#shared.sent();
  }

  /** Notes that an application left, when that is what a call came to: about it, or about an element of it. */
  async #gone<T>(
    { bus, path = "" }: { readonly bus: string; readonly path?: string },
    call: Promise<T>,
  ): Promise<T> {
    try {
      return await call;
    } catch (error) {
      if (error instanceof BackstepError && error.code === "app_gone") {
        if (isEmbedded({ path })) throw pageGone(error);
        this.#generations.gone(bus);
        this.#shared.applications.forget();
        this.#tree.forget(bus);
        this.#stalls.forget(bus);
      }
      throw error;
    }
  }

  #notice(notices: readonly Notice[]): void {
    for (const notice of notices) {
      if (notice.kind === "event") {
        this.#event(notice);
      } else if (notice.kind === "lost") {
        this.#generations.lost();
        this.#shared.applications.forget();
        this.#noteSent();
        for (const watch of this.#watches) watch.lose();
        this.#inputs.lose();
      } else if (notice.kind === "input" || notice.kind === "person") {
        this.#inputs.notice(notice);
      } else if (notice.what === "display") {
        this.#display = false;
        this.#inputs.end(over("the connection to the display broke"));
      } else {
        this.#accessibility = false;
        this.#generations.lost();
        this.#endWatches("the connection to the accessibility bus broke");
      }
    }
  }

  #event({ event, detail1, detail2, text, ...from }: EventRecord): void {
    const { bus, path } = this.#tree.embedded.address(from);
    if (event.startsWith("object:children-changed:remove")) {
      // The event comes from the parent; its text is the path of the child.
      if (text !== "") {
        const child = this.#tree.embedded.address({ bus: from.bus, path: text });
        this.#generations.removed(bus, child.path);
        this.#shared.removed(bus, child.path);
      }
    } else if (event === "object:state-changed:defunct" && detail1 !== 0) {
      this.#generations.removed(bus, path);
    }
    this.#tree.reported(bus, path, event, detail1 !== 0);
    this.#shared.reported(bus, path, event);
    for (const watch of this.#watches) watch.push({ bus, path, kind: event, detail1, detail2, text });
  }

  #endWatches(why: string): void {
    for (const watch of this.#watches) watch.end(over(why));
    this.#watches.clear();
  }
}

/** A page whose process ended is not its application. */
function pageGone(error: BackstepError): BackstepError {
  return new BackstepError("stale", "Cannot use the element: the process of its page has ended", {
    hint: "Find the element again: the window may show another page by now.",
    cause: error,
    ...(error.details === undefined ? {} : { details: error.details }),
  });
}

function over(why: string): BackstepError {
  return new BackstepError("no_desktop", `Cannot wait for an event: ${why}`);
}
