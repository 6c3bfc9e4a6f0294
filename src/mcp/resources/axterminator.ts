import { BackstepError, type Json } from "../../base/error.ts";
import type { McpCall } from "../server/call.ts";
import type { ResourceContents, ResourceDefinition, ResourceProvider } from "../server/resource.ts";
import { DATA_NOTE } from "../server/untrusted.ts";
import { type Address, noSuch, parseAddress } from "./axterminator/address.ts";
import { appsOf } from "./axterminator/apps.ts";
import { clipboardOf } from "./axterminator/clipboard.ts";
import { completed } from "./completions.ts";
import { RESOURCES, TEMPLATES } from "./definitions.ts";
import type { Insight } from "./axterminator/insight.ts";
import { type LiveResources, liveResourcesOf } from "./subscriptions/live-resources.ts";
import { firstPage, nextPage } from "./axterminator/page.ts";
import { base64, pictureOf } from "./axterminator/screenshot.ts";
import { stateOf } from "./axterminator/state.ts";
import { statusOf } from "./axterminator/status.ts";
import { REAL_TIMERS, type Timers } from "./subscriptions/timers.ts";
import { treeOf } from "./axterminator/tree.ts";
import { blockedBy, connectionOf, deadlineOf } from "./axterminator/view.ts";
import { type Vision, visionOf } from "./axterminator/vision.ts";
import { watched } from "./subscriptions/watching.ts";

/** What the family is given beside the desktop. */
export interface AxterminatorOptions {
  /** Default: patterns and suggestions are left out, and every application that answers is idle. */
  readonly insight?: Insight;
  /** Default: as the environment and the client have it. */
  readonly vision?: (call: McpCall) => Vision;
  /** The time that subscriptions go by; default: the machine's. */
  readonly timers?: Timers;
}

/** The `axterminator://` resources: what runs, and what the connected applications show. */
export function axterminator(options: AxterminatorOptions = {}): ResourceProvider {
  const attended = (call: McpCall): LiveResources => {
    const { session } = call;
    const live = liveResourcesOf(session.host, options.timers ?? REAL_TIMERS, options.insight);
    live.attend(session);
    return live;
  };
  return {
    resources: RESOURCES,
    templates: TEMPLATES,
    listed(call) {
      attended(call);
      return Promise.resolve(listed(call));
    },
    async read(uri, call) {
      const address = parseAddress(uri);
      return address === undefined ? undefined : [await read(uri, address, call, attended(call), options)];
    },
    async watch(uri, call, changed) {
      const address = parseAddress(uri);
      return address === undefined ? undefined : await watched(uri, address, call, attended(call), changed);
    },
    complete: (template, variable, value, filled, call) =>
      completed({ template, variable, value, filled }, call),
  };
}

/** What connected applications have, in the order of their connection; windows are found by their numbers. */
function listed(call: McpCall): readonly ResourceDefinition[] {
  const { connections, host } = call.session;
  return connections.list.filter((one) => blockedBy(host, one) === undefined).flatMap((one) =>
    TEMPLATES.filter(({ uriTemplate }) => !uriTemplate.includes("{index}")).map(
      ({ uriTemplate, title, name, ...about }) => ({
        ...about,
        uri: uriTemplate.replace("{name}", encodeURIComponent(one.name)),
        name: `${name}: ${one.name}`,
        ...(title === undefined ? {} : { title: `${title}: ${one.name}` }),
      }),
    )
  );
}

async function read(
  uri: string,
  address: Address,
  call: McpCall,
  live: LiveResources,
  { insight, vision = visionOf }: AxterminatorOptions,
): Promise<ResourceContents> {
  const deadline = deadlineOf(call);
  const { host } = call.session;
  const { desktop } = host.desktop;
  if (address.what === "status") return json(uri, await statusOf(call, vision(call)));
  if (address.what === "apps") return json(uri, await appsOf(call, insight, deadline));
  if (address.what === "clipboard") return json(uri, await clipboardOf(desktop, deadline));
  const connection = connectionOf(address.app, uri, call);
  const { application } = connection;
  try {
    switch (address.what) {
      case "tree": {
        const { page, window } = address;
        if (page.cursor !== undefined) return nextPage(call.session, page.address, page.cursor);
        const tree = await treeOf(desktop, application, window, deadline);
        if (tree === undefined) throw noSuch(uri, `${connection.name} has no window ${window ?? 0}`);
        return firstPage(call.session, page.address, tree);
      }
      case "screenshot": {
        const picture = await pictureOf(desktop, application, deadline);
        if (picture === undefined) throw noSuch(uri, `${connection.name} shows no window`);
        return { uri, mimeType: "image/png", blob: base64(picture.png), _meta: { note: DATA_NOTE } };
      }
      case "state": {
        const state = await stateOf(
          { desktop, application, name: connection.appName, insight },
          "application",
          deadline,
        );
        return json(uri, { ...state });
      }
      case "events":
        return json(uri, await live.events(application, call.session));
    }
  } catch (error) {
    if (!(error instanceof BackstepError) || error.code !== "app_gone") throw error;
    call.session.connections.forget(application.pid);
    throw noSuch(uri, `${connection.name} has ended`, { name: connection.name });
  }
}

function json(uri: string, value: Json): ResourceContents {
  return { uri, mimeType: "application/json", text: JSON.stringify(value), _meta: { note: DATA_NOTE } };
}
