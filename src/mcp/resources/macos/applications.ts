import type { Deadline } from "../../../base/call.ts";
import { BackstepError } from "../../../base/error.ts";
import { isCalled } from "../../../desktop/called.ts";
import type { Application } from "../../../desktop/desktop.ts";
import { pick } from "../../../desktop/locator/application.ts";
import type { RunningApplication } from "../../../session/session.ts";
import type { McpCall } from "../../server/call.ts";
import { ToolFailure } from "../../server/failure.ts";
import { refuseBlocked } from "../../session/with-app.ts";
import { noSuch } from "../axterminator/address.ts";
import { invalid } from "./address.ts";

/** An application that may be seen, by the id that addresses name it by. */
export interface Named {
  /** Id of its desktop entry where it answers to that, else its program. */
  readonly bundleId: string;
  /** Id of its desktop entry, as `list_applications` tells it, whether it answers to that or not. */
  readonly entryId?: string;
  /** What people call it. */
  readonly name: string;
  readonly application: Application;
}

/** Every application with a window that may be seen. */
export async function namedApplications(call: McpCall, deadline: Deadline): Promise<readonly Named[]> {
  const { session } = call;
  const { desktop, launcher } = session.host.desktop;
  const [running, entries] = await Promise.all([
    desktop.applications(deadline.call()),
    launcher.list(deadline.call()),
  ]);
  return running.filter((application) => isSeen(call, application, entryOf(application, entries)))
    .map((application) => named(application, running, entryOf(application, entries)));
}

function entryOf(
  { pid }: Application,
  entries: readonly RunningApplication[],
): RunningApplication | undefined {
  return entries.find(({ processId }) => processId === pid);
}

/** The first of its ids that it answers to, and no other application. */
function named(
  application: Application,
  running: readonly Application[],
  entry: RunningApplication | undefined,
): Named {
  const ids = [entry?.bundleId, application.id, application.name].filter((id) => id !== undefined);
  const own = ids.find((id) => {
    const called = running.filter((other) => isCalled(other, id));
    return called.length === 1 && called[0] === application;
  });
  return {
    bundleId: own ?? String(application.pid),
    ...(entry === undefined ? {} : { entryId: entry.bundleId }),
    name: entry?.name ?? application.name,
    application,
  };
}

function isSeen(
  { session }: McpCall,
  application: Application,
  entry: RunningApplication | undefined,
): boolean {
  try {
    refuseBlocked(session, {
      appName: entry?.name ?? application.name,
      application,
      ...(entry === undefined ? {} : { bundleId: entry.bundleId }),
    });
    refuseBlocked(session, { appName: application.name, application });
    return true;
  } catch (thrown) {
    if (thrown instanceof ToolFailure) return false;
    throw thrown;
  }
}

/** The application that an address names. Throws -32002 where none runs, or none that may be seen, -32602 where several fit. */
export async function applicationNamed(
  bundleId: string,
  uri: string,
  call: McpCall,
  deadline: Deadline,
): Promise<Named> {
  const all = await namedApplications(call, deadline);
  const wanted = bundleId.toLowerCase();
  const exact = all.find((one) => one.bundleId.toLowerCase() === wanted) ??
    only(all.filter((one) => one.entryId?.toLowerCase() === wanted)) ??
    only(all.filter((one) => one.name.toLowerCase() === wanted));
  if (exact !== undefined) return exact;
  try {
    const application = pick(bundleId, all.map((one) => one.application));
    const found = all.find((one) => one.application === application);
    if (found !== undefined) return found;
  } catch (thrown) {
    if (!(thrown instanceof BackstepError)) throw thrown;
    if (thrown.code === "ambiguous") throw invalid(uri, thrown.message);
    if (thrown.code !== "app_not_running") throw thrown;
  }
  throw noSuch(uri, `no application "${bundleId.slice(0, 200)}" runs`, {
    bundleId: bundleId.slice(0, 200),
    running: all.slice(0, 20).map((one) => one.bundleId),
  });
}

function only<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}

/** `macos://applications`: ids and what people call them. */
export async function applicationNames(
  call: McpCall,
  deadline: Deadline,
): Promise<{ [bundleId: string]: string }> {
  const { desktop: { launcher } } = call.session.host;
  const [all, shown] = await Promise.all([namedApplications(call, deadline), launcher.list(deadline.call())]);
  const windows = new Set(shown.map(({ processId }) => processId));
  return Object.fromEntries(
    all.filter(({ application }) => windows.has(application.pid)).map((
      { bundleId, name },
    ) => [bundleId, name]),
  );
}
