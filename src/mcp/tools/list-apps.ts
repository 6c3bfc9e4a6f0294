import type { Json } from "../../base/error.ts";
import type { McpCall } from "../call.ts";
import type { Tool } from "../tool.ts";
import { DEFINITIONS } from "./definitions/mod.ts";
import { asList, asMap, look } from "./form.ts";

/** What runs, and what of it is connected. */
export const listApps: Tool = {
  toolset: "connect",
  definition: DEFINITIONS.ax_list_apps,
  async run(args, call) {
    const { result } = await look("ax_list_apps", args, call);
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
  },
};

/** What runs and has a user interface, as the launch control lists it. */
export const listApplications: Tool = {
  toolset: "launch",
  definition: DEFINITIONS.list_applications,
  async run(args, call) {
    const { result } = await look("list_applications", args, call);
    const applications = asList(result["applications"]).map(asMap).filter((app) =>
      isAllowed(app["name"], app["bundleId"], app["processId"], call)
    );
    return { structured: { applications }, log: { count: applications.length } };
  },
};

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
