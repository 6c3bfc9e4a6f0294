import { basename, isAbsolute } from "node:path";
import { BackstepError } from "../base/error.ts";
import type { Context } from "../contract/operation.ts";
import type { Application } from "../desktop/desktop.ts";
import { pick } from "../desktop/locator/application.ts";
import { inaccessible, noTree } from "../session/inaccessible.ts";
import type { RunningApplication } from "../session/session.ts";

/** What finding an application takes of a context. */
export type Where = Pick<Context, "session" | "desktop" | "deadline" | "app" | "held">;

/**
 * The running application meant by a name, a desktop entry's id, or a process id; without one the context's default, or
 * the only one that runs, or the one whose window is active. Errors: `app_not_running`, `ambiguous`; both list what runs.
 */
export async function applicationFor(context: Where, wanted: string | undefined): Promise<Application> {
  const name = wanted ?? context.app;
  const held = name === undefined ? undefined : context.held?.(name);
  if (held !== undefined) return held;
  const recent = name === undefined ? undefined : await amongRecent(context, name);
  if (recent !== undefined) return recent;
  const running = await context.desktop.applications(context.deadline.call());
  if (name === undefined) return await theOneMeant(context, running);
  const found = await named(context, name, running);
  if ("application" in found) return found.application;
  const bare = await withoutTree(context, name, running);
  throw bare === undefined ? found.thrown : noTree(bare.name);
}

/** The one meant of those that were listed a moment ago, and nothing was sent since; undefined: a new list has to tell. */
async function amongRecent({ desktop, deadline }: Where, name: string): Promise<Application | undefined> {
  const listed = await desktop.applications({ ...deadline.call(), recent: true });
  try {
    return pick(name, listed);
  } catch (thrown) {
    if (thrown instanceof BackstepError) return undefined;
    throw thrown;
  }
}

/** The application with a tree that a name or the word of a launch means; else why there is none. */
async function named(
  context: Where,
  name: string,
  running: readonly Application[],
): Promise<{ readonly application: Application } | { readonly thrown: unknown }> {
  try {
    return { application: pick(name, running) };
  } catch (thrown) {
    const application = await launchedAs(context, name, running);
    return application === undefined ? { thrown } : { application };
  }
}

/**
 * The application whose windows are meant, or their keys: as `applicationFor`, and one without an accessibility tree too, which has a window
 * that can be raised and no elements. Without a name it is that of the window in front.
 */
export async function windowOwnerFor(context: Where, wanted: string | undefined): Promise<Application> {
  const name = wanted ?? context.app;
  if (name !== undefined && context.held?.(name) !== undefined) return await applicationFor(context, wanted);
  const running = await context.desktop.applications(context.deadline.call());
  const found = name === undefined ? undefined : await named(context, name, running);
  // A window without a tree may be called as an application with one is, which is meant then.
  if (found !== undefined && "application" in found) return found.application;
  const bare = await withoutTree(context, name, running);
  if (bare === undefined) return await applicationFor(context, wanted);
  return inaccessible(bare.processId, bare.name);
}

/** What has a window and no tree: under this name, or without one in front; undefined: there is none. */
async function withoutTree(
  { session, desktop, deadline }: Where,
  name: string | undefined,
  running: readonly Application[],
): Promise<RunningApplication | undefined> {
  if (!desktop.capabilities.windows) return undefined;
  const isRunning = (one: number) => running.some(({ pid }) => pid === one);
  const windows = await desktop.windows(deadline.call());
  if (!windows.some(({ pid, popup }) => !popup && pid !== 0 && !isRunning(pid))) return undefined;
  const entries = (await session.launcher.list(deadline.call()))
    .filter(({ processId }) => !isRunning(processId));
  if (name === undefined) {
    const active = windows.find((window) => window.active);
    return entries.find(({ processId }) => processId === active?.pid);
  }
  const catalogue = await session.launcher.catalogue();
  const lower = (text: string) => text.trim().toLowerCase().replace(/\.desktop$/, "");
  const meant = entries.filter(({ bundleId, name: called, processId, words = [] }) => {
    const programs = catalogue.filter(({ id }) => id === bundleId).map(({ executable }) =>
      basename(executable)
    );
    return [bundleId, called, String(processId), ...words, ...programs].some((one) =>
      lower(one) === lower(name)
    );
  });
  return meant.length === 1 ? meant[0] : undefined;
}

/**
 * Applications call themselves otherwise than their desktop entries do: "Widget Factory" is "gtk3-widget-factory", and a
 * script "python3". What was launched is found by the word that launched it; a path means its program.
 */
async function launchedAs(
  context: Where,
  name: string,
  running: readonly Application[],
): Promise<Application | undefined> {
  const { launcher } = context.session;
  const lower = (text: string) => text.trim().toLowerCase().replace(/\.desktop$/, "");
  const wanted = lower(isAbsolute(name) ? basename(name) : name);
  const entries = await launcher.list(context.deadline.call());
  const unique = (meant: readonly RunningApplication[]) => {
    const found = running.filter((a) => meant.some((e) => e.processId === a.pid));
    return found.length === 1 ? found[0] : undefined;
  };
  const launched = unique(
    entries.filter(({ words = [] }) => words.some((word) => lower(word) === lower(name))),
  );
  if (launched !== undefined) return launched;
  const named = entries.filter((e) => lower(e.bundleId) === wanted || lower(e.name) === wanted);
  if (named.length > 0) return unique(named);
  const ids = (await launcher.catalogue())
    .filter((one) => [one.id, one.name, one.executable].some((word) => lower(word) === wanted))
    .map(({ id }) => id);
  return unique(entries.filter(({ bundleId }) => ids.includes(bundleId)));
}

async function theOneMeant(context: Where, running: readonly Application[]): Promise<Application> {
  const [only] = running;
  if (only !== undefined && running.length === 1) return only;
  if (context.desktop.capabilities.windows) {
    const windows = await context.desktop.windows(context.deadline.call());
    const active = windows.find((w) => w.active);
    const application = active && running.find((a) => a.pid === active.pid);
    if (application) return application;
  }
  throw new BackstepError(
    running.length === 0 ? "app_not_running" : "ambiguous",
    running.length === 0
      ? "Cannot find an application: none is running"
      : `Cannot tell which application is meant: ${running.length} are running`,
    {
      hint: running.length === 0 ? "Launch one first." : "Say which with `app`.",
      details: { applications: running.slice(0, 20).map(brief) },
    },
  );
}

function brief({ name, pid, id }: Application): { name: string; pid: number; id: string | null } {
  return { name, pid, id: id ?? null };
}
