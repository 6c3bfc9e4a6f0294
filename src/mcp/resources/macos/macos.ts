import { BackstepError, type Json } from "../../../base/error.ts";
import type { McpCall } from "../../server/call.ts";
import type { ResourceContents, ResourceProvider, TemplateDefinition } from "../../server/resource.ts";
import { noSuch } from "../axterminator/address.ts";
import { type MacosAddress, type Paging, parseMacos } from "./address.ts";
import { applicationNames, namedApplications } from "./applications.ts";
import { menusOf } from "./menus.ts";
import { completePath, uiOf } from "./ui.ts";
import { windowsOf } from "./windows.ts";
import { firstPage, nextPage } from "../axterminator/page.ts";
import { deadlineOf } from "../axterminator/view.ts";

const JSON_TYPE = {
  mimeType: "application/json",
  annotations: { audience: ["assistant"], priority: 0.5 },
} as const;

const TEMPLATES: readonly TemplateDefinition[] = [
  {
    uriTemplate: "macos://ui/{path}",
    name: "ui-element",
    title: "Element and What Is Below It",
    description:
      'The tree below the element at a path such as AXApplication[@bundleIdentifier="org.gnome.gedit"]/AXWindow. ' +
      "?maxDepth=10 levels; ?interactable=true for a list of what can be acted on, ?limit=100 of them.",
    ...JSON_TYPE,
  },
  {
    uriTemplate: "macos://applications/{bundleId}/menus",
    name: "application-menus",
    title: "Menus of an Application",
    description:
      "The menus of its menu bar with their items. ?menuTitle=File for the items of one menu, ?includeSubmenus=true for " +
      "the items of menus in menus.",
    ...JSON_TYPE,
  },
  {
    uriTemplate: "macos://applications/{bundleId}/windows",
    name: "application-windows",
    title: "Windows of an Application",
    description:
      "Its windows with title, id, path, place and size. ?includeMinimized=false leaves minimised ones out.",
    ...JSON_TYPE,
  },
];

/** The `macos://` resources: what runs, its windows and menus, and elements by their paths. */
export const macos: ResourceProvider = {
  resources: [{
    uri: "macos://applications",
    name: "applications",
    title: "Applications That Run",
    description: "What runs and has a window: ids, and what people call it.",
    ...JSON_TYPE,
  }],
  templates: TEMPLATES,
  async read(uri, call) {
    const address = parseMacos(uri);
    return address === undefined ? undefined : [await read(uri, address, call)];
  },
  async complete(uriTemplate, variable, value, _filled, call) {
    if (!TEMPLATES.some((one) => one.uriTemplate === uriTemplate && uriTemplate.includes(`{${variable}}`))) {
      return [];
    }
    const deadline = deadlineOf(call);
    if (variable === "path") return await completePath(value, call, deadline);
    const typed = value.toLowerCase();
    return (await namedApplications(call, deadline)).map(({ bundleId }) => bundleId)
      .filter((id) => id.toLowerCase().startsWith(typed));
  },
};

async function read(uri: string, address: MacosAddress & Paging, call: McpCall): Promise<ResourceContents> {
  if (address.cursor !== undefined) return nextPage(call.session, address.address, address.cursor);
  const { session } = call;
  try {
    const page = firstPage(session, address.address, await documentOf(uri, address, call));
    return { ...page, uri };
  } catch (thrown) {
    if (!(thrown instanceof BackstepError) || thrown.code !== "app_gone") throw thrown;
    throw noSuch(uri, "its application has ended");
  }
}

async function documentOf(uri: string, address: MacosAddress, call: McpCall): Promise<Json> {
  const deadline = deadlineOf(call);
  switch (address.what) {
    case "applications":
      return await applicationNames(call, deadline);
    case "menus":
      return await menusOf(address, uri, call, deadline);
    case "windows":
      return await windowsOf(address, uri, call, deadline);
    case "ui":
      return await uiOf(address, uri, call, deadline);
  }
}
