import { existsSync, type FSWatcher, watch } from "node:fs";
import { BackstepError, toBackstepError } from "../base/error.ts";
import { blockedBy, restricts } from "./lists.ts";
import type { SessionLimits } from "./limits.ts";
import type { AppIdentity, Security, SecurityMode } from "./security.ts";
import type { Settings } from "./settings.ts";
import { SETTINGS } from "./table.ts";

/** A security that also says what the guard asks beside applications. */
export interface GuardSecurity extends Security {
  /** Does any list name an application? Where none does, nothing has to be judged. */
  readonly restricts: boolean;
  /** Is a person asked before what destroys? */
  readonly confirmDestructive: boolean;
  /** May a client start programs that are no entry of the catalogue, by path or name? */
  readonly launchPrograms: boolean;
  /** May a client that cannot ask a person record what a person does? */
  readonly recordUnasked: boolean;
  readonly limits: SessionLimits & { readonly vlmRpm: number; readonly scriptRpm: number };
  /** Told of a policy that cannot be, while the one before stays. */
  onFault(listener: (fault: BackstepError) => void): () => void;
}

/** Milliseconds between two looks at the files where nothing tells of a change. */
const SLOW_LOOK = 2_000;
/** Editors write a file in several steps. */
const RELOAD_AFTER = 50;

/**
 * The policy of a server: settings that guard, read anew whenever their files change. A faulty change leaves what was.
 */
export class Policy implements GuardSecurity {
  #settings: Settings;
  readonly #changed = new Set<() => void>();
  readonly #faulty = new Set<(fault: BackstepError) => void>();
  #watcher: FSWatcher | undefined;
  #slow: ReturnType<typeof setInterval> | undefined;
  #soon: ReturnType<typeof setTimeout> | undefined;
  #lastFault: string | undefined;
  #pending: string | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** What is configured now. */
  get settings(): Settings {
    return this.#settings;
  }

  get mode(): SecurityMode {
    return this.#settings.get(SETTINGS.mode);
  }

  get restricts(): boolean {
    return restricts(this.#lists);
  }

  get confirmDestructive(): boolean {
    return this.mode !== "normal" || this.#settings.get(SETTINGS.confirmDestructive);
  }

  get launchPrograms(): boolean {
    return this.#settings.get(SETTINGS.launchPrograms);
  }

  get recordUnasked(): boolean {
    return this.mode === "normal" && this.#settings.get(SETTINGS.recordUnasked);
  }

  get limits(): GuardSecurity["limits"] {
    const { rps, rpm, concurrency, vlmRpm, scriptRpm } = SETTINGS;
    return {
      rps: this.#settings.get(rps),
      rpm: this.#settings.get(rpm),
      concurrency: this.#settings.get(concurrency),
      vlmRpm: this.#settings.get(vlmRpm),
      scriptRpm: this.#settings.get(scriptRpm),
    };
  }

  blocked(app: AppIdentity): string | undefined {
    return blockedBy(this.#lists, app);
  }

  onChange(listener: () => void): () => void {
    this.#changed.add(listener);
    return () => this.#changed.delete(listener);
  }

  onFault(listener: (fault: BackstepError) => void): () => void {
    this.#faulty.add(listener);
    return () => this.#faulty.delete(listener);
  }

  /** Begins to follow its files; `close` ends that. */
  follow(): void {
    this.#watch();
    this.#slow = setInterval(() => {
      this.#watch();
      this.#look();
    }, SLOW_LOOK);
    this.#slow.unref();
  }

  /** Reads the files again, and tells who listens if that makes a difference. */
  reload(): void {
    const next = this.#read();
    this.#pending = undefined;
    if (!next) return;
    const same = print(next) === print(this.#settings);
    this.#settings = next;
    if (same) return;
    for (const listener of [...this.#changed]) listener();
  }

  /** A file that is being written reads as shorter than it is going to be: what two looks agree on counts. */
  #look(): void {
    clearTimeout(this.#soon);
    const next = this.#read();
    const seen = next && print(next);
    if (seen === undefined || seen === print(this.#settings)) {
      this.#pending = undefined;
      return;
    }
    if (seen === this.#pending) return this.reload();
    this.#pending = seen;
    this.#later();
  }

  #later(): void {
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => this.#look(), RELOAD_AFTER);
  }

  #read(): Settings | undefined {
    try {
      const next = this.#settings.reread();
      const gone = this.#settings.files.find((file) => !next.files.includes(file));
      if (gone !== undefined) {
        throw new BackstepError("usage", `Cannot use ${gone}: it is gone`, {
          hint: "To work without it, empty it or restart the server.",
        });
      }
      this.#lastFault = undefined;
      return next;
    } catch (thrown) {
      const fault = toBackstepError(thrown);
      if (fault.message === this.#lastFault) return undefined; // said before
      this.#lastFault = fault.message;
      for (const listener of [...this.#faulty]) listener(fault);
      return undefined;
    }
  }

  close(): void {
    clearInterval(this.#slow);
    clearTimeout(this.#soon);
    this.#watcher?.close();
    this.#watcher = undefined;
    this.#changed.clear();
    this.#faulty.clear();
  }

  get #lists() {
    const { allowed, denied } = SETTINGS;
    return { allowed: this.#settings.get(allowed), denied: this.#settings.get(denied) };
  }

  /** The folder, not the files: an editor puts a new file in the place of the old one. */
  #watch(): void {
    const { folder } = this.#settings;
    if (!existsSync(folder)) {
      this.#watcher?.close();
      this.#watcher = undefined;
      return;
    }
    if (this.#watcher) return;
    const watcher = watch(folder, { persistent: false }, () => {
      this.#later();
    });
    watcher.on("error", () => {
      watcher.close();
      if (this.#watcher === watcher) this.#watcher = undefined; // the slow look goes on
    });
    this.#watcher = watcher;
  }
}

/** Everything that a policy says, to be compared. */
function print(settings: Settings): string {
  return JSON.stringify(settings.rows.map(({ setting, value }) => [setting, value]));
}
