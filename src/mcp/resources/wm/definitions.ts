import type { JsonSchema } from "../../../base/json.ts";
import type { WmPart } from "../../../wm/model.ts";
import type { ResourceDefinition, TemplateDefinition } from "../../server/resource.ts";
import type { Annotations } from "../../server/wire.ts";
import { addressUri, uriOf, type WmWhat } from "./address.ts";
import { fieldsOf, isCollection } from "./schemas.ts";

/** The MIME type of every body: the one that ADR-001 of niri-mcp names. */
export const MIME = "application/json+schema";

/** What `niri://` lists. */
export const ROOTS = ["outputs", "windows", "layers", "keyboard-layouts", "overview-state"] as const;

/** How a kind of resource is listed. */
interface Kind {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: Annotations;
  /** What a window manager needs to have for it. */
  readonly part?: WmPart;
}

const ALL = ["assistant", "user"] as const, MODELS = ["assistant"] as const;
const QUERY = "?expand=true for their data, ?fields=… of it, ?filter=field:value.";
const FIELDS = "?fields=… for some of its fields.";

const KINDS: Readonly<Record<WmWhat, Kind>> = {
  "roots": {
    name: "wm",
    title: "Window Manager",
    description: "Which resources of the window manager there are.",
    annotations: { audience: MODELS, priority: 0.5 },
  },
  "outputs": {
    name: "wm-outputs",
    title: "Outputs",
    description: `The monitors, by name. ${QUERY} Can be subscribed to.`,
    annotations: { audience: ALL, priority: 1 },
  },
  "output": {
    name: "wm-output",
    title: "Output",
    description: `A monitor: its maker, modes, and where it lies. ${FIELDS} Can be subscribed to.`,
    annotations: { audience: ALL, priority: 1 },
  },
  "modes": {
    name: "wm-output-modes",
    title: "Modes of an Output",
    description: "What a monitor can show: sizes and refresh rates. ?fields=… and ?filter=field:value.",
    annotations: { audience: MODELS, priority: 0.4 },
  },
  "workspaces": {
    name: "wm-workspaces",
    title: "Workspaces of an Output",
    description: `The workspaces on a monitor. ${QUERY} Can be subscribed to.`,
    annotations: { audience: MODELS, priority: 0.9 },
  },
  "workspace": {
    name: "wm-workspace",
    title: "Workspace",
    description:
      `A workspace by its id, which lasts: its number, name and state. ${FIELDS} Can be subscribed to.`,
    annotations: { audience: MODELS, priority: 0.8 },
  },
  "workspace-windows": {
    name: "wm-workspace-windows",
    title: "Windows of a Workspace",
    description: `The windows on a workspace. ${QUERY} Can be subscribed to.`,
    annotations: { audience: MODELS, priority: 0.8 },
  },
  "windows": {
    name: "wm-windows",
    title: "Windows",
    description: `The windows on all monitors. ${QUERY} Can be subscribed to.`,
    annotations: { audience: ALL, priority: 0.9 },
  },
  "window": {
    name: "wm-window",
    title: "Window",
    description: `A window: its title, application, workspace and place. ${FIELDS} Can be subscribed to.`,
    annotations: { audience: MODELS, priority: 0.8 },
  },
  "layers": {
    name: "wm-layers",
    title: "Layers",
    description: `Panels, wallpapers and notifications. ${QUERY} Can be subscribed to.`,
    annotations: { audience: MODELS, priority: 0.3 },
    part: "layers",
  },
  "layer": {
    name: "wm-layer",
    title: "Layer",
    description: `A panel, wallpaper or notification. ${FIELDS} Can be subscribed to.`,
    annotations: { audience: MODELS, priority: 0.3 },
    part: "layers",
  },
  "keyboard-layouts": {
    name: "wm-keyboard-layouts",
    title: "Keyboard Layouts",
    description: `The keyboard layouts, and which is current. ${FIELDS} Can be subscribed to.`,
    annotations: { audience: MODELS, priority: 0.4 },
    part: "keyboard-layouts",
  },
  "keyboard-layout": {
    name: "wm-keyboard-layout",
    title: "Current Keyboard Layout",
    description: `The current keyboard layout: index and name. ${FIELDS} Can be subscribed to.`,
    annotations: { audience: MODELS, priority: 0.4 },
    part: "keyboard-layouts",
  },
  "overview-state": {
    name: "wm-overview-state",
    title: "Overview",
    description: "Whether the overview is open. Can be subscribed to.",
    annotations: { audience: MODELS, priority: 0.3 },
    part: "overview-state",
  },
};

/** The addresses without a variable that `resources/list` has. */
const LISTED = [
  "outputs",
  "windows",
  "layers",
  "keyboard-layouts",
  "keyboard-layout",
  "overview-state",
] as const;

const PATTERNS: readonly (readonly [string, WmWhat])[] = [
  ["niri://outputs/{name}", "output"],
  ["niri://outputs/{name}/modes", "modes"],
  ["niri://outputs/{name}/workspaces", "workspaces"],
  ["niri://outputs/{name}/workspaces/{id}", "workspace"],
  ["niri://outputs/{name}/workspaces/{id}/windows", "workspace-windows"],
  // A variable stands for one value (RFC 6570): the workspace's id needs a name of its own here.
  ["niri://outputs/{name}/workspaces/{workspace_id}/windows/{id}", "window"],
  ["niri://windows/{id}", "window"],
  ["niri://layers/{id}", "layer"],
];

/** What a window manager must have for such a resource; undefined: each has it. */
export function partOf(what: WmWhat): WmPart | undefined {
  return KINDS[what].part;
}

/** Who it is for, and how much it matters. */
export function annotationsOf(what: WmWhat): Annotations {
  return KINDS[what].annotations;
}

/** The schema of its body. */
export function schemaOf(what: WmWhat): JsonSchema {
  const fields = fieldsOf(what);
  if (!isCollection(what)) return fields;
  const address: JsonSchema = { type: "string", format: "uri" };
  const expanded: JsonSchema = { type: "object", properties: { uri: address, data: fields } };
  const items: JsonSchema = what === "modes" ? fields : { anyOf: [address, expanded] };
  return {
    type: "object",
    properties: { uri: address, items: { type: "array", items } },
    required: ["uri", "items"],
  };
}

/** The templates that a window manager with these parts has. */
export function templatesFor(parts: ReadonlySet<WmPart>): readonly TemplateDefinition[] {
  return PATTERNS.filter(([, what]) => has(parts, what)).map(([uriTemplate, what]) => ({
    uriTemplate,
    ...about(what),
    ...(uriTemplate.includes("{workspace_id}")
      ? { name: "wm-workspace-window", title: "Window of a Workspace" }
      : {}),
  }));
}

/** Every template that there can be. */
export const TEMPLATES: readonly TemplateDefinition[] = templatesFor(
  new Set<WmPart>(["layers", "keyboard-layouts", "overview-state"]),
);

/** The addresses that a window manager with these parts and outputs has. */
export function resourcesFor(
  parts: ReadonlySet<WmPart>,
  outputs: readonly string[],
): readonly ResourceDefinition[] {
  return [
    ...LISTED.filter((what) => has(parts, what)).map((what) => ({
      uri: addressUri({ what }),
      ...about(what),
    })),
    ...outputs.flatMap((output) =>
      (["output", "modes", "workspaces"] as const).map((what) => {
        const { name, title, ...rest } = about(what);
        const uri = what === "output" ? uriOf("outputs", output) : uriOf("outputs", output, what);
        return { uri, ...rest, name: `${name}: ${output}`, title: `${title}: ${output}` };
      })
    ),
  ];
}

function has(parts: ReadonlySet<WmPart>, what: WmWhat): boolean {
  const part = partOf(what);
  return part === undefined || parts.has(part);
}

function about(what: WmWhat) {
  const { name, title, description, annotations } = KINDS[what];
  return {
    name,
    title,
    description,
    mimeType: MIME,
    annotations,
    _meta: { annotations, schema: schemaOf(what) },
  };
}
