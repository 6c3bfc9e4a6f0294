import { BackstepError, type Json } from "../base/error.ts";
import { asList, asMap } from "../base/json.ts";
import { flagOf, numberOf, textOf } from "./fields.ts";
import type { WmKeyboardLayouts, WmLayer, WmOutput, WmRect, WmWindow, WmWorkspace } from "./model.ts";

type Fields = { readonly [key: string]: Json };

/** The outputs by name. */
export function niriOutputs(reply: Json): readonly WmOutput[] {
  return Object.entries(asMap(reply)).map(([key, value]) => {
    const one = asMap(value);
    const [width, height] = asList(one["physical_size"]).map(numberOf);
    return {
      name: textOf(one["name"]) ?? key,
      make: textOf(one["make"]),
      model: textOf(one["model"]),
      serial: textOf(one["serial"]),
      physical_size: typeof width === "number" && typeof height === "number"
        ? [width, height] as const
        : null,
      modes: asList(one["modes"]).map(asMap).map((mode) => ({
        width: numberOf(mode["width"]) ?? 0,
        height: numberOf(mode["height"]) ?? 0,
        refresh_rate: numberOf(mode["refresh_rate"]),
        is_preferred: flagOf(mode["is_preferred"]),
      })),
      current_mode: numberOf(one["current_mode"]),
      vrr_supported: flagOf(one["vrr_supported"]),
      vrr_enabled: flagOf(one["vrr_enabled"]),
      logical: logicalOf(one["logical"]),
    };
  }).sort((a, b) => a.name < b.name ? -1 : 1);
}

function logicalOf(value: Json | undefined): WmOutput["logical"] {
  const one = asMap(value);
  const [x, y, width, height, scale] = ["x", "y", "width", "height", "scale"].map((key) =>
    numberOf(one[key])
  );
  if (typeof x !== "number" || typeof y !== "number") return null;
  if (typeof width !== "number" || typeof height !== "number" || typeof scale !== "number") return null;
  return { x, y, width, height, scale, transform: textOf(one["transform"]) };
}

/** The workspaces by id: niri promises no order. */
export function niriWorkspaces(reply: Json): readonly WmWorkspace[] {
  return asList(reply).map(asMap).map((one) => ({
    id: idIn(one, "id", "workspace"),
    idx: numberOf(one["idx"]) ?? 0,
    name: textOf(one["name"]),
    output: textOf(one["output"]),
    is_urgent: flagOf(one["is_urgent"]),
    is_active: one["is_active"] === true,
    is_focused: one["is_focused"] === true,
    active_window_id: idOrNull(one, "active_window_id", "workspace"),
  })).sort((a, b) => a.id - b.id);
}

/** The windows by id. niri tells where a tile lies in its workspace's view, not where a window lies on the screen. */
export function niriWindows(reply: Json, origins: Origins = new Map()): readonly WmWindow[] {
  return asList(reply).map(asMap).map((one) => ({
    id: idIn(one, "id", "window"),
    title: textOf(one["title"]),
    app_id: textOf(one["app_id"]),
    pid: numberOf(one["pid"]),
    workspace_id: idOrNull(one, "workspace_id", "window"),
    is_focused: one["is_focused"] === true,
    is_floating: one["is_floating"] === true,
    is_urgent: flagOf(one["is_urgent"]),
    ...placeIn(one, origins),
    is_visible: null,
    stacking: null,
    is_x11: null,
  })).sort((a, b) => a.id - b.id);
}

/** Where the outputs of workspaces begin, by the workspace's id. */
export type Origins = ReadonlyMap<number, { readonly x: number; readonly y: number }>;

/** Does it tell of any window where it lies in its workspace? It does so of floating ones. */
export function tellsPlaces(reply: Json): boolean {
  return asList(reply).some((one) =>
    asList(asMap(asMap(one)["layout"])["tile_pos_in_workspace_view"]).length === 2
  );
}

/** Where the outputs of workspaces begin: a place in a workspace counts from there. */
export function niriOrigins(workspaces: readonly WmWorkspace[], outputs: readonly WmOutput[]): Origins {
  return new Map(workspaces.flatMap(({ id, output }) => {
    const logical = outputs.find(({ name }) => name === output)?.logical;
    return logical ? [[id, { x: logical.x, y: logical.y }] as const] : [];
  }));
}

function placeIn(one: Fields, origins: Origins): Pick<WmWindow, "rect" | "content"> {
  const layout = asMap(one["layout"]);
  const origin = origins.get(numberOf(one["workspace_id"]) ?? -1);
  const pair = (key: string) => {
    const [a, b] = asList(layout[key]).map(numberOf);
    return a == null || b == null ? undefined : { a, b };
  };
  const [at, tile, size] = [pair("tile_pos_in_workspace_view"), pair("tile_size"), pair("window_size")];
  const inside = pair("window_offset_in_tile");
  if (!origin || !at || !tile || !size || !inside) return { rect: null, content: null };
  const [x, y] = [origin.x + at.a, origin.y + at.b];
  const whole = (rect: WmRect): WmRect => ({
    x: Math.round(rect.x),
    y: Math.round(rect.y),
    width: Math.round(rect.width),
    height: Math.round(rect.height),
  });
  return {
    rect: whole({ x, y, width: tile.a, height: tile.b }),
    content: whole({ x: x + inside.a, y: y + inside.b, width: size.a, height: size.b }),
  };
}

/** The layers by id, which is made up: equal ones are counted in the order that niri tells. */
export function niriLayers(reply: Json): readonly WmLayer[] {
  const counts = new Map<string, number>();
  return asList(reply).map(asMap).map((one) => {
    const [output, layer, namespace] = ["output", "layer", "namespace"].map((key) => textOf(one[key]) ?? "");
    const stem = `${output}:${layer}:${namespace}`;
    const n = (counts.get(stem) ?? 0) + 1;
    counts.set(stem, n);
    return {
      stem,
      n,
      one: {
        id: `${stem}:${n}`,
        namespace: namespace ?? "",
        output: output ?? "",
        layer: layer ?? "",
        keyboard_interactivity: textOf(one["keyboard_interactivity"]) ?? "",
      },
    };
  }).sort((a, b) => a.stem === b.stem ? a.n - b.n : a.stem < b.stem ? -1 : 1).map(({ one }) => one);
}

/** The layouts of the keyboard. */
export function niriLayouts(reply: Json): WmKeyboardLayouts {
  const { names, current_idx } = asMap(reply);
  return {
    names: asList(names).flatMap((name) => textOf(name) ?? []),
    current_idx: numberOf(current_idx) ?? 0,
  };
}

function idOrNull(one: Fields, key: string, what: string): number | null {
  return (one[key] ?? null) === null ? null : idIn(one, key, what);
}

/** An id as a number. Above 2^53 two would read the same: then it is refused, for an act would go to the wrong one. */
function idIn(one: Fields, key: string, what: string): number {
  const id = one[key];
  if (typeof id === "number" && Number.isSafeInteger(id)) return id;
  const found = typeof id === "number" ? "one that a number cannot hold exactly" : typeof id;
  throw new BackstepError(
    "unsupported",
    `Cannot read a ${what} of niri: its \`${key}\` is no usable id: ${found}`,
  );
}
