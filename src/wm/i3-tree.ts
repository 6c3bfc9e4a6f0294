import type { Json } from "../base/error.ts";
import { asList, asMap } from "../base/json.ts";
import { numberOf, rectOf, textOf } from "./fields.ts";
import type { WmKeyboardLayouts, WmOutput, WmRect, WmWindow, WmWorkspace } from "./model.ts";

type Node = { readonly [key: string]: Json };

/** i3's own output of its scratchpad. */
const HIDDEN = "__i3";
/** sway's names of transforms, and niri's. */
const TRANSFORMS: Readonly<Record<string, string>> = {
  "normal": "Normal",
  "flipped": "Flipped",
  "flipped-90": "Flipped90",
  "flipped-180": "Flipped180",
  "flipped-270": "Flipped270",
};

/** The outputs by name. A headless one lists no modes: its current one is all it has. */
export function i3Outputs(reply: Json, tree: Json): readonly WmOutput[] {
  const inTree = new Map(asList(asMap(tree)["nodes"]).map((one) => [asMap(one)["name"], asMap(one)]));
  return asList(reply).map(asMap).filter(({ name }) => typeof name === "string" && !name.startsWith("xroot"))
    .map((one) => {
      const rect = rectOf(one["rect"] ?? inTree.get(one["name"] ?? "")?.["rect"]);
      const current = asMap(one["current_mode"]);
      const now = modeOf(current["width"] === undefined ? { ...rect } : current);
      const listed = asList(one["modes"]).map((mode) => modeOf(asMap(mode)));
      const active = one["active"] === true;
      const modes = listed.length > 0 ? listed : active ? [now] : [];
      const at = modes.findIndex((mode) =>
        mode.width === now.width && mode.height === now.height && mode.refresh_rate === now.refresh_rate
      );
      const transform = textOf(one["transform"]), sync = textOf(one["adaptive_sync_status"]);
      return {
        name: textOf(one["name"]) ?? "",
        make: textOf(one["make"]),
        model: textOf(one["model"]),
        serial: textOf(one["serial"]),
        physical_size: null,
        modes,
        current_mode: active && at >= 0 ? at : null,
        vrr_supported: null,
        vrr_enabled: sync === null ? null : sync === "enabled",
        logical: active
          // On X11 a pixel is a logical pixel.
          ? {
            ...rect,
            scale: numberOf(one["scale"]) ?? 1,
            transform: transform === null ? null : TRANSFORMS[transform] ?? transform,
          }
          : null,
      };
    }).sort((a, b) => a.name < b.name ? -1 : 1);
}

function modeOf({ width, height, refresh }: Node) {
  return {
    width: numberOf(width) ?? 0,
    height: numberOf(height) ?? 0,
    // wlroots says 0 where it does not know.
    refresh_rate: numberOf(refresh) || null,
    is_preferred: null,
  };
}

/** The workspaces; the id is that of the container, which i3 tells in its tree alone before 4.22. */
export function i3Workspaces(reply: Json, tree: Json): readonly WmWorkspace[] {
  const nodes = new Map(
    walk(asMap(tree)).filter(({ node }) => node["type"] === "workspace").map((
      { node },
    ) => [node["name"], node]),
  );
  const counts = new Map<string, number>();
  return asList(reply).map(asMap).map((one) => {
    const output = textOf(one["output"]);
    const idx = (counts.get(output ?? "") ?? 0) + 1;
    counts.set(output ?? "", idx);
    const node = nodes.get(one["name"] ?? "");
    return {
      id: numberOf(one["id"]) ?? numberOf(node?.["id"]) ?? 0,
      idx,
      name: textOf(one["name"]),
      output,
      is_urgent: one["urgent"] === true,
      is_active: one["visible"] === true,
      is_focused: one["focused"] === true,
      active_window_id: node === undefined ? null : activeIn(node),
    };
  }).sort((a, b) => a.id - b.id);
}

/** The window that has the focus among those of a workspace. */
function activeIn(node: Node): number | null {
  const [first] = asList(node["focus"]);
  if (first === undefined) return isWindow(node) ? numberOf(node["id"]) : null;
  const next = children(node).find(({ id }) => id === first);
  return next === undefined ? null : activeIn(next);
}

/** The windows: leaves that have a process (sway) or an X11 window (i3). */
export function i3Windows(tree: Json): readonly WmWindow[] {
  return walk(asMap(tree)).filter(({ node, above }) => isWindow(node) && !above.some(isDock)).map(
    ({ node, above }, stacking) => {
      const workspace = above.find(({ type }) => type === "workspace");
      const hidden = workspace === undefined || (textOf(workspace["name"]) ?? "").startsWith(HIDDEN);
      const rect = rectOf(node["rect"]), inner = rectOf(node["window_rect"]);
      const content: WmRect = inner.width > 0 ? { ...inner, x: rect.x + inner.x, y: rect.y + inner.y } : rect;
      return {
        id: numberOf(node["id"]) ?? 0,
        title: textOf(node["name"]),
        app_id: textOf(node["app_id"]) ?? textOf(asMap(node["window_properties"])["class"]),
        pid: numberOf(node["pid"]),
        workspace_id: hidden ? null : numberOf(workspace["id"]),
        is_focused: node["focused"] === true,
        is_floating: node["type"] === "floating_con" || above.some(({ type }) => type === "floating_con"),
        is_urgent: node["urgent"] === true,
        rect,
        content,
        is_visible: typeof node["visible"] === "boolean" ? node["visible"] : null,
        stacking,
        // sway alone names the shell of a window; i3 has X11's only.
        is_x11: textOf(node["shell"]) !== "xdg_shell",
      };
    },
  ).sort((a, b) => a.id - b.id);
}

/** The layouts of sway's first keyboard. */
export function swayLayouts(inputs: Json): WmKeyboardLayouts {
  const keyboard = asList(inputs).map(asMap).find(({ type, xkb_layout_names }) =>
    type === "keyboard" && asList(xkb_layout_names).length > 0
  );
  return {
    names: asList(keyboard?.["xkb_layout_names"]).flatMap((name) => textOf(name) ?? []),
    current_idx: numberOf(keyboard?.["xkb_active_layout_index"]) ?? 0,
  };
}

/** Where i3 keeps panels such as i3bar: they are no windows of a workspace. */
function isDock({ type }: Node): boolean {
  return type === "dockarea";
}

function isWindow(node: Node): boolean {
  if (children(node).length > 0 || node["type"] === "workspace" || node["type"] === "output") return false;
  return numberOf(node["pid"]) !== null || numberOf(node["window"]) !== null;
}

function children(node: Node): readonly Node[] {
  return [...asList(node["nodes"]), ...asList(node["floating_nodes"])].map(asMap);
}

/** Every container with those above it, the nearest first; without recursion, since a tree may be deep. */
function walk(root: Node): readonly { readonly node: Node; readonly above: readonly Node[] }[] {
  const found: { node: Node; above: readonly Node[] }[] = [{ node: root, above: [] }];
  for (let at = 0; at < found.length; at++) {
    const one = found[at];
    if (one === undefined) break;
    for (const node of children(one.node)) found.push({ node, above: [one.node, ...one.above] });
  }
  return found;
}
