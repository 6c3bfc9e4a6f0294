import { type Call, pause } from "../base/call.ts";
import { toBackstepError } from "../base/error.ts";
import type { Application, Desktop, DesktopEvent, Watch, Window } from "../desktop/desktop.ts";
import type { SnapshotField } from "../desktop/desktop.ts";
import { Role } from "../desktop/roles.ts";
import { isWeb } from "../desktop/toolkits.ts";
import { meaningOf } from "./event-meaning.ts";
import { type Look, Looks } from "./look.ts";
import { Unstable } from "./unstable.ts";

/** No texts: what is typed is read from its field alone, and not where it is secret. */
const FIELDS: readonly SnapshotField[] = ["extents", "value", "id", "selection"];
/** Milliseconds without a change that count as rest. */
const QUIET = 80;
/** Milliseconds after an act before which nothing counts as rest, and after which waiting ends. */
const SOONEST = 120;
const LATEST = 1_200;
/** Milliseconds after which a page that changed is looked at once more: Chromium tells no one that its elements moved, and does so late. */
const MOVES_LATE = 500;
/** Milliseconds that a look may take. */
const LOOK = 5_000;
/** Milliseconds after a person's act in which a change may be its doing. */
const IDLE = 1_000;
/** Changes that are remembered: of each application, and texts that changed. */
const REMEMBERED = 256;
/** Milliseconds of one wait for events. */
const WAIT = 1_000;
/** Changes of the focus that are remembered. */
const FOCUSES = 16;

/** What an application told lately. */
interface Report {
  readonly path: string;
  readonly kind: string;
  readonly on: boolean;
  readonly at: number;
}

interface Watched {
  application: Application;
  /** When it last told of a change, and of one by which something else may lie at a place. */
  changed: number;
  moved: number;
  reported: Report[];
  reading: Promise<Look | undefined> | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
  later: ReturnType<typeof setTimeout> | undefined;
}

/** An element by its address. */
export interface Address {
  readonly bus: string;
  readonly path: string;
}

/** What happens to the applications that are watched. */
export interface Happenings {
  appeared(application: Application): void;
  gone(application: Application): void;
  /** An element got the keyboard. */
  focused(focus: Address): void;
  failed(error: unknown): void;
}

/**
 * Keeps a standing look at each application: what was there before a press is known when the press comes. Taken anew
 * whenever something changed and came to rest.
 */
export class Observer {
  readonly looks = new Looks();
  /** Elements that were a password field once: they stay secret. */
  readonly secret = new Set<string>();
  readonly #desktop: Desktop;
  readonly #happenings: Happenings;
  readonly #stop = new AbortController();
  readonly #watched = new Map<string, Watched>();
  readonly #unstable = new Unstable();
  #watch: Watch | undefined;
  #pump: Promise<void> = Promise.resolve();
  #listing: Promise<void> | undefined;
  #windows: readonly Window[] = [];
  #windowsAt = -Infinity;
  #focuses: (Address & { readonly at: number })[] = [];
  #acted = -Infinity;
  readonly #edited = new Map<string, number>();

  constructor(desktop: Desktop, happenings: Happenings) {
    this.#desktop = desktop;
    this.#happenings = happenings;
  }

  /** Resolves when every application was looked at once. */
  async start(call: Call): Promise<void> {
    this.#watch = this.#desktop.watch();
    this.#pump = this.#listen(this.#watch);
    await this.#list(call);
    await Promise.all([...this.#watched.values()].map((one) => this.#look(one)));
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#watch?.close();
    for (const { timer, later } of this.#watched.values()) {
      clearTimeout(timer);
      clearTimeout(later);
    }
    await this.#pump;
    await Promise.all([...this.#watched.values()].map(({ reading }) => reading));
  }

  get applications(): Application[] {
    return [...this.#watched.values()].map(({ application }) => application);
  }

  /** The windows of the screen as they were seen last. */
  get windows(): readonly Window[] {
    return this.#windows;
  }

  /** When that was asked for, in milliseconds of `performance.now()`. */
  get windowsAt(): number {
    return this.#windowsAt;
  }

  /** What got the keyboard last; `before`: had it then, since a key may have given it to something else by now. */
  focus(before = Infinity): (Address & { readonly at: number }) | undefined {
    return this.#focuses.findLast(({ at }) => at <= before) ?? this.#focuses.at(0);
  }

  /** A person did something: what changes now is its doing. */
  acted(now: number): void {
    this.#acted = now;
  }

  /** When an element told last that its text changed, in milliseconds of `performance.now()`. */
  edited({ bus, path }: Address): number {
    return this.#edited.get(`${bus} ${path}`) ?? -Infinity;
  }

  /** The paths of elements of an application that told since then that their text changed. */
  editedSince(bus: string, since: number): string[] {
    return [...this.#edited].flatMap(([key, at]) =>
      at >= since && key.startsWith(`${bus} `) ? [key.slice(bus.length + 1)] : []
    );
  }

  /** When a key came last that types, by the time of its event. */
  typedAt = -Infinity;

  /** May something else lie at a place by now than in a look? */
  isStale(look: Look): boolean {
    return (this.#watched.get(look.application.bus)?.moved ?? 0) > look.from;
  }

  /** Elements that got the focus, were checked or chosen between two moments. */
  reported(bus: string, from: number, until: number): string[] {
    const reported = this.#watched.get(bus)?.reported ?? [];
    return reported.filter((one) => one.on && one.at >= from && one.at <= until).map(({ path }) => path);
  }

  /** Marks what may stand otherwise without a word from the application: it was scrolled. */
  dirty(bus: string): void {
    const one = this.#watched.get(bus);
    if (one === undefined) return;
    one.moved = performance.now();
    this.#changed(one, one.moved);
  }

  /**
   * The pointer rests: what is there is looked at again where something changed, since it is likely to be pressed next. A menu
   * that opens for the first time is reported before its window is there.
   */
  async refresh(): Promise<void> {
    for (const one of this.#watched.values()) {
      const latest = this.looks.latest(one.application.bus);
      if (latest === undefined || latest.from < one.changed) void this.#look(one);
    }
    const from = performance.now();
    try {
      const windows = await this.#desktop.windows({ timeout: LOOK, signal: this.#stop.signal });
      const before = this.#windows;
      this.#windows = windows;
      this.#windowsAt = from;
      if (windows.length === before.length && windows.every(({ id }, n) => id === before[n]?.id)) return;
      for (const { application } of this.#watched.values()) {
        if (windows.some(({ pid }) => pid === application.pid)) this.dirty(application.bus);
      }
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#happenings.failed(error);
    }
  }

  /** A look at what an act left, once the application came to rest. */
  async atRest(bus: string, since: number): Promise<Look | undefined> {
    const one = this.#watched.get(bus);
    if (one === undefined) return undefined;
    for (;;) {
      const now = performance.now();
      const rest = Math.max(since + SOONEST, Math.max(one.changed, since) + QUIET);
      if (now >= rest || now >= since + LATEST) break;
      await pause(Math.min(rest, since + LATEST) - now, this.#stop.signal);
    }
    const latest = this.looks.latest(bus);
    if (latest !== undefined && latest.from >= one.changed && latest.from >= since + SOONEST) return latest;
    return await this.#look(one);
  }

  async #listen(watch: Watch): Promise<void> {
    try {
      while (!this.#stop.signal.aborted) {
        const came = await watch.next({ timeout: WAIT, signal: this.#stop.signal });
        const now = performance.now();
        for (const event of watch.take()) this.#note(event, now);
        if (came === "lost") { for (const bus of this.#watched.keys()) this.dirty(bus); }
      }
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#happenings.failed(error);
    }
  }

  #note({ bus, path, kind, detail1 }: DesktopEvent, now: number): void {
    const one = this.#watched.get(bus);
    if (one === undefined) {
      if (kind.startsWith("window:") || kind.startsWith("object:children-changed:add")) this.#relist();
      return;
    }
    const on = detail1 !== 0;
    if (kind === "object:state-changed:focused" && on) {
      this.#focuses.push({ bus, path, at: now });
      this.#focuses.splice(0, Math.max(0, this.#focuses.length - FOCUSES));
      this.#happenings.focused({ bus, path });
    }
    if (kind.startsWith("object:text-changed")) {
      if (this.#edited.size >= REMEMBERED) this.#edited.clear();
      this.#edited.set(`${bus} ${path}`, now);
    }
    const tree = this.looks.latest(bus)?.snapshot;
    const toplevel = kind === "object:bounds-changed" &&
      tree?.children(0).some((row) => tree.path(row) === path) === true;
    const { changes, moves, state } = meaningOf({ kind }, toplevel);
    if (state) {
      one.reported.push({ path, kind, on, at: now });
      one.reported.splice(0, Math.max(0, one.reported.length - REMEMBERED));
    }
    if (!changes) return;
    const element = `${bus} ${path}`;
    this.#unstable.heard(element, now, now - this.#acted > IDLE);
    if (this.#unstable.has(element)) return;
    if (moves) one.moved = now;
    this.#changed(one, now);
  }

  #changed(one: Watched, now: number): void {
    one.changed = now;
    if (one.timer !== undefined) return;
    const rested = () => {
      one.timer = undefined;
      const left = one.changed + QUIET - performance.now();
      const waited = performance.now() - now;
      if (left > 1 && waited < LATEST) one.timer = setTimeout(rested, left);
      else void this.#look(one).then(() => this.#lookLater(one));
    };
    one.timer = setTimeout(rested, QUIET);
  }

  #lookLater(one: Watched): void {
    if (!isWeb(one.application) || this.#stop.signal.aborted || one.timer !== undefined) return;
    clearTimeout(one.later);
    one.later = setTimeout(() => void this.#look(one), MOVES_LATE);
  }

  /** One look at a time at each application. */
  #look(one: Watched): Promise<Look | undefined> {
    const next = (one.reading ?? Promise.resolve(undefined)).then(() => this.#take(one));
    const reading: Promise<Look | undefined> = next.finally(() => {
      if (one.reading === reading) one.reading = undefined;
    });
    one.reading = reading;
    return reading;
  }

  async #take(one: Watched): Promise<Look | undefined> {
    const latest = this.looks.latest(one.application.bus);
    const from = performance.now();
    if (latest !== undefined && latest.from >= one.changed && from - latest.from < QUIET) return latest;
    const call = { timeout: LOOK, signal: this.#stop.signal };
    try {
      const [snapshot, windows] = await Promise.all([
        this.#desktop.snapshot(one.application, { ...call, fields: FIELDS }),
        this.#desktop.windows(call),
      ]);
      const look = { application: one.application, snapshot, windows, from, at: performance.now() };
      this.#windows = windows;
      this.#windowsAt = from;
      this.#remember(look);
      return look;
    } catch (error) {
      this.#failedLook(one, error);
      return undefined;
    }
  }

  #remember(look: Look): void {
    const { snapshot, application } = look;
    for (let row = 0; row < snapshot.size; row++) {
      if (snapshot.role(row) === Role.passwordText) {
        this.secret.add(`${application.bus} ${snapshot.path(row)}`);
      }
    }
    this.looks.add(look);
  }

  #failedLook(one: Watched, error: unknown): void {
    if (this.#stop.signal.aborted) return;
    const { code } = toBackstepError(error);
    if (code === "app_gone") this.#forget(one);
    // One that hangs is looked at again when it tells something.
    else if (code !== "timeout" && code !== "stale") this.#happenings.failed(error);
  }

  #forget(one: Watched): void {
    const { application } = one;
    clearTimeout(one.timer);
    clearTimeout(one.later);
    if (!this.#watched.delete(application.bus)) return;
    this.looks.forget(application.bus);
    this.#focuses = this.#focuses.filter(({ bus }) => bus !== application.bus);
    this.#happenings.gone(application);
  }

  #relist(): void {
    this.#listing ??= this.#list({ signal: this.#stop.signal })
      .catch((error: unknown) => {
        if (!this.#stop.signal.aborted) this.#happenings.failed(error);
      })
      .finally(() => this.#listing = undefined);
  }

  async #list(call: Call): Promise<void> {
    const applications = await this.#desktop.applications(call);
    for (const application of applications) {
      if (this.#watched.has(application.bus)) continue;
      const one: Watched = {
        application,
        changed: performance.now(),
        moved: performance.now(),
        reported: [],
        reading: undefined,
        timer: undefined,
        later: undefined,
      };
      this.#watched.set(application.bus, one);
      this.#happenings.appeared(application);
      this.#changed(one, performance.now());
    }
    const there = new Set(applications.map(({ bus }) => bus));
    for (const one of [...this.#watched.values()]) if (!there.has(one.application.bus)) this.#forget(one);
  }

  /** Lists again which applications there are. */
  async relist(call: Call): Promise<void> {
    await this.#list(call);
  }
}
