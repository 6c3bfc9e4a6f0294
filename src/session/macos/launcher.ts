import { basename, isAbsolute } from "node:path";
import { type Call, Deadline, pause } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Application, Desktop } from "../../desktop/desktop.ts";
import { ApplicationCatalogue } from "../app-catalogue.ts";
import type { CatalogueApplication } from "../catalogue-application.ts";
import { notRunning } from "../quit.ts";
import type {
  CatalogueEntry,
  Launcher,
  LaunchOptions,
  LaunchResult,
  QuitOptions,
  QuitResult,
  RunningApplication,
} from "../session.ts";
import { answerUnsaved } from "../unsaved.ts";
import { openDialogs } from "../windows-of.ts";
import { bundleAt } from "./bundles.ts";
import type { MacProcess, MacSystem } from "./system.ts";

/** Milliseconds: for an application to show a window, to end, and to be listed; between two looks; that a question stands. */
const LAUNCH = 15_000;
const QUIT = 10_000;
const LIST = 5_000;
const LOOK = 100;
const STANDS = 300;

interface Listed extends RunningApplication {
  readonly application: Application;
}

/** Starts, ends and lists applications on macOS: `quit` terminates, which may ask about unsaved work. */
export class MacLauncher implements Launcher {
  readonly #desktop: Desktop;
  readonly #system: MacSystem;
  readonly #words = new Map<number, ReadonlySet<string>>();
  #installed: ApplicationCatalogue | undefined;

  constructor(desktop: Desktop, system: MacSystem) {
    this.#desktop = desktop;
    this.#system = system;
  }

  catalogue(): Promise<readonly CatalogueEntry[]> {
    return Promise.resolve(
      this.#catalogue().applications.map(({ id, name, executable }) => ({ id, name, executable })),
    );
  }

  at(path: string): CatalogueApplication | undefined {
    return isAbsolute(path) ? bundleAt(path.replace(/\/+$/, "")) : undefined;
  }

  async launch(id: string, options: LaunchOptions = {}): Promise<LaunchResult> {
    const deadline = Deadline.of(options, LAUNCH);
    const wanted = id.trim();
    if (wanted === "") throw new BackstepError("invalid", "Invalid parameter: the application's id is empty");
    const running = called(await this.#running(deadline), wanted, this.#words)[0];
    if (running !== undefined && !options.args?.length) return this.#launched(running, true, wanted);
    const bundle = this.#find(wanted);
    const before = new Set((await this.#system.processes(deadline)).map(({ pid }) => pid));
    await this.#system.open(folderOf(bundle), options.args ?? [], options.environment ?? {}, deadline);
    const fresh = (one: Listed) => one.bundleId === bundle.id && !before.has(one.processId);
    for (;;) {
      const found = (await this.#running(deadline)).find(fresh);
      if (found !== undefined) return this.#launched(found, false, wanted);
      await pause(Math.min(LOOK, deadline.remaining()), deadline.signal);
      if (deadline.passed) {
        throw new BackstepError("launch_failed", `Cannot launch ${wanted}: it showed no window in time`, {
          hint: "Raise the timeout, or look whether it waits for something: backstep screenshot",
        });
      }
    }
  }

  async quit(id: string, options?: QuitOptions): Promise<QuitResult> {
    const deadline = Deadline.of(options, QUIT);
    const wanted = id.trim();
    if (wanted === "") throw new BackstepError("invalid", "Invalid parameter: the application's id is empty");
    const all = await this.#running(deadline);
    const named = called(all, wanted, this.#words);
    const own = named.filter(({ processId }) => processId === options?.pid);
    const targets = own.length > 0 ? own : options?.pid === undefined || named.length === 1 ? named : [];
    const [first] = targets;
    if (first === undefined) throw notRunning(wanted, all.map(({ bundleId }) => bundleId));
    for (const target of targets) await this.#terminate(target, options, deadline);
    return { applicationName: first.name };
  }

  async list(call?: Call): Promise<readonly RunningApplication[]> {
    const running = await this.#running(Deadline.of(call, LIST));
    return running.map(({ application: _, ...one }) => {
      const words = this.#words.get(one.processId);
      return words ? { ...one, words: [...words] } : one;
    });
  }

  /** Asks it to end, and answers what it asks about unsaved work. */
  async #terminate(target: Listed, options: QuitOptions | undefined, deadline: Deadline): Promise<void> {
    if (!await this.#system.terminate(target.processId, deadline)) return;
    let since: number | undefined;
    while (await this.#runs(target, deadline)) {
      const [dialog] = await openDialogs(this.#desktop, target.application, deadline);
      if (dialog === undefined) since = undefined;
      else since ??= performance.now();
      if (dialog !== undefined && since !== undefined && performance.now() - since >= STANDS) {
        const answered = await answerUnsaved(
          this.#desktop,
          target.application,
          options?.unsaved ?? "fail",
          deadline,
        );
        if (answered === undefined) throw blocked(target, dialog.says, dialog.buttons);
      }
      if (deadline.passed) throw blocked(target, "it neither ended nor asked anything", []);
      await pause(Math.min(LOOK, deadline.remaining()), deadline.signal);
    }
  }

  async #runs({ processId, application }: Listed, deadline: Deadline): Promise<boolean> {
    const now = await this.#desktop.applications(deadline.call());
    return now.some(({ pid, bus }) => pid === processId && bus === application.bus);
  }

  async #running(deadline: Deadline): Promise<Listed[]> {
    const [applications, processes] = await Promise.all([
      this.#desktop.applications(deadline.call()),
      this.#system.processes(deadline),
    ]);
    const byPid = new Map(processes.map((one): [number, MacProcess] => [one.pid, one]));
    return applications.map((application) => {
      const process = byPid.get(application.pid);
      return {
        application,
        bundleId: process?.bundleId || application.name,
        name: process?.name || application.name,
        processId: application.pid,
        isHidden: process?.hidden ?? false,
      };
    });
  }

  #launched({ processId, name }: Listed, wasAlreadyRunning: boolean, word: string): LaunchResult {
    this.#words.set(processId, new Set([...this.#words.get(processId) ?? [], word]));
    return { processId, applicationName: name, wasAlreadyRunning };
  }

  /** Read once: what is installed meanwhile is found by its path. */
  #catalogue(): ApplicationCatalogue {
    return this.#installed ??= new ApplicationCatalogue({}, this.#system.installed());
  }

  /** By bundle id, by name, by the name or the path of its folder. */
  #find(wanted: string): CatalogueApplication {
    const catalogue = this.#catalogue();
    if (isAbsolute(wanted)) {
      const placed = this.at(wanted);
      if (placed !== undefined) return placed;
      throw new BackstepError("app_not_found", `Application not found: ${wanted.slice(0, 200)}`, {
        hint: "No bundle with a readable Contents/Info.plist lies there.",
      });
    }
    const lower = wanted.replace(/\.app$/, "").toLowerCase();
    const byFolder = catalogue.applications.filter((one) =>
      basename(folderOf(one), ".app").toLowerCase() === lower
    );
    return (byFolder.length === 1 ? byFolder[0] : undefined) ?? catalogue.find(wanted);
  }
}

/** The folder "….app", with which its command ends. */
function folderOf({ command }: CatalogueApplication): string {
  return command.at(-1) ?? "";
}

/** What runs under a bundle id, a name, or the words that it was launched by. */
function called(
  all: readonly Listed[],
  wanted: string,
  words: ReadonlyMap<number, ReadonlySet<string>>,
): Listed[] {
  const lower = wanted.toLowerCase();
  return all.filter((one) =>
    [one.bundleId, one.name, one.application.name, ...words.get(one.processId) ?? []].some((name) =>
      name.toLowerCase() === lower
    )
  );
}

function blocked({ name }: Listed, says: string, buttons: readonly string[]): BackstepError {
  const asks = buttons.length === 0 ? says : `${says} (${buttons.join(", ")})`;
  return new BackstepError("quit_blocked", `Cannot quit ${name}: ${asks}`, {
    hint: "Answer the question, or say what is to become of unsaved work: unsaved: discard",
    details: { buttons: [...buttons] },
  });
}
