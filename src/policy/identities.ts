import process from "node:process";
import type { Call } from "../base/call.ts";
import type { Application, Desktop, Window } from "../desktop/desktop.ts";
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

  /** Every application and every window as they are now. */
  async now(call?: Call): Promise<Seen> {
    const desktop = this.#desktop;
    const [applications, windows] = await Promise.all([
      desktop.applications(call),
      desktop.capabilities.windows ? desktop.windows(call) : [],
    ]);
    return { applications, windows };
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

  /** Who the owner of a window is. */
  window(window: Window, seen: Seen): AppIdentity {
    const { pid, windowClass } = window;
    const owners = pid === 0 ? [] : seen.applications.filter((one) => one.pid === pid);
    const known = owners.map((owner) => this.application(owner, seen));
    const facts = this.#factsOf(pid);
    const [first] = known;
    return {
      name: first?.name || facts?.names[0] || windowClass,
      names: [
        ...known.flatMap(({ name, names = [], id }) => [name, ...names, ...id ? [id] : []]),
        ...facts?.names ?? [],
      ],
      pid,
      windowClass,
      ...(first?.id ?? facts?.id ? { id: first?.id ?? facts?.id ?? "" } : {}),
      ...(facts?.executable ? { executable: facts.executable } : {}),
    };
  }

  #factsOf(pid: number): ProcessFacts | undefined {
    // On a desktop in memory numbers of processes are made up.
    if (pid === 0 || this.#desktop.kind === "simulated") return undefined;
    const started = identify(pid);
    if (!started) return undefined;
    const known = this.#facts.get(pid);
    const stamp = JSON.stringify(started);
    if (known?.started === stamp) return known;
    this.#catalogue ??= new ApplicationCatalogue(process.env);
    const entry = identifyApplication(pid, this.#catalogue);
    const executable = executableOf(pid);
    const facts: ProcessFacts = {
      started: stamp,
      names: [entry?.name, entry?.entry?.plainName].filter((name) => name !== undefined),
      ...(entry ? { id: entry.id } : {}),
      ...(executable === undefined ? {} : { executable }),
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
}
