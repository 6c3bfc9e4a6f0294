import { pause } from "../base/call.ts";
import { toBackstepError } from "../base/error.ts";
import type { Application, Desktop, SnapshotField, Window } from "../desktop/desktop.ts";
import { Role } from "../desktop/roles.ts";
import { isWeb } from "../desktop/toolkits.ts";
import { type Look, Looks } from "./look.ts";

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

interface Watched {
  readonly application: Application;
  /** When it last told of a change, and of one by which something else may lie at a place. */
  changed: number;
  moved: number;
  reading: Promise<Look | undefined> | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
  later: ReturnType<typeof setTimeout> | undefined;
}

/** What becomes of looks that fail. */
export interface LookFailures {
  gone(application: Application): void;
  failed(error: unknown): void;
}

/** A standing look at each application, taken anew whenever something changed and came to rest. */
export class Standing {
  readonly looks = new Looks();
  /** Elements that were a password field once: they stay secret. */
  readonly secret = new Set<string>();
  readonly #desktop: Desktop;
  readonly #failures: LookFailures;
  readonly #signal: AbortSignal;
  readonly #watched = new Map<string, Watched>();
  #windows: readonly Window[] = [];
  #windowsAt = -Infinity;

  constructor(desktop: Desktop, signal: AbortSignal, failures: LookFailures) {
    this.#desktop = desktop;
    this.#signal = signal;
    this.#failures = failures;
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

  /** Looks at an application from here on. */
  add(application: Application): void {
    const now = performance.now();
    const one: Watched = {
      application,
      changed: now,
      moved: now,
      reading: undefined,
      timer: undefined,
      later: undefined,
    };
    this.#watched.set(application.bus, one);
    this.#change(one, now);
  }

  has(bus: string): boolean {
    return this.#watched.has(bus);
  }

  /** An application is gone; false: it was not known. */
  forget(bus: string): boolean {
    const one = this.#watched.get(bus);
    clearTimeout(one?.timer);
    clearTimeout(one?.later);
    this.looks.forget(bus);
    return this.#watched.delete(bus);
  }

  /** Looks at all of them now. */
  async take(): Promise<void> {
    await Promise.all([...this.#watched.values()].map((one) => this.#look(one)));
  }

  /** Resolves when no look is under way; none is begun any more. */
  async close(): Promise<void> {
    for (const { timer, later } of this.#watched.values()) {
      clearTimeout(timer);
      clearTimeout(later);
    }
    await Promise.all([...this.#watched.values()].map(({ reading }) => reading));
  }

  /** An application told of a change; `moves`: something else may lie at a place by now. */
  changed(bus: string, now: number, moves: boolean): void {
    const one = this.#watched.get(bus);
    if (one === undefined) return;
    if (moves) one.moved = now;
    this.#change(one, now);
  }

  /** May something else lie at a place by now than in a look? */
  isStale(look: Look): boolean {
    return (this.#watched.get(look.application.bus)?.moved ?? 0) > look.from;
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
      const windows = await this.#desktop.windows({ timeout: LOOK, signal: this.#signal });
      const before = this.#windows;
      this.#windows = windows;
      this.#windowsAt = from;
      if (windows.length === before.length && windows.every(({ id }, n) => id === before[n]?.id)) return;
      for (const { bus, pid } of this.applications) {
        if (windows.some((window) => window.pid === pid)) this.changed(bus, performance.now(), true);
      }
    } catch (error) {
      if (!this.#signal.aborted) this.#failures.failed(error);
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
      await pause(Math.min(rest, since + LATEST) - now, this.#signal);
    }
    const latest = this.looks.latest(bus);
    if (latest !== undefined && latest.from >= one.changed && latest.from >= since + SOONEST) return latest;
    return await this.#look(one);
  }

  #change(one: Watched, now: number): void {
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
    if (!isWeb(one.application) || this.#signal.aborted || one.timer !== undefined) return;
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
    const call = { timeout: LOOK, signal: this.#signal };
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
      this.#failed(one, error);
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

  #failed({ application }: Watched, error: unknown): void {
    if (this.#signal.aborted) return;
    const { code } = toBackstepError(error);
    if (code === "app_gone") this.#failures.gone(application);
    // One that hangs is looked at again when it tells something.
    else if (code !== "timeout" && code !== "stale") this.#failures.failed(error);
  }
}
