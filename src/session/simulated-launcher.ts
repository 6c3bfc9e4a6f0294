import { type Call, Deadline } from "../base/call.ts";
import { BackstepError, toBackstepError } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import type { Application } from "../desktop/desktop.ts";
import type { SimulatedDesktop } from "../desktop/simulated/simulated-desktop.ts";
import { blockedBy, notRunning } from "./quit.ts";
import type {
  CatalogueEntry,
  Launcher,
  LaunchOptions,
  LaunchResult,
  QuitOptions,
  QuitResult,
  RunningApplication,
} from "./session.ts";
import { answerUnsaved } from "./unsaved.ts";
import { openDialogs } from "./windows-of.ts";

/** Milliseconds for what waits on a simulated desktop. */
const WAIT = 5_000;

/** Starts, ends and lists the applications of a simulated desktop, with the results and errors of the real ones. */
export class SimulatedLauncher implements Launcher {
  readonly #desktop: SimulatedDesktop;

  constructor(desktop: SimulatedDesktop) {
    this.#desktop = desktop;
  }

  catalogue(): Promise<readonly CatalogueEntry[]> {
    return Promise.resolve(this.#desktop.catalogue().map(({ id, name }) => ({ id, name, executable: id })));
  }

  async launch(wanted: string, options?: LaunchOptions): Promise<LaunchResult> {
    const deadline = Deadline.of(options, WAIT);
    const id = this.#idOf(wanted);
    const variables = Object.keys(options?.environment ?? {}).length > 0;
    if (options?.args?.length || variables) {
      throw new BackstepError(
        "unsupported",
        `Cannot launch ${id}: simulated applications take no ${variables ? "environment" : "arguments"}`,
        {
          hint:
            "Leave the arguments, files and variables out, or launch a real application on a private desktop.",
        },
      );
    }
    const running = await this.#desktop.applications(deadline.call());
    const wasAlreadyRunning = running.some((one) => one.id === id);
    let application: Application;
    try {
      application = this.#desktop.launch(id);
    } catch (thrown) {
      const { code, hint, details } = toBackstepError(thrown);
      if (code !== "app_not_found") throw thrown;
      throw new BackstepError("app_not_found", `Application not found: ${wanted.slice(0, 200)}`, {
        cause: thrown,
        ...defined({ hint, details }),
      });
    }
    return { processId: application.pid, applicationName: application.name, wasAlreadyRunning };
  }

  async quit(wanted: string, options?: QuitOptions): Promise<QuitResult> {
    const deadline = Deadline.of(options, WAIT);
    const running = await this.#desktop.applications(deadline.call());
    const id = this.#idOf(wanted);
    const application = running.find((one) => one.id === id);
    if (application === undefined) {
      throw notRunning(wanted, running.map((one) => one.id ?? one.name));
    }
    try {
      this.#desktop.quit(id);
    } catch (thrown) {
      if (toBackstepError(thrown).code !== "quit_blocked") throw thrown;
      const answer = await answerUnsaved(this.#desktop, application, options?.unsaved ?? "fail", deadline);
      const [dialog] = await openDialogs(this.#desktop, application, deadline);
      if (dialog !== undefined) throw blockedBy(id, dialog, options?.unsaved);
      if (answer === undefined) throw thrown;
    }
    return { applicationName: application.name };
  }

  async list(call?: Call): Promise<readonly RunningApplication[]> {
    const deadline = Deadline.of(call, WAIT);
    const applications = await this.#desktop.applications(deadline.call());
    const windows = (await this.#desktop.windows(deadline.call())).filter((window) => !window.popup);
    return applications.map((one) => ({ one, own: windows.filter((window) => window.pid === one.pid) }))
      .filter(({ own }) => own.length > 0)
      .map(({ one, own }) => ({
        bundleId: one.id ?? one.name,
        name: one.name,
        processId: one.pid,
        isHidden: own.every((window) => window.minimised),
      }));
  }

  /** The id behind an id or a name in any case; what is unknown stays what it is. */
  #idOf(wanted: string): string {
    const lower = wanted.trim().toLowerCase();
    if (lower === "") throw new BackstepError("invalid", "Invalid parameter: the application's id is empty");
    const all = this.#desktop.catalogue();
    const found = all.find((one) => one.id.toLowerCase() === lower) ??
      all.find((one) => one.name.toLowerCase() === lower);
    return found?.id ?? wanted.trim();
  }
}
