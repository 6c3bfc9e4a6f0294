import type { Json } from "../base/error.ts";
import { asList, asMap, isMap } from "../base/json.ts";

/** What acts change of what niri holds. */
export interface NiriActed {
  workspaces: Fields[];
  windows: Fields[];
}

type Fields = { readonly [key: string]: Json };

/** Acts as niri does: an unknown action or a missing field cannot be parsed (undefined), an id that is not there is no error. */
export function actOn(state: NiriActed, name: string, fields: Fields): readonly Json[] | undefined {
  switch (name) {
    case "FocusWindow":
      return typeof fields["id"] === "number" ? focusWindow(state, fields["id"]) : undefined;
    case "CloseWindow":
      return closeWindow(state, windowIn(state, fields["id"]));
    case "FocusWorkspace": {
      const meant = workspaceIn(state, fields["reference"]);
      return meant === undefined ? undefined : meant === null ? [] : focusWorkspace(state, meant);
    }
    case "MoveWindowToWorkspace": {
      const meant = workspaceIn(state, fields["reference"]);
      if (meant === undefined || typeof fields["focus"] !== "boolean") return undefined;
      const window = windowIn(state, fields["window_id"]);
      if (meant === null || window === undefined) return [];
      return change(state, window, { workspace_id: meant["id"] ?? null });
    }
    case "MoveWindowToFloating":
    case "MoveWindowToTiling": {
      const floating = name === "MoveWindowToFloating";
      const window = windowIn(state, fields["id"]);
      if (window === undefined || window["is_floating"] === floating) return [];
      const layout = {
        ...asMap(window["layout"]),
        pos_in_scrolling_layout: floating ? null : [1, 1],
        // Only a floating window has a place in the view.
        tile_pos_in_workspace_view: floating ? [300.0, 200.0] : null,
      };
      return change(state, window, { is_floating: floating, layout });
    }
    case "MoveFloatingWindow":
      return moveFloating(state, fields);
    case "SetWindowWidth":
    case "SetWindowHeight":
      return setSize(state, name === "SetWindowWidth" ? 0 : 1, fields);
  }
  return undefined;
}

function windowIn(state: NiriActed, id: Json | undefined): Fields | undefined {
  return state.windows.find((one) => id === null || id === undefined ? one["is_focused"] : one["id"] === id);
}

/** Null: it is not there. Undefined: it is no reference. */
function workspaceIn(state: NiriActed, reference: Json | undefined): Fields | null | undefined {
  const { Id: id, Index: index, Name: name } = asMap(reference);
  const key = typeof id === "number" ? "id" : typeof index === "number" ? "idx" : "name";
  const wanted = id ?? index ?? name;
  if (typeof wanted !== "number" && typeof wanted !== "string") return undefined;
  return state.workspaces.find((one) => one[key] === wanted) ?? null;
}

function focusWindow(state: NiriActed, id: number): readonly Json[] {
  const window = state.windows.find((one) => one["id"] === id);
  if (window === undefined) return [];
  const there = state.workspaces.find((one) => one["id"] === window["workspace_id"]);
  const shown = there === undefined || there["is_focused"] === true ? [] : focusWorkspace(state, there);
  state.windows = state.windows.map((one) => ({ ...one, is_focused: one["id"] === id }));
  state.workspaces = state.workspaces.map((one) =>
    one["id"] === window["workspace_id"] ? { ...one, active_window_id: id } : one
  );
  return [...shown, { WindowFocusChanged: { id } }];
}

function focusWorkspace(state: NiriActed, meant: Fields): readonly Json[] {
  const id = meant["id"] ?? null;
  state.workspaces = state.workspaces.map((one) => ({
    ...one,
    is_focused: one["id"] === id,
    is_active: one["id"] === id || (one["is_active"] === true && one["output"] !== meant["output"]),
  }));
  const active = meant["active_window_id"] ?? null;
  state.windows = state.windows.map((one) => ({ ...one, is_focused: one["id"] === active }));
  return [{ WorkspaceActivated: { id, focused: true } }, { WindowFocusChanged: { id: active } }];
}

function closeWindow(state: NiriActed, window: Fields | undefined): readonly Json[] {
  const id = window?.["id"];
  if (id === undefined || typeof id !== "number") return [];
  state.windows = state.windows.filter((one) => one["id"] !== id);
  return [{ WindowClosed: { id } }];
}

function change(state: NiriActed, window: Fields, changes: Fields): readonly Json[] {
  const now = { ...window, ...changes };
  state.windows = state.windows.map((one) => one["id"] === window["id"] ? now : one);
  return [{ WindowOpenedOrChanged: { window: now } }];
}

function moveFloating(state: NiriActed, { id, x, y }: Fields): readonly Json[] | undefined {
  if (x === undefined || y === undefined || !isMap(x) || !isMap(y)) return undefined;
  const window = windowIn(state, id);
  const layout = asMap(window?.["layout"]);
  const at = asList(layout["tile_pos_in_workspace_view"]);
  if (window === undefined || window["is_floating"] !== true) return [];
  const along = (way: Fields, now: Json | undefined) => {
    const { SetFixed: to, AdjustFixed: by } = way;
    return typeof to === "number" ? to : Number(now) + (typeof by === "number" ? by : 0);
  };
  const pos = [along(x, at[0]), along(y, at[1])];
  return change(state, window, { layout: { ...layout, tile_pos_in_workspace_view: pos } });
}

function setSize(state: NiriActed, side: 0 | 1, { id, change: how }: Fields): readonly Json[] | undefined {
  const { SetFixed: to } = asMap(how);
  if (typeof to !== "number") return undefined;
  const window = windowIn(state, id);
  if (window === undefined) return [];
  const layout = asMap(window["layout"]);
  const grown = (size: Json | undefined, more: number) =>
    asList(size).map((one, at) => at === side ? to + more : one);
  return change(state, window, {
    layout: {
      ...layout,
      window_size: grown(layout["window_size"], 0),
      tile_size: grown(layout["tile_size"], 0.5),
    },
  });
}
