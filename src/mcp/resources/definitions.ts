import type { ResourceDefinition, TemplateDefinition } from "../server/resource.ts";

/** The addresses that are there whatever runs. */
export const RESOURCES: readonly ResourceDefinition[] = [
  {
    uri: "axterminator://system/status",
    name: "system-status",
    title: "System Accessibility Status",
    description:
      "Whether accessibility works here, which applications are connected, which vision model there is, the server's version and its security mode.",
    mimeType: "application/json",
    annotations: { audience: ["user", "assistant"], priority: 0.9 },
  },
  {
    uri: "axterminator://apps",
    name: "running-apps",
    title: "Running Applications",
    description:
      "Every running application that has a window: process id, id, whether it is connected, and of connected ones their state and the window that has the focus. Can be subscribed to: told when one starts or ends.",
    mimeType: "application/json",
    annotations: { audience: ["assistant"], priority: 0.7 },
  },
  {
    uri: "axterminator://clipboard",
    name: "clipboard",
    title: "System Clipboard",
    description: "The text on the clipboard. Can be subscribed to: told within a second of a change.",
    mimeType: "application/json",
    annotations: { audience: ["assistant"], priority: 0.3 },
  },
];

/** What there is to see of each connected application. */
export const TEMPLATES: readonly TemplateDefinition[] = [
  {
    uriTemplate: "axterminator://app/{name}/tree",
    name: "app-element-tree",
    title: "Application Element Tree",
    description:
      "The visible elements of a connected application as a tree: roles, titles, values, states, places. Above 100 KB it comes in pages, the upper levels first. Can be subscribed to.",
    mimeType: "application/json",
    annotations: { audience: ["assistant"], priority: 0.6 },
  },
  {
    uriTemplate: "axterminator://app/{name}/screenshot",
    name: "app-screenshot",
    title: "Application Screenshot",
    description: "A PNG picture of the front window of a connected application, as it looks now.",
    mimeType: "image/png",
    annotations: { audience: ["user", "assistant"], priority: 0.5 },
  },
  {
    uriTemplate: "axterminator://app/{name}/state",
    name: "app-ui-state",
    title: "Application UI State",
    description:
      "A connected application in brief: windows, focused element, menu bar, tool bar, the kind of interface that is shown, the state that it is in, and what could be done next. Can be subscribed to.",
    mimeType: "application/json",
    annotations: { audience: ["assistant"], priority: 0.8 },
  },
  {
    uriTemplate: "axterminator://app/{name}/window/{index}/tree",
    name: "window-element-tree",
    title: "Window Element Tree",
    description:
      "The visible elements of one window of a connected application, by its number as ax_list_windows counts, 0 is the one in front. Can be subscribed to.",
    mimeType: "application/json",
    annotations: { audience: ["assistant"], priority: 0.5 },
  },
  {
    uriTemplate: "axterminator://app/{name}/events",
    name: "app-events",
    title: "Application Event Stream",
    description:
      "What happened in a connected application lately: windows and dialogs that came and went, the focus, titles, values, menus, notifications. Can be subscribed to: told at once.",
    mimeType: "application/json",
    annotations: { audience: ["assistant"], priority: 0.8 },
  },
];
