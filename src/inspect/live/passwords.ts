import { type Call, Deadline } from "../../base/call.ts";
import { toBackstepError } from "../../base/error.ts";
import type { Application, Desktop, ElementRef, Rect, Watch } from "../../desktop/desktop.ts";
import { Hidden } from "../../engine/secrets/hidden.ts";
import { Mask } from "../../engine/secrets/mask.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";

/** Milliseconds of one look at all applications, and of one of them. */
const LOOK = 3_000, ONE = 1_500;
/** Events by which a password field may have come. */
const RESHAPES = /^window:|^object:children-changed|^object:state-changed:(showing|visible|defunct)|role/;
/** Milliseconds after which an application that did not answer is asked again. */
const TIRED = 2_000;

/** Where password fields stand. */
export interface Secret {
  readonly rects: readonly Rect[];
  /** One of them shows, and nobody can say where: nothing may be shown. */
  readonly unplaced: boolean;
}

/**
 * Where the password fields of a desktop stand. The trees are read again when something came or went; the places of the
 * fields that there are, each time.
 */
export class Passwords {
  readonly #desktop: Desktop;
  readonly #hidden = new Hidden(new Mask([]));
  readonly #watch: Watch;
  /** The fields of each application, by its address. */
  readonly #fields = new Map<string, { readonly application: Application; readonly rows: ElementRef[] }>();
  readonly #tired = new Map<string, number>();
  #stale: "all" | Set<string> = "all";
  #last: readonly Rect[] = [];

  constructor(desktop: Desktop) {
    this.#desktop = desktop;
    this.#watch = desktop.watch();
  }

  /** Their places now and at the last look: what was there stays on the screen until it is drawn over. */
  async now(call: Call): Promise<Secret> {
    const deadline = Deadline.of(call, LOOK);
    await this.#note();
    if (this.#stale === "all" || this.#stale.size > 0) await this.#find(deadline);
    const rects: Rect[] = [];
    let unplaced = false;
    for (const { application, rows } of this.#fields.values()) {
      for (const element of rows) {
        const seen = await this.#one(application, element, deadline);
        rects.push(...seen.rects);
        unplaced ||= seen.unplaced;
      }
    }
    const all = [...rects, ...this.#last];
    this.#last = rects;
    return { rects: all, unplaced };
  }

  close(): void {
    this.#watch.close();
  }

  async #note(): Promise<void> {
    const came = await this.#watch.next({ timeout: 0 });
    const events = this.#watch.take();
    if (came === "lost") this.#stale = "all";
    for (const { bus, kind } of events) {
      if (this.#stale !== "all" && RESHAPES.test(kind)) this.#stale.add(bus);
    }
  }

  async #find(deadline: Deadline): Promise<void> {
    const stale = this.#stale;
    this.#stale = new Set();
    const applications = await this.#desktop.applications(deadline.call());
    const running = new Set(applications.map(({ bus }) => bus));
    for (const bus of this.#fields.keys()) if (!running.has(bus)) this.#fields.delete(bus);
    for (const application of applications) {
      const { bus } = application;
      const due = stale === "all" || stale.has(bus) || !this.#fields.has(bus);
      if (!due || (this.#tired.get(bus) ?? 0) > performance.now()) continue;
      try {
        const snapshot = await this.#desktop.snapshot(application, {
          ...deadline.within(ONE).call(),
          source: "held",
          fields: ["id"],
        });
        const rows = [...this.#hidden.of(snapshot).rows].map((row) => snapshot.element(row));
        this.#fields.set(bus, { application, rows });
        this.#tired.delete(bus);
      } catch (thrown) {
        const { code } = toBackstepError(thrown);
        if (code === "cancelled") throw thrown;
        if (code === "app_gone") continue;
        // It hangs: what it showed is asked for again later, and nothing of it is known to be new.
        this.#tired.set(bus, performance.now() + TIRED);
        if (this.#stale instanceof Set) this.#stale.add(bus);
      }
    }
  }

  async #one(application: Application, root: ElementRef, deadline: Deadline): Promise<Secret> {
    let snapshot: Snapshot;
    try {
      const call = deadline.within(ONE).call();
      snapshot = await this.#desktop.snapshot(application, {
        ...call,
        root,
        maxDepth: 1,
        fields: ["extents"],
      });
    } catch (thrown) {
      const { code } = toBackstepError(thrown);
      if (code === "cancelled") throw thrown;
      if (code === "stale" || code === "app_gone" || code === "not_found") {
        this.#stale = "all";
        return { rects: [], unplaced: false };
      }
      return { rects: [], unplaced: true };
    }
    const { rects, unplaced } = this.#hidden.of(snapshot);
    return { rects, unplaced };
  }
}
