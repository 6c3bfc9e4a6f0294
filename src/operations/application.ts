import { basename, isAbsolute } from "node:path";
import { BackstepError } from "../base/error.ts";
import type { Context } from "../contract/operation.ts";
import type { Application } from "../desktop/desktop.ts";
import { pick } from "../desktop/locator/application.ts";
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
  const running = await context.desktop.applications(context.deadline.call());
  if (name === undefined) return await theOneMeant(context, running);
  try {
    return pick(name, running);
  } catch (thrown) {
    const launched = await launchedAs(context, name, running);
    if (launched === undefined) throw thrown;
    return launched;
  }
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
