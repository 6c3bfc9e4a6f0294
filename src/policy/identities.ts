import process from "node:process";
import type { Call } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import type { Application, Desktop, Window } from "../desktop/desktop.ts";
import type { Holders, HoldersQuery } from "../desktop/holders.ts";
import { ApplicationCatalogue } from "../session/app-catalogue.ts";
import { executableOf, identify } from "../session/processes.ts";
import { identifyApplication } from "../session/running-applications.ts";
import type { AppIdentity } from "./security.ts";

/** What a process tells of its application; it cannot change while the process lives. */
interface ProcessFacts {
  readonly started: string;
  readonly id?: string;
  readonly names: readonly string[];
  readonly executable?: string;
}

/**
 * Who applications and windows are, from all that tells it: what they call themselves, the desktop entry and the program of
 * their process, the class of their windows.
 */
export class Identities {
  readonly #desktop: Desktop;
  readonly #facts = new Map<number, ProcessFacts>();
  #catalogue: ApplicationCatalogue | undefined;

  constructor(desktop: Desktop) {
    this.#desktop = desktop;
  }

  /** Every application and every window as they are now, and whose these places are. */
  async now(call?: Call, places: HoldersQuery["places"] = []): Promise<Seen> {
    const desktop = this.#desktop;
    // What is judged is what is there, whatever who asks would do with.
    const fresh: Call = defined({ timeout: call?.timeout, signal: call?.signal });
    const [applications, windows] = await Promise.all([
      desktop.applications(fresh),
      desktop.capabilities.windows ? desktop.windows(fresh) : [],
    ]);
    if (!desktop.holders || !desktop.capabilities.windows) return { applications, windows };
    return { applications, windows, holders: await this.#holders(windows, places, call) };
  }

  /** Who an application is, given what is on the desktop. */
  application(application: Application, { windows }: Seen): AppIdentity {
    const { pid, name, id } = application;
    const facts = this.#factsOf(pid);
    const own = pid === 0 ? [] : windows.filter((window) => window.pid === pid);
    const classes = own.map(({ windowClass }) => windowClass);
    return {
      name: name || facts?.names[0] || "",
      names: [...facts?.names ?? [], ...facts?.id ? [facts.id] : [], ...classes],
      pid,
      ...(id ?? facts?.id ? { id: id ?? facts?.id ?? "" } : {}),
      ...(facts?.executable ? { executable: facts.executable } : {}),
    };
  }

  /**
   * Who the owner of a window is: by the process that the window names, and by the one that the display knows where that is
   * another. What is to be allowed must be so by each.
   */
  window(window: Window, seen: Seen): readonly [AppIdentity, ...AppIdentity[]] {
    const client = clientOf(window, seen);
    if (client === 0 || client === window.pid) return [this.#ofWindow(window, window.pid, seen)];
    const byDisplay = this.#ofWindow(window, client, seen);
    return window.pid === 0 ? [byDisplay] : [byDisplay, this.#ofWindow(window, window.pid, seen)];
  }

  /** Who a process is, window or none. */
  process(pid: number, seen: Seen): AppIdentity {
    const shown = seen.windows.find((window) => pid !== 0 && clientOf(window, seen) === pid);
    const { windowClass: _, ...existing } = this.#ofWindow(
      { windowClass: shown?.windowClass ?? "" },
      pid,
      seen,
    );
    return shown ? { ...existing, windowClass: shown.windowClass } : existing;
  }

  #ofWindow({ windowClass }: Pick<Window, "windowClass">, pid: number, seen: Seen): AppIdentity {
    const owners = pid === 0 ? [] : seen.applications.filter((one) => one.pid === pid);
    const existing = owners.map((owner) => this.application(owner, seen));
    const facts = this.#factsOf(pid);
    const [first] = existing;
    return {
      name: first?.name || facts?.names[0] || windowClass,
      names: [
        ...existing.flatMap(({ name, names = [], id }) => [name, ...names, ...id ? [id] : []]),
        ...facts?.names ?? [],
      ],
      pid,
      windowClass,
      ...(first?.id ?? facts?.id ? { id: first?.id ?? facts?.id ?? "" } : {}),
      ...(facts?.executable ? { executable: facts.executable } : {}),
    };
  }

  /** Where the display cannot tell, nobody is known, which blocks what depends on it. */
  async #holders(
    windows: readonly Window[],
    places: HoldersQuery["places"],
    call?: Call,
  ): Promise<Holders> {
    try {
      const asked = { windows: windows.map(({ id }) => id), places };
      return await this.#desktop.holders?.(asked, call) ?? UNREPORTED;
    } catch (thrown) {
      if (thrown instanceof BackstepError && thrown.code === "unsupported") return UNREPORTED;
      throw thrown;
    }
  }

  #factsOf(pid: number): ProcessFacts | undefined {
    // On a desktop in memory numbers of processes are made up.
    if (pid === 0 || this.#desktop.kind === "simulated") return undefined;
    const started = identify(pid);
    if (!started) return undefined;
    const existing = this.#facts.get(pid);
    const stamp = JSON.stringify(started);
    if (existing?.started === stamp) return existing;
    this.#catalogue ??= new ApplicationCatalogue(process.env);
    const entry = identifyApplication(pid, this.#catalogue);
    const executable = executableOf(pid);
    const facts: ProcessFacts = {
      started: stamp,
      names: [entry?.name, entry?.entry?.plainName].filter((name) => name !== undefined),
      ...defined({ id: entry?.id }),
      ...defined({ executable }),
    };
    if (this.#facts.size > 1_000) this.#facts.clear();
    this.#facts.set(pid, facts);
    return facts;
  }
}

/** What is on a desktop at one moment. */
export interface Seen {
  readonly applications: readonly Application[];
  /** Bottom to top. */
  readonly windows: readonly Window[];
  /** Absent on a desktop without other processes. */
  readonly holders?: Holders;
}

const UNREPORTED: Holders = {
  grabbed: { keyboard: true, pointer: true },
  focus: { who: "unknown", pid: 0 },
  clipboard: { who: "unknown", pid: 0 },
  clients: [{ pid: 0, shown: true, manager: false, own: false }],
  windows: [],
  places: [],
};

/** The process that the display knows of a window; 0: it does not. */
function clientOf(window: Window, { windows, holders }: Seen): number {
  return holders?.windows[windows.findIndex(({ id }) => id === window.id)] ?? 0;
}
