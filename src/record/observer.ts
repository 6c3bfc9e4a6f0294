import type { Call } from "../base/call.ts";
import type { Application, Desktop, DesktopEvent, Watch, Window } from "../desktop/desktop.ts";
import { meaningOf } from "./event-meaning.ts";
import type { Look, Looks } from "./look.ts";
import { Standing } from "./standing.ts";
import { type Address, Reported } from "./reported.ts";
import { Unstable } from "./unstable.ts";

/** Milliseconds after a person's act in which a change may be its doing. */
const IDLE = 1_000;
/** Milliseconds of one wait for events. */
const WAIT = 1_000;

/** What happens to the applications that are watched. */
export interface Happenings {
  appeared(application: Application): void;
  gone(application: Application): void;
  /** An element got the keyboard. */
  focused(focus: Address): void;
  failed(error: unknown): void;
}

/** Watches each application, and keeps a standing look at it: what was there before a press is known when the press comes. */
export class Observer {
  /** What they reported lately. */
  readonly reported = new Reported();
  /** When a key came last that types, by the time of its event. */
  typedAt = -Infinity;
  readonly #desktop: Desktop;
  readonly #happenings: Happenings;
  readonly #stop = new AbortController();
  readonly #standing: Standing;
  readonly #unstable = new Unstable();
  #watch: Watch | undefined;
  #pump: Promise<void> = Promise.resolve();
  #listing: Promise<void> | undefined;
  #acted = -Infinity;

  constructor(desktop: Desktop, happenings: Happenings) {
    this.#desktop = desktop;
    this.#happenings = happenings;
    this.#standing = new Standing(desktop, this.#stop.signal, {
      gone: ({ bus }) => this.#forget(bus),
      failed: (error) => happenings.failed(error),
    });
  }

  /** Resolves when every application was looked at once. */
  async start(call: Call): Promise<void> {
    this.#watch = this.#desktop.watch();
    this.#pump = this.#listen(this.#watch);
    await this.#list(call);
    await this.#standing.take();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#watch?.close();
    await this.#pump;
    await this.#standing.close();
  }

  get looks(): Looks {
    return this.#standing.looks;
  }

  /** Elements that were a password field once: they stay secret. */
  get secret(): Set<string> {
    return this.#standing.secret;
  }

  get applications(): Application[] {
    return this.#standing.applications;
  }

  /** The windows of the screen as they were seen last. */
  get windows(): readonly Window[] {
    return this.#standing.windows;
  }

  /** When that was asked for, in milliseconds of `performance.now()`. */
  get windowsAt(): number {
    return this.#standing.windowsAt;
  }

  /** A person did something: what changes now is its doing. */
  acted(now: number): void {
    this.#acted = now;
  }

  /** May something else lie at a place by now than in a look? */
  isStale(look: Look): boolean {
    return this.#standing.isStale(look);
  }

  /** Marks what may stand otherwise without a word from the application: it was scrolled. */
  dirty(bus: string): void {
    this.#standing.changed(bus, performance.now(), true);
  }

  /** The pointer rests: what is there is looked at again where something changed. */
  refresh(): Promise<void> {
    return this.#standing.refresh();
  }

  /** A look at what an act left, once the application came to rest. */
  atRest(bus: string, since: number): Promise<Look | undefined> {
    return this.#standing.atRest(bus, since);
  }

  async #listen(watch: Watch): Promise<void> {
    try {
      while (!this.#stop.signal.aborted) {
        const came = await watch.next({ timeout: WAIT, signal: this.#stop.signal });
        const now = performance.now();
        for (const event of watch.take()) this.#note(event, now);
        if (came === "lost") { for (const { bus } of this.applications) this.dirty(bus); }
      }
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#happenings.failed(error);
    }
  }

  #note(event: DesktopEvent, now: number): void {
    const { bus, path, kind } = event;
    if (!this.#standing.has(bus)) {
      if (kind.startsWith("window:") || kind.startsWith("object:children-changed:add")) this.#relist();
      return;
    }
    if (this.reported.note(event, now)) this.#happenings.focused({ bus, path });
    const tree = this.looks.latest(bus)?.snapshot;
    const toplevel = kind === "object:bounds-changed" &&
      tree?.children(0).some((row) => tree.path(row) === path) === true;
    const { changes, moves } = meaningOf({ kind }, toplevel);
    if (!changes) return;
    const element = `${bus} ${path}`;
    this.#unstable.heard(element, now, now - this.#acted > IDLE);
    if (!this.#unstable.has(element)) this.#standing.changed(bus, now, moves);
  }

  #forget(bus: string): void {
    const application = this.applications.find((one) => one.bus === bus);
    if (application === undefined) return;
    this.#standing.forget(bus);
    this.reported.forget(bus);
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
      if (this.#standing.has(application.bus)) continue;
      this.#standing.add(application);
      this.#happenings.appeared(application);
    }
    const there = new Set(applications.map(({ bus }) => bus));
    for (const { bus } of this.applications) if (!there.has(bus)) this.#forget(bus);
  }
}
