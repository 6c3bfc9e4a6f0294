import { basename } from "node:path";
import type { Deadline } from "../base/call.ts";
import type { Application, Desktop, Window } from "../desktop/desktop.ts";
import type { ApplicationCatalogue, CatalogueApplication } from "./app-catalogue.ts";
import { LAUNCH_MARKER } from "./environment.ts";
import { inaccessible } from "./inaccessible.ts";
import { commandLineOf, environmentOf, executableOf } from "./processes.ts";
import type { RunningApplication } from "./session.ts";
import { showsWindow } from "./windows-of.ts";

/** A running application with the windows it shows and the id it is known by. */
export interface Running extends RunningApplication {
  /** Without a tree: see `inaccessible`. */
  readonly application: Application;
  /** Managed top-level windows, bottom to top; empty where the desktop knows no windows. */
  readonly windows: readonly Window[];
}

/**
 * The applications that have a window, each with its id, whether they have an accessibility tree or not. What runs in the
 * background without any is left out.
 */
export async function runningApplications(
  desktop: Desktop,
  catalogue: ApplicationCatalogue,
  deadline: Deadline,
): Promise<Running[]> {
  const [applications, windows] = await Promise.all([
    desktop.applications(deadline.call()),
    desktop.capabilities.windows ? desktop.windows(deadline.call()) : [],
  ]);
  const existing = new Set(applications.map(({ pid }) => pid));
  const others = windows.filter(({ pid, popup }) => !popup && pid !== 0 && !existing.has(pid));
  const unreported = [...new Map(others.map(({ pid, title }) => [pid, inaccessible(pid, title)])).values()];
  const found = await Promise.all(
    [...applications, ...unreported].map(async (application): Promise<Running | undefined> => {
      const own = windows.filter((window) => window.pid === application.pid && !window.popup);
      // Some windows do not name their process: then the tree decides.
      if (own.length === 0 && !await showsWindow(desktop, application, deadline)) return undefined;
      const entry = identifyApplication(application.pid, catalogue);
      return {
        application,
        windows: own,
        bundleId: entry?.id ?? (application.id || application.name),
        name: entry?.entry?.name ?? (application.name || entry?.name || `process ${application.pid}`),
        processId: application.pid,
        isHidden: own.length > 0 && own.every((window) => window.minimised),
      };
    }),
  );
  return found.filter((one) => one !== undefined);
}

/**
 * Which application of the catalogue a process is: by the program it runs, and where several entries share that one
 * (or it runs in an interpreter), by what it was launched as.
 */
export function identifyApplication(
  pid: number,
  catalogue: ApplicationCatalogue,
): CatalogueApplication | undefined {
  const launchedAs = environmentOf(pid, LAUNCH_MARKER)?.replace(/^\S+ /, "");
  const launched = catalogue.applications.find((one) => one.id === launchedAs);
  const programs = programsOf(pid);
  if (launched !== undefined && programs.includes(launched.executable)) return launched;
  for (const program of programs) {
    const existing = catalogue.ofProgram(program);
    if (existing !== undefined) return existing;
  }
  // A program without an entry is known by its own name, also one that was started by it under another.
  return launched ?? programOnly(programs);
}

function programOnly(programs: readonly string[]): CatalogueApplication | undefined {
  const executable = programs[0];
  if (executable === undefined) return undefined;
  return { id: executable, name: executable, executable, entry: undefined, command: [executable] };
}

const INTERPRETERS = /^(python|perl|ruby|node|deno|bash|dash|sh|gjs|gjs-console|java|mono)[\d.]*$/;

/** The names a process may be known by, best first. A script is never known by its interpreter, which may have an entry too. */
function programsOf(pid: number): string[] {
  const [zero = "", ...rest] = commandLineOf(pid);
  const executable = basename(executableOf(pid) ?? "");
  const names = [basename(zero), executable];
  const script = INTERPRETERS.test(executable) ? rest.find((arg) => !arg.startsWith("-")) : undefined;
  if (script !== undefined) return [basename(script)];
  return [...new Set(names.filter((name) => name !== ""))];
}
