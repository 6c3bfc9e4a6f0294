import { closest } from "../base/closest.ts";
import { BackstepError } from "../base/error.ts";
import type { Context } from "../contract/operation.ts";
import type { Application } from "../desktop/desktop.ts";

/**
 * The running application meant by a name, a desktop entry's id, or a process id; without one the context's default, or
 * the only one that runs, or the one whose window is active. Errors: `app_not_running`, `ambiguous`; both list what runs.
 */
export async function applicationFor(context: Context, wanted: string | undefined): Promise<Application> {
  const running = await context.desktop.applications(context.deadline.call());
  const name = wanted ?? context.app;
  if (name === undefined) return await theOneMeant(context, running);
  const found = named(running, name);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const names = running.map((a) => a.name);
  if (found.length > 1) {
    throw new BackstepError(
      "ambiguous",
      `Cannot tell which application is meant by ${JSON.stringify(name)}`,
      {
        hint: "Give its process id.",
        details: { applications: found.map(brief) },
      },
    );
  }
  const near = closest(name, [...names, ...running.flatMap((a) => a.id ?? [])]);
  throw new BackstepError(
    "app_not_running",
    `Cannot use application ${JSON.stringify(name)}: it is not running`,
    {
      hint: near.length > 0
        ? `Did you mean ${near.join(" or ")}?`
        : "Launch it first; `backstep apps` lists what runs.",
      details: { running: names.slice(0, 20), near },
    },
  );
}

/** Exact before case-insensitive before a part of the name; ids also by their last part. */
function named(running: readonly Application[], name: string): readonly Application[] {
  const lower = name.toLowerCase();
  const tests: readonly ((a: Application) => boolean)[] = [
    (a) => a.id === name || a.name === name || String(a.pid) === name,
    (a) => a.id?.toLowerCase() === lower || a.name.toLowerCase() === lower,
    (a) =>
      a.id?.toLowerCase().split(".").at(-1) === lower || lower.split(".").at(-1) === a.name.toLowerCase(),
    (a) => a.name.toLowerCase().includes(lower),
  ];
  for (const test of tests) {
    const found = running.filter(test);
    if (found.length > 0) return found;
  }
  return [];
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
