import { BackstepError, toBackstepError } from "../base/error.ts";
import type { Binding } from "./binding.ts";
import { loadLibrary } from "./library.ts";
import { type Notice, readRecords } from "./records.ts";
import { type CallObserver, CoreSession } from "./session.ts";
import { Status, statusError } from "./status.ts";

/** Milliseconds one wait may block: the most the core takes. */
const WAIT = 500;
const FIRST_BUFFER = 64 * 1024;
/** One record larger than this means that the core is broken. */
const LARGEST_BUFFER = 64 * 1024 * 1024;

/**
 * The native core, once a process, on one of its threads (workers). It keeps one `backstep_wait` in flight while sessions are open, hands completions
 * and events to them, and lets the process end soon after the last one closed.
 *
 * @example
 * ```ts ignore
 * const core = await Core.open();
 * const session = core.session();
 * const reply = await session.submit(Op.apps, new Request().bytes(), { timeout: 1_000 });
 * await session.close();
 * ```
 */
export class Core {
  static #shared: Promise<Core> | undefined;

  readonly #binding: Binding;
  readonly #sessions = new Map<bigint, CoreSession>();
  #turns: (() => void)[] = [];
  #running: Promise<void> | undefined;
  #unloaded = false;
  #observer: CallObserver | undefined;

  /** For tests; everyone else shares `Core.open()`. */
  constructor(binding: Binding) {
    this.#binding = binding;
  }

  /**
   * The core of this process, loaded on first use.
   *
   * @throws {BackstepError} `missing` when there is none: see `loadLibrary`.
   */
  static open(): Promise<Core> {
    if (!Core.#shared) {
      const opening = loadLibrary().then((binding) => new Core(binding));
      Core.#shared = opening;
      // A core that could not be loaded is looked for again at the next call.
      opening.catch(() => Core.#shared = undefined);
    }
    return Core.#shared;
  }

  /** A new, unconnected session: the first operation is `Op.connect`. At most 64 at once. */
  session(): CoreSession {
    if (this.#unloaded) throw new BackstepError("internal", "Cannot open a session: the core was unloaded");
    const handle = this.#binding.open();
    if (handle <= 0n) throw statusError(Number(handle), "open a session");
    const session = new CoreSession(this.#binding, handle, {
      drained: () => this.#drained(),
      released: (gone) => this.#released(gone),
      observer: () => this.#observer,
    });
    this.#sessions.set(handle, session);
    this.#running ??= this.#run();
    return session;
  }

  /** Has the calls of every session told, for measurements; without an observer: no more. */
  observe(observer: CallObserver | undefined): void {
    this.#observer = observer;
  }

  /** Closes every session, waits until nothing is in flight, and unloads the library. The core is unusable after it. */
  async unload(): Promise<void> {
    if (this.#unloaded) return;
    this.#unloaded = true;
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
    await this.#running;
    this.#binding.unload();
  }

  async #run(): Promise<void> {
    let buffer = new Uint8Array(FIRST_BUFFER);
    let due: (() => void)[] = [];
    try {
      while (this.#sessions.size > 0) {
        due = this.#turns;
        this.#turns = [];
        // Whoever awaits this turn wants what is there already, not what may come.
        const written = await this.#binding.wait(buffer, due.length > 0 ? 1 : WAIT);
        if (written === Status.short && buffer.length < LARGEST_BUFFER) {
          buffer = new Uint8Array(4 * buffer.length);
          this.#turns.push(...due);
          continue;
        }
        if (written === Status.invalid) throw taken();
        if (written < 0) throw statusError(written, "wait for the native core");
        this.#deliver(buffer.subarray(0, written));
        for (const resolve of due) resolve();
      }
    } catch (thrown) {
      const error = toBackstepError(thrown);
      for (const session of this.#sessions.values()) session.fail(error);
    } finally {
      this.#running = undefined;
      for (const resolve of [...due, ...this.#turns.splice(0)]) resolve();
    }
  }

  #deliver(bytes: Uint8Array): void {
    const notices = new Map<bigint, Notice[]>();
    for (const record of readRecords(bytes)) {
      if (record.kind === "completion") {
        this.#sessions.get(record.session)?.complete(record);
        continue;
      }
      const batch = notices.get(record.session);
      if (batch) batch.push(record);
      else notices.set(record.session, [record]);
    }
    for (const [handle, batch] of notices) this.#sessions.get(handle)?.notify(batch);
    const now = performance.now();
    for (const session of this.#sessions.values()) session.sweep(now);
  }

  /** Resolves after a wait that began no earlier than now. */
  #drained(): Promise<void> {
    if (!this.#running) return Promise.resolve();
    return new Promise((resolve) => {
      this.#turns.push(resolve);
      this.#binding.wake();
    });
  }

  async #released(session: CoreSession): Promise<void> {
    this.#sessions.delete(session.handle);
    // The waiter ends with the last session: once this resolves, nothing of ours keeps the process alive.
    if (this.#sessions.size === 0) await this.#drained();
  }
}

/** Two threads that wait would take each other's completions: the core refuses the second. */
function taken(): BackstepError {
  return new BackstepError(
    "internal",
    "Cannot wait for the native core: another thread of this process waits already",
    { hint: "Use it only from one thread (one worker) of a process, or in separate processes." },
  );
}
