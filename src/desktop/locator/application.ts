import { type Call, Deadline } from "../../base/call.ts";
import { closest } from "../../base/closest.ts";
import { BackstepError, toBackstepError } from "../../base/error.ts";
import { nameFits, withoutSuffix } from "../called.ts";
import { cut } from "../describe.ts";
import type { Desktop } from "../desktop.ts";
import type { Application } from "../element.ts";
import { attempts } from "./waiting.ts";

/** Milliseconds that reading the list of applications may take by default. */
const LIST_TIMEOUT = 5_000;
/** Milliseconds an application has to appear by default. */
const APPEAR_TIMEOUT = 10_000;
const LISTED = 10;

/** The ways to name a running application, the surest first; the first way that finds any answers. */
const WAYS: readonly ((application: Application, query: string) => boolean)[] = [
  (application, query) => application.bus === query,
  (application, query) => /^\d+$/.test(query) && application.pid === Number(query),
  (application, query) =>
    application.id !== undefined && withoutSuffix(application.id) === withoutSuffix(query),
  (application, query) => application.name === query,
  (application, query) => application.name.toLowerCase() === query.toLowerCase(),
  (application, query) =>
    application.id === undefined && /^[\w-]+(\.[\w-]+){2,}$/.test(withoutSuffix(query)) &&
    nameFits(application.name, withoutSuffix(query)),
];

/**
 * The running application that a query names: by bus name, pid, desktop id, exact name, name whatever the case, or the
 * id its name is made of. Throws `app_not_running` with those that run, or `ambiguous` with those that fit.
 */
export async function findApplication(
  desktop: Desktop,
  query: string,
  call: Call = {},
): Promise<Application> {
  const deadline = Deadline.of(call, LIST_TIMEOUT);
  return pick(query, await desktop.applications(deadline.call()));
}

/** As `findApplication`, over a list that is there already. */
export function pick(query: string, running: readonly Application[]): Application {
  const wanted = query.trim();
  for (const way of WAYS) {
    const [first, ...more] = running.filter((application) => way(application, wanted));
    if (first === undefined) continue;
    if (more.length === 0) return first;
    const all = [first, ...more];
    throw new BackstepError(
      "ambiguous",
      `Cannot tell which application "${cut(query, 80)}" is: ${all.length} fit: ${
        all.slice(0, LISTED).map(shown).join(", ")
      }`,
      {
        hint: "Use its process id.",
        details: { query: cut(query, 200), applications: all.slice(0, LISTED).map(json) },
      },
    );
  }
  const names = running.flatMap((
    application,
  ) => [application.name, ...(application.id ? [application.id] : [])]);
  const near = closest(wanted, new Set(names));
  const list = running.slice(0, LISTED).map(shown).join(", ");
  const more = running.length > LISTED ? ` and ${running.length - LISTED} more` : "";
  const silent = running.filter((application) => application.silent === true);
  throw new BackstepError(
    "app_not_running",
    `Cannot find the application "${cut(query, 80)}": ${
      running.length === 0 ? "none is running" : `running are ${list}${more}`
    }`,
    {
      hint: near.length > 0
        ? `Did you mean ${near.map((name) => `"${name}"`).join(" or ")}?`
        : silent.length > 0
        ? "It may be the one that does not answer: it is busy, or a dialog that was opened by an accessible action " +
          "keeps it from that. Close that dialog with the pointer (click_at) or its window (window: close)."
        : "Launch it first, and check that accessibility is switched on in it.",
      details: {
        query: cut(query, 200),
        nearest: near,
        running: running.slice(0, LISTED).map(json),
        ...(silent.length > 0 ? { silent: silent.slice(0, LISTED).map(({ pid }) => pid) } : {}),
      },
    },
  );
}

/** Waits until the application runs: on events of any application, and once a second regardless. */
export async function waitForApplication(
  desktop: Desktop,
  query: string,
  call: Call = {},
): Promise<Application> {
  const deadline = Deadline.of(call, APPEAR_TIMEOUT);
  return await attempts<Application, BackstepError>(
    desktop,
    undefined,
    deadline,
    `wait for "${query}"`,
    async () => {
      try {
        return { value: await findApplication(desktop, query, deadline.call()) };
      } catch (thrown) {
        const error = toBackstepError(thrown);
        if (error.code !== "app_not_running") throw thrown;
        return { failed: error };
      }
    },
    (error) => error,
  );
}

function shown({ name, pid, silent }: Application): string {
  const who = name === "" ? `process ${pid}` : `${cut(name, 60)} (${pid})`;
  return silent === true ? `${who}, which does not answer` : who;
}

function json(application: Application): { name: string; pid: number; id: string | null } {
  return { name: cut(application.name, 80), pid: application.pid, id: application.id ?? null };
}
