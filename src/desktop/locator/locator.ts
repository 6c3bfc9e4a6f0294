import { type Call, Deadline } from "../../base/call.ts";
import { defined } from "../../base/defined.ts";
import { BackstepError, toBackstepError } from "../../base/error.ts";
import { isAsKept } from "../as-kept.ts";
import { describeRow } from "../describe.ts";
import type { Desktop, SnapshotField, SnapshotSource } from "../desktop.ts";
import type { Application } from "../element.ts";
import { Role } from "../roles.ts";
import { readSelector } from "../selector/read.ts";
import { asksManaged, rolesAsked, tellsMiss } from "../selector/managed.ts";
import {
  asksVisible,
  type Candidates,
  candidates,
  decisive,
  fieldsOfRead,
  find,
  firstStage,
  type Found,
  type ReadSelector,
  type Strategy,
} from "../selector/strategies.ts";
import type { Snapshot } from "../snapshot.ts";
import { rowHas } from "../state-words.ts";
import { State } from "../states.ts";
import { isGtk, isGtk4, showsByPlace } from "../toolkits.ts";
import { readiness } from "./actionable.ts";
import type { Match, ResolveState } from "./condition.ts";
import { ambiguous, notActionable, notFound, type Search } from "./diagnose.ts";
import { meant } from "./meant.ts";
import { attempts } from "./waiting.ts";

/** Milliseconds a locator waits by default. */
export const LOCATE_TIMEOUT = 5_000;

/** So many that could be meant are asked afresh; of more, the tree is read. */
const MOST_CANDIDATES = 32;

/** What a locator looks for, and where. */
export interface LocatorOptions {
  /** Asked again on each use when it is a function. */
  readonly application: Application | (() => Promise<Application>);
  /** Any form that `readSelector` reads. */
  readonly selector: string;
  readonly strategy?: Strategy;
  /** Look only below the one element that this finds, in the same application. */
  readonly root?: Locator;
}

/** How to resolve. */
export interface ResolveOptions extends Call {
  /** Default: "attached". */
  readonly state?: ResolveState;
  /** What the snapshot is to hold beyond what the selector, the place and the id need. */
  readonly fields?: readonly SnapshotField[];
  /**
   * Default "mirror": what the desktop keeps of the application is looked at first, and what is found there is read afresh
   * before it is answered; the place of other elements may then be unknown. "application": the whole tree is read.
   */
  readonly source?: "mirror" | "application";
  /**
   * Where what the desktop keeps shows it so ready, it is resolved by that, with `ready` in the match; where not, the
   * application is read and it is as ready as `state` asks. Default: `state`.
   */
  readonly kept?: ResolveState;
  /** One that is covered, and may be scrolled out from under that, is resolved, with `beneath` in the match. Default false. */
  readonly beneath?: boolean;
  /** Milliseconds to wait for it to come; reading may take as long as the call allows. Default: that long. */
  readonly patience?: number;
}

/** Elements of which a tree of GTK 4 is compared within some 5 ms. */
const COMPARED_SOON = 300;

/**
 * May what is kept lack what has come beside an element that is to be acted on? GTK 4 does not announce what shows that was hidden
 * before. Larger trees are compared once a second, as looks are: each time would take longer than most acts do.
 */
function mayLag({ origin, size }: Snapshot): boolean {
  return origin.source === "mirror" && isGtk4(origin.application) && size <= COMPARED_SOON;
}

/** One look at an application. */
export interface Look {
  readonly application: Application;
  readonly snapshot: Snapshot;
  readonly scope: number;
  readonly found: Found;
  /** The root was not found, or not just once. */
  readonly root?: { readonly locator: Locator; readonly look: Look };
}

/**
 * A description of one element, resolved afresh at each use. It is strict: two matches are an error that lists both, unless
 * all but one are hidden twins of that one.
 * It waits: subscribes, reads, and reads again on events until the element is as ready as asked, or the deadline
 * passes; the error then says which condition was last not met.
 *
 * @example
 * ```ts
 * import type { Application, Desktop } from "../desktop.ts";
 * import { Locator } from "./locator.ts";
 * async function saveButton(desktop: Desktop, application: Application) {
 *   const save = new Locator(desktop, { application, selector: 'dialog button[name="Save"]' });
 *   return (await save.resolve({ state: "actionable", timeout: 2_000 })).element;
 * }
 * if (typeof saveButton !== "function") throw new Error();
 * ```
 */
export class Locator {
  readonly desktop: Desktop;
  readonly read: ReadSelector;
  readonly root: Locator | undefined;
  readonly #application: LocatorOptions["application"];

  /** Throws `selector` when the selector cannot be read. */
  constructor(desktop: Desktop, options: LocatorOptions) {
    this.desktop = desktop;
    this.read = readSelector(options.selector, options.strategy);
    this.root = options.root;
    this.#application = options.application;
  }

  /** The selector as it was written, with those of its roots. */
  toString(): string {
    return this.root === undefined ? this.read.text : `${this.root} ⟶ ${this.read.text}`;
  }

  /**
   * The one element, as ready as asked. Throws `not_found`, `ambiguous` (at once: waiting does not make two into one),
   * `not_actionable`, and what the desktop throws.
   */
  async resolve(options: ResolveOptions = {}): Promise<Match> {
    const deadline = Deadline.of(options, LOCATE_TIMEOUT);
    const application = await this.#ask();
    const state = options.state ?? "attached";
    const kept = options.kept ?? state;
    const held = options.source !== "application" && kept !== "actionable" &&
      this.#looksAtMirror(application, options.fields, options.kept !== undefined);
    const began = performance.now();
    return await attempts<Match, () => BackstepError>(
      this.desktop,
      application,
      deadline,
      `find ${this}`,
      async () => {
        let look = held
          ? await this.#lookKept(application, deadline, options.fields)
          : await this.look(application, deadline, options.fields);
        if (options.kept !== undefined && look.found.rows.length > 0 && mayLag(look.snapshot)) {
          look = await this.#lookKept(application, deadline, options.fields, "proven");
        }
        if (look.snapshot.origin.source === "mirror") {
          const match = await this.#kept(look, kept, deadline, options.fields);
          if (match) return { value: match };
          // Whatever is not kept, or is otherwise, is said of the application only, or of what was compared with it.
          const proven = look.found.rows.length === 0
            ? await this.#lookProven(look, deadline, options.fields)
            : undefined;
          const absent = proven?.found.rows.length === 0 && proven.root === undefined;
          look = absent ? proven : await this.look(application, deadline, options.fields);
        }
        const search = (): Search => this.#search(look, performance.now() - began);
        const single = this.#single(look, search);
        if (single === undefined) return { failed: () => this.#absence(look, search()) };
        const ready = await readiness(this.desktop, single, state, deadline);
        if (options.beneath && "unmet" in ready && ready.unmet.wayOut) {
          return { value: { ...single, beneath: ready.unmet } };
        }
        return "match" in ready
          ? { value: ready.match }
          : { failed: () => notActionable(search(), ready.unmet) };
      },
      (failed) => failed(),
      options.patience === undefined ? deadline : deadline.within(options.patience),
    );
  }

  /** Everything that matches now, without waiting and without being strict. */
  async all(options: Omit<ResolveOptions, "state"> = {}): Promise<Match[]> {
    const look = await this.look(await this.#ask(), Deadline.of(options, LOCATE_TIMEOUT), options.fields);
    return look.found.rows.map((row) => matchOf(look, row));
  }

  /** How many match now. */
  async count(options: Call = {}): Promise<number> {
    const look = await this.look(await this.#ask(), Deadline.of(options, LOCATE_TIMEOUT));
    return look.found.rows.length;
  }

  /**
   * Waits until nothing matches any more, or with `hidden` until nothing that matches is visible. An application that
   * is gone has nothing that matches. Throws `timeout` that names what is still there.
   */
  async waitGone(options: Call & { readonly hidden?: boolean } = {}): Promise<void> {
    const deadline = Deadline.of(options, LOCATE_TIMEOUT);
    try {
      const application = await this.#ask();
      const held = this.#looksAtMirror(application, []);
      await attempts<true, string>(
        this.desktop,
        application,
        deadline,
        `wait until ${this} is gone`,
        async () => {
          if (held) {
            const look = await this.#lookKept(application, deadline);
            const there = await this.#verified(
              look,
              options.hidden === true ? "visible" : "attached",
              deadline,
            );
            if (there) return { failed: describeRow(there.snapshot, there.row) };
          }
          const { snapshot, found } = await this.look(application, deadline);
          const row = found.rows.find((r) => options.hidden !== true || rowHas(snapshot, r, "visible"));
          return row === undefined ? { value: true } : { failed: describeRow(snapshot, row) };
        },
        (still) =>
          new BackstepError("timeout", `Cannot wait until ${this} is gone: ${still} is still there`, {
            hint: "Use a longer timeout, or first do what makes it disappear.",
            details: { selector: this.read.text.slice(0, 500), still },
          }),
      );
    } catch (thrown) {
      const { code } = toBackstepError(thrown);
      if (code !== "app_gone" && code !== "app_not_running") throw thrown;
    }
  }

  /** One read of the tree and what matches in it; no waiting. */
  async look(
    application: Application,
    deadline: Deadline,
    fields: readonly SnapshotField[] = [],
    source: SnapshotSource = "application",
  ): Promise<Look> {
    const snapshot = await this.desktop.snapshot(application, {
      ...deadline.call(),
      source,
      fields: [...new Set([...this.#fields(), ...fields])],
      ...defined({ roles: this.#rolesAsked() }),
    });
    return this.lookIn(snapshot);
  }

  /** What matches in a snapshot of the application that is there already. */
  lookIn(snapshot: Snapshot): Look {
    const { application } = snapshot.origin;
    if (this.root === undefined) {
      return { application, snapshot, scope: -1, found: find(this.read, snapshot) };
    }
    const above = this.root.lookIn(snapshot);
    const [scope, ...more] = meant(snapshot, above.found.rows);
    if (scope === undefined || more.length > 0) {
      const nothing: Found = { rows: [], strategy: "selector", tried: [], narrowed: [] };
      return { application, snapshot, scope: -1, found: nothing, root: { locator: this.root, look: above } };
    }
    return { application, snapshot, scope, found: find(this.read, snapshot, { scope }) };
  }

  /** The application as it is now. */
  async application(): Promise<Application> {
    return await this.#ask();
  }

  #fields(): SnapshotField[] {
    return ["extents", "id", ...this.#asked()];
  }

  /** What the selector asks, and those of its roots. */
  #asked(): SnapshotField[] {
    const above = this.root === undefined ? [] : this.root.#asked();
    return [...fieldsOfRead(this.read), ...above];
  }

  /**
   * Can what is held answer it? Not where geometry, texts, values or attributes are asked, by the selector or by the
   * caller, nor where only a place tells whether something shows.
   */
  #looksAtMirror(
    application: Application,
    fields: readonly SnapshotField[] = [],
    places = false,
  ): boolean {
    if (this.desktop.verify === undefined) return false;
    const tells = (field: SnapshotField) =>
      field === "id" || (field === "extents" && places && this.desktop.refresh !== undefined);
    if (!fields.every(tells)) return false;
    if (this.#asked().some((field) => field !== "id")) return false;
    return places || !this.#shownByPlace(application);
  }

  /** One look at what is kept; what may not be kept is asked only where it can matter. */
  async #lookKept(
    application: Application,
    deadline: Deadline,
    fields: readonly SnapshotField[] = [],
    source: "remembered" | "proven" = "remembered",
  ): Promise<Look> {
    const look = await this.look(application, deadline, fields, source);
    return await this.#lookManaged(look, deadline) ?? await this.look(application, deadline, fields, "held");
  }

  /** One look at what is kept after it was compared with what the application says; undefined: that does not tell it. */
  async #lookProven(
    kept: Look,
    deadline: Deadline,
    fields: readonly SnapshotField[] = [],
  ): Promise<Look | undefined> {
    const { application } = kept;
    if (this.#tellsMiss(application)) return kept;
    if (!isGtk(application) || this.#shownByPlace(application)) return undefined;
    return await this.#lookManaged(await this.look(application, deadline, fields, "proven"), deadline);
  }

  /** The look, where it holds also for what may not be kept; undefined: that can matter, and is not as it was kept. */
  async #lookManaged(look: Look, deadline: Deadline): Promise<Look | undefined> {
    const { snapshot } = look;
    if (snapshot.origin.source !== "mirror" || !this.#asksManaged(snapshot)) return look;
    const roles = this.#rolesAsked();
    const verified = roles && await this.desktop.verifyManaged?.(snapshot, roles, deadline.call());
    return verified && this.lookIn(verified);
  }

  /** The roles of all that can match; undefined: any. */
  #rolesAsked(): readonly number[] | undefined {
    return this.root === undefined ? rolesAsked(this.read) : undefined;
  }

  #asksManaged(snapshot: Snapshot): boolean {
    return asksManaged(this.read, snapshot) || (this.root !== undefined && this.root.#asksManaged(snapshot));
  }

  #tellsMiss(application: Application): boolean {
    return tellsMiss(this.read, application) &&
      (this.root === undefined || this.root.#tellsMiss(application));
  }

  /** Does it ask what shows where only a place tells that? */
  #shownByPlace(application: Application): boolean {
    return showsByPlace(application) && this.#asksVisible();
  }

  #asksVisible(): boolean {
    return asksVisible(this.read) || (this.root !== undefined && this.root.#asksVisible());
  }

  /** The match of a mirror, when asking the application of it shows that it is the one, and as ready as asked. */
  async #kept(
    look: Look,
    state: ResolveState,
    deadline: Deadline,
    fields: readonly SnapshotField[] = [],
  ): Promise<Match | undefined> {
    const { rows } = look.found;
    // Its own place is known then, and none of what is around it.
    const reports = state === "attached"
      ? !this.#shownByPlace(look.application)
      : !showsByPlace(look.application);
    const alone = reports && state !== "reachable" && !fields.includes("extents");
    const one = rows.length === 1 && alone ? await this.#verified(look, state, deadline) : undefined;
    return one ?? await this.#refreshed(look, state, deadline);
  }

  /** Of all that could be meant the one that is, when all were asked afresh where they lie and whether they show. */
  async #refreshed(look: Look, state: ResolveState, deadline: Deadline): Promise<Match | undefined> {
    const { desktop } = this;
    if (desktop.refresh === undefined || look.root !== undefined || !this.#rootIsAlone(look.snapshot)) {
      return undefined;
    }
    const scope = look.scope < 0 ? {} : { scope: look.scope };
    const meantBy = candidates(this.read, look.snapshot, scope);
    if (meantBy === undefined) return undefined;
    const { rows, strategy, asked } = meantBy;
    if (rows.length === 0 || asked.length > MOST_CANDIDATES || strategy !== firstStage(this.read)) {
      return undefined;
    }
    const byPlace = state === "attached" && this.#shownByPlace(look.application);
    // GTK 4 says of no point that a combo box lies there.
    const unsaid = isGtk4(look.application) &&
      asked.some((row) => look.snapshot.role(row) === Role.comboBox);
    const shows = asked.length > 1 || state === "visible" || state === "enabled" || byPlace || unsaid;
    let found = await this.#meantOf(look, meantBy, state, shows, deadline);
    // Whether one that the pointer is not said to reach shows is asked of what lies beside it.
    if (found === "unsure") found = await this.#meantOf(look, meantBy, state, true, deadline);
    return found === "unsure" ? undefined : found;
  }

  /** The one of these that is meant; "unsure": it is as ready as asked, if it shows. */
  async #meantOf(
    look: Look,
    { rows, strategy, asked }: Candidates,
    state: ResolveState,
    shows: boolean,
    deadline: Deadline,
  ): Promise<Match | "unsure" | undefined> {
    const { desktop } = this;
    const how = { ...deadline.call(), shows, unread: asked.length > 1 };
    const refreshed = await desktop.refresh?.(look.snapshot, asked, how);
    if (refreshed === undefined) return undefined;
    const { snapshot: now, reading } = refreshed;
    const again = this.lookIn(now);
    const [row, ...more] = meant(now, again.found.rows);
    if (again.found.strategy !== strategy || row === undefined || more.length > 0 || !rows.includes(row)) {
      return undefined;
    }
    const match: Match = {
      ...matchOf(again, row),
      ...defined({ reading }),
      ...(refreshed.shows ? {} : { unsure: true }),
    };
    // Of several it is only known that they are there, where, and whether they show: what decides which is meant is read.
    const scope = again.scope < 0 ? {} : { scope: again.scope };
    const deciding = reading === undefined ? decisive(this.read, now, row, scope) : [];
    const [ready, ...same] = await Promise.all([
      readiness(desktop, match, state, deadline),
      ...deciding.map((one) => this.#isAsKept(now, one, one === row, deadline)),
    ]);
    if (same.includes(false)) return undefined;
    if ("unmet" in ready) return refreshed.shows ? undefined : "unsure";
    return { ...ready.match, ready: state };
  }

  /** Does a row still say of itself what was kept of it? `whole`: who uses it next needs all that it says. */
  async #isAsKept(kept: Snapshot, row: number, whole: boolean, deadline: Deadline): Promise<boolean> {
    const { desktop } = this;
    const element = kept.element(row);
    try {
      const now = whole || !desktop.verify
        ? await desktop.read(element, deadline.call())
        : await desktop.verify(element, deadline.call());
      return isAsKept(kept, row, now);
    } catch (thrown) {
      if (toBackstepError(thrown).code !== "stale") throw thrown;
      return false;
    }
  }

  /** Is there no other that the root could be? Which of several is meant is not for the mirror to say. */
  #rootIsAlone(snapshot: Snapshot): boolean {
    if (this.root === undefined) return true;
    if (this.root.#shownByPlace(snapshot.origin.application)) return false;
    return this.root.lookIn(snapshot).found.rows.length === 1 && this.root.#rootIsAlone(snapshot);
  }

  /** The one match of a mirror, when reading it afresh shows the same element, as ready as asked. */
  async #verified(look: Look, state: ResolveState, deadline: Deadline): Promise<Match | undefined> {
    const { rows } = look.found;
    const [row] = rows;
    // That an earlier way to read the query finds nothing is not for the mirror to say.
    if (look.found.strategy !== firstStage(this.read)) return undefined;
    if (look.root !== undefined || row === undefined || rows.length > 1 || !this.desktop.verify) {
      return undefined;
    }
    const held = matchOf(look, row);
    let fresh: Snapshot;
    try {
      fresh = await this.desktop.verify(held.element, deadline.call());
    } catch (thrown) {
      if (toBackstepError(thrown).code === "stale") return undefined;
      throw thrown;
    }
    const byPlace = showsByPlace(look.application);
    // Which of several was preferred because it shows is not for the mirror to say.
    if (byPlace && look.found.narrowed.includes("visible")) return undefined;
    if (!sameRow(held.snapshot, row, fresh, byPlace ? ~SHOWING : ~0)) return undefined;
    const rect = fresh.rect(0);
    if (rect !== undefined && (rect.width === 0 || rect.height === 0)) return undefined;
    const match = { ...held, snapshot: held.snapshot.verified(row, rect, fresh.statesLow(0)) };
    const ready = await readiness(this.desktop, match, state, deadline);
    return "match" in ready ? { ...ready.match, ready: state } : undefined;
  }

  async #ask(): Promise<Application> {
    return typeof this.#application === "function" ? await this.#application() : this.#application;
  }

  #search(look: Look, waited: number): Search {
    return { read: this.read, snapshot: look.snapshot, scope: look.scope, tried: look.found.tried, waited };
  }

  /** The match when there is one; undefined when there is none; throws when there are several, here or of the root. */
  #single(look: Look, search: () => Search): Match | undefined {
    const rows = meant(look.snapshot, look.found.rows);
    if (look.root !== undefined) {
      const { locator, look: above } = look.root;
      locator.#single(above, () => locator.#search(above, search().waited));
      return undefined;
    }
    if (rows.length > 1) throw ambiguous(search(), rows);
    const [row] = rows;
    return row === undefined ? undefined : matchOf(look, row);
  }

  #absence(look: Look, search: Search): BackstepError {
    if (look.root === undefined) return notFound(search);
    const { locator, look: above } = look.root;
    return locator.#absence(above, locator.#search(above, search.waited));
  }
}

const SHOWING = 1 << State.showing;

/** Is the one row that was read afresh the row of the mirror, in all that selectors ask of a row? */
function sameRow(held: Snapshot, row: number, fresh: Snapshot, states: number): boolean {
  return isAsKept(held, row, fresh) && ((held.statesLow(row) ^ fresh.statesLow(0)) & states) === 0 &&
    held.statesHigh(row) === fresh.statesHigh(0);
}

/** A row of a look as a match. */
export function matchOf(look: Look, row: number): Match {
  const { application, snapshot, found } = look;
  return {
    application,
    snapshot,
    row,
    element: snapshot.element(row),
    strategy: found.strategy,
    tried: found.tried,
    narrowed: found.narrowed,
  };
}
