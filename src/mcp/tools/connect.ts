import { toBackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import { pick } from "../../desktop/locator/application.ts";
import { axConnect } from "../../tools/connect/connect.ts";
import { ToolFailure } from "../server/failure.ts";
import type { Candidate, McpCall } from "../server/call.ts";
import { refuseBlocked } from "../session/with-app.ts";
import { served } from "./serve.ts";

/** Milliseconds for the list of what runs. */
const LIST = 5_000;
/** Letters of a part of a name that is enough to find it by. */
const LEAST = 3;
/** Candidates that an answer names. */
const MOST = 10;

/** Connects to an application that runs, under every name that it has and an alias. */
export const connect = served(axConnect, async ({ app, alias: given }, call) => {
  const { session } = call;
  const query = String(app).trim();
  const alias = typeof given === "string" && given.trim() !== "" ? given.trim() : undefined;
  if (query === "") {
    throw new ToolFailure("InvalidValue", "Cannot connect: `app` is empty", {
      suggestion: "Name an application; list_applications tells which run.",
    });
  }
  const found = await theOne(query, call);
  refuseBlocked(session, found);
  const { application } = found;
  const connection = session.connections.connect(application, {
    appName: found.appName,
    ...defined({ bundleId: found.bundleId, alias }),
  });
  const { desktop } = session.host.desktop;
  const windows = desktop.capabilities.windows
    ? await desktop.windows({ timeout: LIST, signal: call.signal })
    : [];
  return {
    structured: {
      connected: true,
      app_name: connection.appName,
      pid: application.pid,
      ...defined({ bundle_id: connection.bundleId }),
      windows: windows.filter(({ pid, popup }) => pid === application.pid && !popup).length,
      ...defined({ alias }),
    },
    log: { found: true },
  };
});

async function theOne(query: string, call: McpCall): Promise<Candidate> {
  const running = await candidates(call);
  const { connections } = call.session;
  for (const { application } of connections.list) {
    if (!running.some((one) => one.application.bus === application.bus)) connections.forget(application.pid);
  }
  const existing = connections.find(query);
  const again = existing && running.find(({ application }) => application.bus === existing.application.bus);
  if (again) return again;
  const fits = fitting(query, running);
  const [only] = fits;
  if (only && fits.length === 1) return only;
  if (fits.length === 0) throw notRunning(query, running);
  const chosen = await call.session.host.resolveAmbiguity?.(query, fits, call);
  if (chosen) return chosen;
  throw new ToolFailure("InvalidValue", `"${query}" fits ${fits.length} applications`, {
    suggestion: `Call ax_connect with one of these process ids: ${
      fits.slice(0, MOST).map(({ appName, application }) => `${application.pid} (${appName})`).join(", ")
    }.`,
    data: { app: query, candidates: fits.slice(0, MOST).map(brief) },
  });
}

/** What runs, with the names that people know. */
async function candidates({ session, signal }: McpCall): Promise<Candidate[]> {
  const { desktop, launcher } = session.host.desktop;
  const call = { timeout: LIST, signal };
  const [running, entries] = await Promise.all([desktop.applications(call), launcher.list(call)]);
  return running.map((application) => {
    const entry = entries.find(({ processId }) => processId === application.pid);
    const bundleId = entry?.bundleId ?? application.id;
    return {
      application,
      appName: entry?.name ?? application.name,
      ...defined({ bundleId }),
    };
  });
}

/** Those that the query names exactly, else those whose name or id holds it. */
function fitting(query: string, running: readonly Candidate[]): readonly Candidate[] {
  const lower = query.toLowerCase();
  const named = running.filter(({ appName, bundleId }) =>
    appName.toLowerCase() === lower || bundleId?.toLowerCase() === lower
  );
  if (named.length > 0) return named;
  try {
    const found = pick(query, running.map(({ application }) => application));
    return running.filter(({ application }) => application === found);
  } catch (thrown) {
    const error = toBackstepError(thrown);
    if (error.code !== "app_not_running" && error.code !== "ambiguous") throw thrown;
  }
  if (/^\d+$/.test(query) || query.length < LEAST) return [];
  const holds = (text: string | undefined) => text?.toLowerCase().includes(lower) ?? false;
  return running.filter(({ appName, bundleId, application }) =>
    holds(appName) || holds(bundleId) || holds(application.name)
  );
}

function notRunning(query: string, running: readonly Candidate[]): ToolFailure {
  const some = running.slice(0, MOST).map(({ appName, application }) => `${appName} (${application.pid})`);
  return new ToolFailure("AppNotRunning", `App not running: "${query.slice(0, 80)}"`, {
    suggestion: some.length === 0
      ? "Nothing is running: start it with launch_application."
      : `Start it with launch_application, or connect to one that runs: ${some.join(", ")}.`,
    data: { app: query.slice(0, 200), running: running.slice(0, MOST).map(brief) },
  });
}

function brief({ appName, bundleId, application: { pid } }: Candidate) {
  return { name: appName, pid, ...defined({ bundle_id: bundleId }) };
}
