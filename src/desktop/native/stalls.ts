import { Deadline } from "../../base/call.ts";
import { BackstepError, toBackstepError } from "../../base/error.ts";
import { quotedName } from "../called.ts";
import type { Window } from "../desktop.ts";
import type { Application } from "../element.ts";
import { actsInDispatch } from "../toolkits.ts";

/** Milliseconds that an application has to answer after something was done to it, before it is said not to. */
const PROMPT = 1_000;
/** Milliseconds of one look whether it answers again. */
const LOOK = 250;
/** Milliseconds that keys wait for it. */
const KEYS = 2_000;

/** An application that did not answer. */
interface Stall {
  readonly application: Application;
  /** What was done to it before; undefined: it was found so. */
  readonly since: string | undefined;
  /** Ids of its windows before that; undefined: not known. */
  readonly windows: Promise<ReadonlySet<number> | undefined>;
}

type StalledWindow = Pick<Window, "id" | "pid" | "popup" | "active">;

/** What is asked of the desktop. */
export interface StallSource {
  /** Does an application answer before the deadline? */
  answers(application: Application, deadline: Deadline): Promise<boolean>;
  windows(deadline: Deadline): Promise<readonly StalledWindow[]>;
  /** As they were a moment ago, where nothing was sent and no window told anything since. */
  recentWindows(deadline: Deadline): Promise<readonly StalledWindow[]>;
  applications(deadline: Deadline): Promise<readonly Application[]>;
}

/**
 * Which applications do not answer. GTK 3 runs what an action sets off inside of its D-Bus dispatch: while a dialog of
 * that stands, it answers nobody, and a key makes it wait for an answer that cannot come, for good. So nothing is sent to
 * one that does not answer after something was done to it, until it does again.
 */
export class Stalls {
  readonly #source: StallSource;
  readonly #stalls = new Map<string, Stall>();
  /** As each application was when it last answered, by its bus name. */
  readonly #last = new Map<string, Application>();
  #listed = false;

  constructor(source: StallSource) {
    this.#source = source;
  }

  /** What was done to an application that has not answered since; undefined: it answers, as far as is known. */
  since(bus: string): string | undefined {
    return this.#stalls.get(bus)?.since;
  }

  /** It left. */
  forget(bus: string): void {
    this.#stalls.delete(bus);
    this.#last.delete(bus);
  }

  /** A fresh list: what does not answer is told by what it said before. */
  list(applications: readonly Application[]): Application[] {
    this.#listed = true;
    return applications.map((application): Application => {
      const { bus, pid, name, toolkit } = application;
      if (name !== "" || toolkit !== "") {
        this.#last.set(bus, application);
        return application;
      }
      const existing = this.#last.get(bus);
      const silent = { ...application, ...existing, pid: pid || (existing?.pid ?? 0), silent: true };
      if (!this.#stalls.has(bus) && (existing === undefined || actsInDispatch(existing))) {
        this.#stalls.set(bus, { application: silent, since: undefined, windows: Promise.resolve(undefined) });
      }
      return silent;
    });
  }

  /** Does something to an application, and waits a moment for it to answer then; `meanwhile` begins with that. */
  async around<T>(
    bus: string,
    doing: string,
    deadline: Deadline,
    act: () => Promise<T>,
    meanwhile: () => void = () => {},
  ): Promise<T> {
    const application = this.#last.get(bus);
    if (application === undefined || !actsInDispatch(application)) return await act();
    // Asked before the action is sent, and not waited for: they answer in their order, and a window takes longer to come.
    const windows = this.#source.recentWindows(deadline)
      .then((all) => ownOf(application, all))
      .then((before) => new Set(before.map(({ id }) => id)), () => undefined);
    // Before it is sent: whoever does not wait for the answer leaves it so.
    this.#stalls.set(bus, { application, since: doing, windows });
    let sent = true;
    try {
      const reported = await act();
      meanwhile();
      return reported;
    } catch (thrown) {
      sent = toBackstepError(thrown).details?.outcome !== "not_sent";
      throw thrown;
    } finally {
      // What was not sent is nothing that it could not answer.
      if (!sent) this.#stalls.delete(bus);
      else if (!deadline.signal?.aborted) await this.#look(bus, deadline.within(PROMPT));
    }
  }

  /**
   * Rejects with `timeout` while an application stands in a dialog and does not answer. Undefined: it answers as far as is
   * known, so that what is asked can be sent at once.
   */
  require(bus: string, doing: string, deadline: Deadline): Promise<void> | undefined {
    const stall = this.#stalls.get(bus);
    return stall && this.#require(stall, doing, deadline);
  }

  async #require(stall: Stall, doing: string, deadline: Deadline): Promise<void> {
    const { application, since } = stall;
    if (since === undefined) return;
    const windows = await stall.windows;
    while (!await this.#look(application.bus, deadline.within(LOOK))) {
      // It may only be busy: then whoever asks waits as long as they like, and hears what it has not answered since.
      if (deadline.passed) throw stalled(doing, stall);
      // A busy desktop that does not list its windows in time says nothing: it is looked at again.
      const now = await this.#windowsOf(application, deadline.within(LOOK)).catch(() => []);
      if (windows !== undefined && now.some(({ id }) => !windows.has(id))) throw stalled(doing, stall);
    }
  }

  /** The same for keys, which go to whoever has the keyboard. */
  async requireKeys(doing: string, deadline: Deadline): Promise<void> {
    if (!this.#listed) await this.#source.applications(deadline);
    if (this.#stalls.size === 0) return;
    const windows = await this.#source.windows(deadline);
    const front = windows.find(({ active }) => active);
    for (const [bus, stall] of [...this.#stalls]) {
      const { pid } = stall.application;
      const takes = front === undefined || front.pid === pid ||
        windows.some((window) => window.popup && window.pid === pid);
      if (takes && !await this.#look(bus, deadline.within(KEYS))) throw stalled(doing, stall);
    }
  }

  /** Does it answer by now? */
  async #look(bus: string, deadline: Deadline): Promise<boolean> {
    const stall = this.#stalls.get(bus);
    if (stall === undefined) return true;
    if (!await this.#source.answers(stall.application, deadline)) return false;
    this.#stalls.delete(bus);
    return true;
  }

  async #windowsOf(application: Application, deadline: Deadline): Promise<readonly StalledWindow[]> {
    return ownOf(application, await this.#source.windows(deadline));
  }
}

function ownOf({ pid }: Application, windows: readonly StalledWindow[]): StalledWindow[] {
  return windows.filter((window) => window.pid === pid && !window.popup);
}

function stalled(doing: string, { application, since }: Stall): BackstepError {
  const until = since === undefined ? "does not answer" : `has not answered since it was asked to ${since}`;
  return new BackstepError("timeout", `Cannot ${doing}: ${quotedName(application)} ${until}`, {
    hint:
      "A dialog that was opened by an accessible action keeps it from answering, and a key would lock it up for good. " +
      "Close the dialog with the pointer (click_at) or its window (window: close); where the pointer may be used, " +
      "click opens it so that the application answers.",
    details: {
      outcome: "not_sent",
      application: application.name,
      pid: application.pid,
      since: since ?? null,
    },
  });
}
