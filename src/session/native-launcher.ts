import { isAbsolute } from "node:path";
import { clearInterval, setInterval } from "node:timers";
import { type Call, Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import type { Application, Desktop } from "../desktop/desktop.ts";
import { ApplicationCatalogue, type CatalogueApplication } from "./app-catalogue.ts";
import { isAccessible } from "./inaccessible.ts";
import { javaBridge, withJavaBridge } from "./java.ts";
import { launchAndWait } from "./launch.ts";
import { trimLog } from "./log-file.ts";
import { prepareHome, quirksOf } from "./quirks.ts";
import { closeWindows, notRunning } from "./quit.ts";
import { environmentOf } from "./processes.ts";
import { identifyApplication, type Running, runningApplications } from "./running-applications.ts";
import type {
  CatalogueEntry,
  Launcher,
  LaunchOptions,
  LaunchResult,
  QuitOptions,
  QuitResult,
  RunningApplication,
} from "./session.ts";
import type { DesktopSettings } from "./settings/settings.ts";

/** Where applications are launched. */
export interface LaunchPlace {
  readonly environment: Readonly<Record<string, string>>;
  readonly home: string;
  /** Folder for what applications write on their standard output and error. */
  readonly logs: string;
  /** Folder for notes of what was launched; undefined on a desktop that is not ours to tear down. */
  readonly notes: string | undefined;
  /** A private desktop: programs get the arguments they need there. */
  readonly isolated: boolean;
  /** What a private desktop was asked to be like. */
  readonly settings?: DesktopSettings | undefined;
  /** Settles when the window manager is in charge. */
  readonly managed: Promise<void>;
}

/** Milliseconds: for an application to show a window, to close, and to be listed. */
const LAUNCH = 15_000;
const QUIT = 10_000;
const LIST = 5_000;
/** Milliseconds between looks at the size of logs. */
const TRIM = 5_000;

/** Starts, ends and lists applications on a real desktop. */
export class NativeLauncher implements Launcher {
  readonly #desktop: Desktop;
  readonly #place: LaunchPlace;
  readonly #logs = new Set<string>();
  /** By process id, what was launched under which words. */
  readonly #words = new Map<number, ReadonlySet<string>>();
  #catalogue: ApplicationCatalogue | undefined;
  #trimming: ReturnType<typeof setInterval> | undefined;

  constructor(desktop: Desktop, place: LaunchPlace) {
    this.#desktop = desktop;
    this.#place = place;
  }

  catalogue(): Promise<readonly CatalogueEntry[]> {
    return Promise.resolve(this.#installed().applications);
  }

  async launch(id: string, options: LaunchOptions = {}): Promise<LaunchResult> {
    const deadline = Deadline.of(options, LAUNCH);
    const application = this.#installed().find(id);
    await this.#place.managed;
    const running = (await this.#running(deadline)).find((one) => one.bundleId === application.id);
    if (running !== undefined) requireSame(running, options.environment ?? {});
    // With arguments it is started all the same, as a person would: it opens another window, or hands them over.
    if (running !== undefined && !options.args?.length) {
      this.#remember(running.processId, id);
      return await this.#activate(running, deadline);
    }
    const [program = "", ...args] = application.command;
    const { home, settings } = this.#place;
    const quirks = this.#place.isolated ? quirksOf(application.executable, home, undefined, settings) : [];
    if (this.#place.isolated) prepareHome(application.executable, home, undefined, settings);
    const environment = { ...this.#place.environment, ...options.environment };
    const launched = await launchAndWait(this.#desktop, {
      application,
      command: [program, ...quirks, ...args, ...(options.args ?? [])],
      environment: this.#place.isolated ? withJavaBridge(environment, javaBridge()) : environment,
      directory: isAbsolute(this.#place.home) ? this.#place.home : "/",
      logs: this.#place.logs,
      notes: this.#place.notes,
      isSame: (pid) => identifyApplication(pid, this.#installed())?.id === application.id,
    }, deadline);
    this.#keepSmall(launched.log);
    this.#remember(launched.pid, id);
    const name = nameOf(application, launched.application.name);
    return {
      processId: launched.pid,
      applicationName: name,
      wasAlreadyRunning: launched.wasRunning,
      ...treeless(launched.application),
    };
  }

  async quit(id: string, options?: QuitOptions): Promise<QuitResult> {
    const deadline = Deadline.of(options, QUIT);
    const wanted = id.trim();
    if (wanted === "") throw new BackstepError("invalid", "Invalid parameter: the application's id is empty");
    const all = await this.#running(deadline);
    const named = this.#named(wanted, all);
    const own = named.filter(({ processId }) => processId === options?.pid);
    // Of several, none is quit in the place of one that has left.
    const targets = own.length > 0 ? own : options?.pid === undefined || named.length === 1 ? named : [];
    const [first] = targets;
    if (first === undefined) {
      throw notRunning(wanted, all.map((one) => one.bundleId));
    }
    for (const target of targets) await closeWindows(this.#desktop, target, deadline, options?.unsaved);
    return { applicationName: first.name };
  }

  async list(call?: Call): Promise<readonly RunningApplication[]> {
    const running = await this.#running(Deadline.of(call, LIST));
    return running.map(({ bundleId, name, processId, isHidden }) => {
      const words = this.#words.get(processId);
      return { bundleId, name, processId, isHidden, ...(words ? { words: [...words] } : {}) };
    });
  }

  /** Stops looking after logs; applications stay. */
  close(): void {
    clearInterval(this.#trimming);
  }

  #installed(): ApplicationCatalogue {
    return this.#catalogue ??= new ApplicationCatalogue(this.#place.environment);
  }

  #running(deadline: Deadline): Promise<Running[]> {
    return runningApplications(this.#desktop, this.#installed(), deadline);
  }

  /** What runs under an id, or under the name or program that an installed application has. */
  #named(wanted: string, all: readonly Running[]): Running[] {
    const lower = wanted.replace(/\.desktop$/, "").toLowerCase();
    const direct = all.filter((one) => {
      const words = this.#words.get(one.processId) ?? [];
      return [one.bundleId, one.name, one.application.name, ...words].some((name) =>
        name.toLowerCase() === lower
      );
    });
    if (direct.length > 0) return direct;
    try {
      const { id } = this.#installed().find(wanted);
      return all.filter((one) => one.bundleId === id);
    } catch (error) {
      // Not installed, so that it is not running either: which is what the caller asked.
      if (error instanceof BackstepError && error.code === "app_not_found") return [];
      throw error;
    }
  }

  async #activate(running: Running, deadline: Deadline): Promise<LaunchResult> {
    const top = running.windows.findLast((window) => !window.minimised) ?? running.windows.at(-1);
    // In the background it stays where it is: that it runs is what was asked for.
    if (top !== undefined && this.#desktop.mode === "focus") {
      if (top.minimised) await this.#desktop.window(top.id, { do: "restore" }, deadline.call());
      await this.#desktop.window(top.id, { do: "activate" }, deadline.call());
    }
    return {
      processId: running.processId,
      applicationName: running.name,
      wasAlreadyRunning: true,
      ...treeless(running.application),
    };
  }

  #remember(pid: number, word: string): void {
    this.#words.set(pid, new Set([...this.#words.get(pid) ?? [], word.trim()]));
  }

  #keepSmall(log: string): void {
    this.#logs.add(log);
    this.#trimming ??= setInterval(() => this.#logs.forEach(trimLog), TRIM);
    this.#trimming.unref();
  }
}

function treeless(application: Application): { readonly accessible?: false } {
  return isAccessible(application) ? {} : { accessible: false };
}

/** The environment of what runs stays as it is: other variables cannot be given to it, nor to what it opens next. */
function requireSame({ processId, bundleId }: Running, environment: Readonly<Record<string, string>>): void {
  const others = Object.entries(environment).filter(([name, value]) =>
    environmentOf(processId, name) !== value
  );
  if (others.length === 0) return;
  const names = others.map(([name]) => name);
  throw new BackstepError(
    "unsupported",
    `Cannot launch ${bundleId} with ${names.join(", ")}: it runs already, with another environment`,
    {
      hint: "Quit it first, or give these variables in its first launch.",
      details: { variables: names },
    },
  );
}

function nameOf(application: CatalogueApplication, accessibleName: string): string {
  return application.entry?.name ?? (accessibleName || application.name);
}
