import { type Call, Deadline } from "../base/call.ts";
import { BackstepError, type Json, toBackstepError } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import { Gate, OPEN_PORTS, type PolicyPort } from "../contract/gate.ts";
import type { Operation } from "../contract/operation.ts";
import type { Application } from "../desktop/desktop.ts";
import { explain, type Explanation, Locator } from "../desktop/locator/mod.ts";
import { type RankedLocator, rowsAt } from "../desktop/ranking/mod.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { applicationFor } from "../operations/application.ts";
import { reachedAt } from "../record/look.ts";
import type { Session } from "../session/session.ts";
import { type ActDone, Acts, type ActsOptions } from "./acts.ts";
import { type ElementFacts, factsOf, locatorsOf } from "./element/facts.ts";
import { type Matches, matchesIn, typedSelector, whyNone } from "./element/match.ts";
import { elementOperations, type Possible, possibleOn } from "./element/possible.ts";
import { References } from "./element/references.ts";
import { AppFeed } from "./live/app-feed.ts";
import { AppsFeed } from "./live/apps-feed.ts";
import { ScreenFeed } from "./live/screen-feed.ts";

/** Milliseconds for a question of a page. */
const ANSWER = 10_000;
/** Rows above which relations are not asked for: each costs a call an element. */
const MANY = 2_500;

/** What an inspector is made of. */
export interface InspectorOptions {
  /** Stays open: whoever opened it closes it. */
  readonly session: Session;
  readonly operations: readonly Operation[];
  /** The application that is shown first, as a name, id or process id; default: the one whose window is active. */
  readonly app?: string;
  /** The folder that paths in inputs are confined to. */
  readonly folder: string;
  /** What judges the acts of pages. */
  readonly admission: readonly PolicyPort[];
  /** The state folder; default: the user's own. */
  readonly state?: string;
  /** Names of elements, where a run has to know them too. */
  readonly references?: References;
  /** Does an act of a page beside the steps of a run that stands; default: the acts are a run of their own. */
  readonly beside?: NonNullable<ActsOptions["beside"]>;
}

/** An element as a page names it: a row of a tree that it was told. */
export interface Chosen {
  readonly app: string;
  readonly version: number;
  readonly row: number;
}

/** Something that was done in a page, as a recorder needs it. */
export interface Acted {
  readonly done: ActDone;
  readonly operation: string;
  /** Without the element. */
  readonly input: { readonly [name: string]: Json };
  /** The property that names the element. */
  readonly target: "target" | "into";
  /** The element as it was before; undefined: it was about none. */
  readonly chosen:
    | { readonly application: Application; readonly snapshot: Snapshot; readonly row: number }
    | undefined;
  readonly app: string | undefined;
}

/** Somebody who looks: hears of what changes. */
export interface Looking {
  tell(event: string, data: unknown): void;
}

/** Somebody who looks at an application, or waits for one. */
interface Seat {
  readonly viewer: Looking;
  wanted: string | undefined;
  feed: AppFeed | undefined;
}

/** What pages see of one desktop, and do on it. Nothing is read while nobody looks. */
export class Inspector {
  readonly session: Session;
  readonly screen: ScreenFeed;
  readonly acts: Acts;
  readonly references: References;
  /** Hears of each act of a page. */
  onAct: ((acted: Acted) => Promise<void>) | undefined;
  /** Hears of each act that was undone, or was to be. */
  onUndo: ((undone: ActDone) => void) | undefined;
  readonly #options: InspectorOptions;
  readonly #gate: Gate;
  readonly #operations: ReturnType<typeof elementOperations>;
  /** The feed of each application that somebody looks at. */
  readonly #feeds = new Map<string, { readonly feed: AppFeed; readonly seats: Set<Seat> }>();
  /** Those whose application does not run yet, or not any more. */
  readonly #waiting = new Set<Seat>();
  readonly #apps: AppsFeed;
  readonly #viewers = new Set<Looking>();
  readonly #stop = new AbortController();

  constructor(options: InspectorOptions) {
    const { session, operations, folder } = options;
    this.session = session;
    this.#options = options;
    this.references = options.references ?? new References();
    this.#operations = elementOperations(operations);
    this.#gate = new Gate({ operations, session, folder, ports: OPEN_PORTS, elements: this.references });
    this.acts = new Acts({ ...options, elements: this.references });
    this.screen = new ScreenFeed(session.desktop, () => {
      for (const { feed } of this.#feeds.values()) feed.nudge();
    });
    this.#apps = new AppsFeed(session.desktop, (list) => {
      this.tell("apps", list);
      // Somebody may wait for the one that came.
      for (const seat of [...this.#waiting]) void this.#seat(seat);
    });
  }

  /** How many look. */
  get viewers(): number {
    return this.#viewers.size;
  }

  /** Tells everybody. */
  tell(event: string, data: unknown): void {
    for (const viewer of this.#viewers) viewer.tell(event, data);
  }

  /** Begins to tell somebody of the applications, and of the tree of one; answers how that ends. */
  async look(viewer: Looking, wanted: string | undefined): Promise<() => Promise<void>> {
    this.#viewers.add(viewer);
    this.#apps.start();
    const seat: Seat = { viewer, wanted, feed: undefined };
    await this.#seat(seat);
    return async () => {
      this.#viewers.delete(viewer);
      this.#waiting.delete(seat);
      const held = seat.feed && this.#feeds.get(seat.feed.application.bus);
      held?.seats.delete(seat);
      if (held?.seats.size === 0) {
        this.#feeds.delete(held.feed.application.bus);
        await held.feed.close();
      }
      if (this.#viewers.size === 0) await this.#apps.pause();
    };
  }

  /** What a page shows of an element at once. */
  async element(chosen: Chosen): Promise<ElementFacts & { readonly locators: readonly RankedLocator[] }> {
    const { whole, row, own } = await this.fresh(chosen);
    return { ...factsOf(whole, row, own), locators: locatorsOf(whole, row) };
  }

  /** An element read afresh: alone with all that is known of it, and where it stands in its tree. */
  async fresh(
    chosen: Chosen,
  ): Promise<{ readonly whole: Snapshot; readonly row: number; readonly own: Snapshot }> {
    const { feed, snapshot, row } = this.#row(chosen);
    const call = this.#call();
    const element = snapshot.element(row);
    const large = snapshot.size > MANY;
    const [whole, own] = await Promise.all([
      feed.suited(large ? ["extents"] : ["attributes", "relations"], call),
      feed.own(element, call),
    ]);
    const at = whole.rowOf(element);
    if (at < 0 || own.size === 0) throw gone();
    return { whole, row: at, own };
  }

  /** What can be done to an element now, and what undoing it would restore. */
  async possible(chosen: Chosen, value: Json): Promise<readonly Possible[]> {
    const { feed, snapshot, row } = this.#row(chosen);
    const { application } = feed;
    const reference = this.references.keep({ application, element: snapshot.element(row) });
    const element = { reference, app: application.bus, value };
    return await possibleOn(this.#gate, this.#operations, element, this.#stop.signal);
  }

  /** What a selector finds, as it is typed. */
  async match(app: string, text: string): Promise<Matches & { readonly version: number }> {
    const { feed } = this.#feed(app);
    const { version } = feed;
    const typed = typedSelector(text);
    if ("fault" in typed) return { ...typed.fault, version };
    const snapshot = await feed.suited(typed.fields, this.#call());
    const found = matchesIn(snapshot, typed.read);
    return { ...found, rows: feed.asShown(snapshot, found.rows), version: feed.version };
  }

  /** Why a selector finds nothing. */
  async why(app: string, text: string): Promise<Pick<Matches, "why" | "hint">> {
    const { feed } = this.#feed(app);
    const typed = typedSelector(text);
    if ("fault" in typed) return typed.fault;
    return whyNone(await feed.suited(typed.fields, this.#call()), typed.read);
  }

  /** Why a selector can or cannot be used now. */
  async explain(app: string, selector: string): Promise<Explanation> {
    const { application } = this.#feed(app).feed;
    const { desktop } = this.session;
    return await explain(new Locator(desktop, { application, selector }), this.#call());
  }

  /** The rows that lie at a place of the screen, the likeliest first, with the application that they belong to. */
  async at(place: { readonly x: number; readonly y: number }): Promise<
    { readonly app: string | undefined; readonly rows: readonly number[]; readonly version: number }
  > {
    const { desktop } = this.session;
    const call = this.#call();
    const { window } = reachedAt(await desktop.windows(call), place.x, place.y) ?? {};
    const running = await desktop.applications({ ...call, recent: true });
    const application = running.find(({ pid }) => pid !== 0 && pid === window?.pid) ??
      (running.length === 1 ? running[0] : undefined);
    if (application === undefined) return { app: undefined, rows: [], version: 0 };
    const held = this.#feeds.get(application.bus);
    if (held === undefined) return { app: application.bus, rows: [], version: 0 };
    const snapshot = await held.feed.suited(["extents"], call);
    const rows = await rowsAt(desktop, application, snapshot, place, call);
    return { app: application.bus, rows: held.feed.asShown(snapshot, rows), version: held.feed.version };
  }

  /** Does something to an element, or where the focus or a place is. */
  async act(
    what: {
      readonly operation: string;
      readonly input: { readonly [name: string]: Json };
      readonly app?: string | undefined;
    },
    chosen: Chosen | undefined,
  ): Promise<ActDone> {
    const { operation, input, app } = what;
    const target = this.#operations.find((one) => one.operation.name === operation)?.target ?? "target";
    const element = chosen && this.row(chosen);
    const reference = element && this.references.keep({
      application: element.application,
      element: element.snapshot.element(element.row),
    });
    const whole = reference === undefined ? input : { ...input, [target]: reference };
    const done = await this.acts.do({ operation, input: whole }, chosen?.app ?? app);
    this.tell("acts", this.acts.done);
    await this.onAct?.({ done, operation, input, target, chosen: element, app });
    return done;
  }

  async undo(): Promise<ActDone> {
    const done = await this.acts.undo();
    this.tell("acts", this.acts.done);
    this.onUndo?.(done);
    return done;
  }

  /** The row that a page means, in the newest tree that it could mean. */
  row(
    chosen: Chosen,
  ): { readonly application: Application; readonly snapshot: Snapshot; readonly row: number } {
    const { feed, snapshot, row } = this.#row(chosen);
    return { application: feed.application, snapshot, row };
  }

  /** A tree of an application that somebody looks at, with what locators are made of. */
  async tree(app: string): Promise<Snapshot> {
    return await this.#feed(app).feed.suited(["extents"], this.#call());
  }

  async close(): Promise<void> {
    this.#stop.abort(new BackstepError("cancelled", "The inspector is closed"));
    await Promise.all([
      this.screen.close(),
      this.#apps.pause(),
      ...[...this.#feeds.values()].map(({ feed }) => feed.close()),
    ]);
    await this.acts.close();
  }

  #call(): Call {
    return { timeout: ANSWER, signal: this.#stop.signal };
  }

  async #application(wanted: string | undefined): Promise<Application> {
    const { session } = this;
    const { desktop } = session;
    const deadline = Deadline.of(this.#call(), ANSWER);
    const { app } = this.#options;
    return await applicationFor({ session, desktop, deadline, app }, wanted);
  }

  /** Shows somebody the application that they want; what does not run is waited for. */
  async #seat(seat: Seat): Promise<void> {
    const { viewer, wanted } = seat;
    try {
      const application = await this.#application(wanted);
      if (!this.#viewers.has(viewer) || seat.feed !== undefined) return;
      const held = this.#feeds.get(application.bus) ?? this.#open(application);
      this.#waiting.delete(seat);
      held.seats.add(seat);
      seat.feed = held.feed;
      viewer.tell("app", { bus: application.bus, name: application.name, pid: application.pid });
      const { whole } = held.feed;
      if (whole) viewer.tell("tree", whole);
      held.feed.start();
    } catch (thrown) {
      // Without an application there is the picture still, and the list to choose from.
      if (!this.#waiting.has(seat)) viewer.tell("no-app", toBackstepError(thrown).toJSON());
      this.#waiting.add(seat);
    }
  }

  #open(application: Application) {
    const seats = new Set<Seat>();
    const { bus: app } = application;
    const feed = new AppFeed(this.session.desktop, application, {
      tree: (notice) => {
        for (const { viewer } of seats) viewer.tell("tree", notice);
      },
      failed: (message, isGone) => {
        this.#feeds.delete(app);
        for (const seat of seats) {
          seat.feed = undefined;
          seat.viewer.tell("no-app", { message, ...defined({ gone: isGone || undefined }) });
          // One of the same name may come.
          seat.wanted = undefined;
          this.#waiting.add(seat);
        }
      },
    });
    const held = { feed, seats };
    this.#feeds.set(app, held);
    return held;
  }

  #feed(app: string) {
    const held = this.#feeds.get(app);
    if (held) return held;
    throw new BackstepError("app_gone", "Cannot look at this application: nobody has it open", {
      hint: "Choose it from the list.",
    });
  }

  #row({ app, version, row }: Chosen) {
    const { feed } = this.#feed(app);
    const snapshot = feed.at(version);
    if (snapshot === undefined || row < 0 || row >= snapshot.size) throw gone();
    return { feed, snapshot, row };
  }
}

function gone(): BackstepError {
  return new BackstepError("stale", "Cannot use this element: the tree has changed since", {
    hint: "Choose it again.",
  });
}
