import { asList, asMap } from "../../base/json.ts";
import type { Json } from "../../base/error.ts";
import { axListApps } from "../../tools/connect/list-apps.ts";
import { listApplications as view } from "../../tools/launch/list-applications.ts";
import type { McpCall } from "../server/call.ts";
import { look } from "./look.ts";
import { served } from "./serve.ts";

/** What runs, and what of it is connected. */
export const listApps = served(axListApps, async (args, call) => {
  const { result } = await look(axListApps, args, call);
  const { connections } = call.session;
  const connected = new Set(connections.list.map(({ application }) => application.pid));
  const apps = asList(result["apps"]).map(asMap).filter((app) =>
    isAllowed(app["name"], app["bundle_id"], app["pid"], call)
  );
  return {
    structured: {
      apps: apps.map((app) => ({ ...app, connected: connected.has(Number(app["pid"])) })),
    },
    log: { count: apps.length },
  };
});

/** What runs and has a user interface, as the launch control lists it. */
export const listApplications = served(view, async (args, call) => {
  const { result } = await look(view, args, call);
  const applications = asList(result["applications"]).map(asMap).filter((app) =>
    isAllowed(app["name"], app["bundleId"], app["processId"], call)
  );
  return { structured: { applications }, log: { count: applications.length } };
});

/** What may not be seen is not listed. */
function isAllowed(
  name: Json | undefined,
  id: Json | undefined,
  pid: Json | undefined,
  { session }: McpCall,
): boolean {
  const identity = { name: String(name), pid: Number(pid), ...(typeof id === "string" ? { id } : {}) };
  return session.host.security.blocked(identity) === undefined;
}
