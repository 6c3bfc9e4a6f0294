import { BackstepError } from "../base/error.ts";
import type { Context } from "../contract/operation.ts";
import type { Application } from "../desktop/desktop.ts";
import { pick } from "../desktop/locator/application.ts";

/**
 * The running application meant by a name, a desktop entry's id, or a process id; without one the context's default, or
 * the only one that runs, or the one whose window is active. Errors: `app_not_running`, `ambiguous`; both list what runs.
 */
export async function applicationFor(context: Context, wanted: string | undefined): Promise<Application> {
  const running = await context.desktop.applications(context.deadline.call());
  const name = wanted ?? context.app;
  if (name === undefined) return await theOneMeant(context, running);
  return pick(name, running);
}

async function theOneMeant(context: Context, running: readonly Application[]): Promise<Application> {
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
