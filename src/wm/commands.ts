import { BackstepError, type Json } from "../base/error.ts";
import type { WindowManager } from "./model.ts";

/** A workspace as an act names it: one that is there, or by name one that shall come to be. */
export type WorkspaceTarget = { readonly id: number | null; readonly name: string | null };

/** One act on a window manager. Sizes and places are those of the frame, in logical pixels. */
export type WmAct =
  | { readonly do: "focus"; readonly window: number }
  | { readonly do: "close"; readonly window: number }
  | { readonly do: "float"; readonly window: number; readonly floating: boolean }
  | { readonly do: "resize"; readonly window: number; readonly width: number; readonly height: number }
  /** `by`: how far; `to`: where. */
  | { readonly do: "move"; readonly window: number; readonly to: WmPoint; readonly by: WmPoint }
  /** Past the next window of a tiling. */
  | {
    readonly do: "shift";
    readonly window: number;
    readonly towards: "left" | "right" | "up" | "down";
  }
  | { readonly do: "switch"; readonly workspace: WorkspaceTarget }
  | { readonly do: "send"; readonly window: number; readonly workspace: WorkspaceTarget };

/** A place, or a distance, in logical pixels. */
export type WmPoint = { readonly x: number; readonly y: number };

type Kind = WindowManager["kind"];

/** What a window manager can do of it: the words of each act, and whether a workspace comes to be when it is named. */
export interface Column {
  /** Workspaces come to be when they are gone to, and end when they are left empty: they are known by name. */
  readonly named: boolean;
  /** It arranges windows itself: only a floating one has a place that can be chosen. */
  readonly tiles: boolean;
  /** The commands of an act, in order. Throws `unsupported` for what it cannot do. */
  commands(act: WmAct): readonly Json[];
}

/** What sway and i3 take for something else than a name, and what would end the quotes around one. */
const UNSPEAKABLE = /^(next|prev|current|number|back_and_forth)(_on_output)?$|["\\\p{Cc}]/u;

function quoted({ name }: WorkspaceTarget): string {
  if (name !== null && name !== "" && !UNSPEAKABLE.test(name)) return `"${name}"`;
  const shown = JSON.stringify((name ?? "").slice(0, 60));
  throw new BackstepError("unsupported", `Cannot command workspace ${shown}: its name cannot be written`, {
    hint: "Rename it: without quotes, backslashes and words such as next.",
    details: { outcome: "not_sent" },
  });
}

const I3: Column = {
  named: true,
  tiles: true,
  commands(act) {
    if (act.do === "switch") return [`workspace --no-auto-back-and-forth ${quoted(act.workspace)}`];
    const window = `[con_id=${act.window}]`;
    switch (act.do) {
      case "focus":
        return [`${window} focus`];
      case "close":
        return [`${window} kill`];
      case "float":
        return [`${window} floating ${act.floating ? "enable" : "disable"}`];
      case "resize":
        return [`${window} resize set ${act.width} px ${act.height} px`];
      case "move":
        return [`${window} move absolute position ${act.to.x} px ${act.to.y} px`];
      case "shift":
        return [`${window} move ${act.towards}`];
      case "send": {
        const name = quoted(act.workspace);
        return [`${window} move --no-auto-back-and-forth container to workspace ${name}`];
      }
    }
  },
};

const NIRI: Column = {
  named: false,
  tiles: true,
  commands(act) {
    switch (act.do) {
      case "focus":
        return [{ FocusWindow: { id: act.window } }];
      case "close":
        return [{ CloseWindow: { id: act.window } }];
      case "float":
        return [{ [act.floating ? "MoveWindowToFloating" : "MoveWindowToTiling"]: { id: act.window } }];
      case "resize":
        return [
          { SetWindowWidth: { id: act.window, change: { SetFixed: act.width } } },
          { SetWindowHeight: { id: act.window, change: { SetFixed: act.height } } },
        ];
      case "move":
        // Where it is to be counts from the work area, where it is from the output: how far counts alike.
        return [{
          MoveFloatingWindow: {
            id: act.window,
            x: { AdjustFixed: act.by.x },
            y: { AdjustFixed: act.by.y },
          },
        }];
      case "shift":
        throw new BackstepError(
          "unsupported",
          "Cannot reorder a tiling of niri: it moves the focused column",
          {
            details: { outcome: "not_sent" },
          },
        );
      case "switch":
        return [{ FocusWorkspace: { reference: { Id: idOf(act.workspace) } } }];
      case "send":
        return [{
          MoveWindowToWorkspace: {
            window_id: act.window,
            reference: { Id: idOf(act.workspace) },
            focus: false,
          },
        }];
    }
  },
};

const EWMH: Column = {
  named: false,
  tiles: false,
  commands(act) {
    switch (act.do) {
      case "focus":
      case "close":
      case "switch":
      case "send":
        return NIRI.commands(act);
      case "resize":
        return [{ PlaceWindow: { id: act.window, width: act.width, height: act.height } }];
      case "move":
        return [{ PlaceWindow: { id: act.window, x: act.to.x, y: act.to.y } }];
      case "float":
      case "shift":
        throw new BackstepError("unsupported", "Cannot tile or float a window: EWMH has no word for it", {
          details: { outcome: "not_sent" },
        });
    }
  },
};

function idOf({ id, name }: WorkspaceTarget): number {
  if (id !== null) return id;
  const shown = JSON.stringify((name ?? "").slice(0, 60));
  throw new BackstepError("unsupported", `Cannot make workspace ${shown}: the window manager makes its own`, {
    hint: "Name one that is there: niri always has an empty one at the end.",
    details: { outcome: "not_sent" },
  });
}

/** Each kind of window manager, and how it does each act. */
export const COLUMNS: Readonly<Record<Kind, Column>> = { sway: I3, i3: I3, niri: NIRI, ewmh: EWMH };
