import type { Call } from "../base/call.ts";
import type { Json } from "../base/error.ts";

/** A rectangle in the compositor's logical pixels. */
export interface WmRect {
  /** From the left edge of the layout. */
  readonly x: number;
  /** From its upper edge. */
  readonly y: number;
  /** From left to right. */
  readonly width: number;
  /** From top to bottom. */
  readonly height: number;
}

/** A mode of an output. Null: the window manager does not tell. */
export type WmMode = {
  readonly width: number;
  readonly height: number;
  /** Millihertz; i3 does not tell, nor sway and X11 for every output. */
  readonly refresh_rate: number | null;
  /** sway and i3 do not tell. */
  readonly is_preferred: boolean | null;
};

/** Where an output lies in the layout. */
export type WmLogical = WmRect & {
  readonly scale: number;
  /** "Normal", "90", "180", "270", "Flipped", "Flipped90", "Flipped180" or "Flipped270"; null: i3 does not tell, nor X11 of one that is mirrored. */
  readonly transform: string | null;
};

/**
 * A monitor. The names of fields are niri's on every window manager. Null means "not known" wherever a field does not
 * say more: sway, i3 and EWMH tell less than niri does, and nothing is made up for them.
 */
export type WmOutput = {
  readonly name: string;
  /** i3 does not tell, nor EWMH. */
  readonly make: string | null;
  /** i3 does not tell, nor EWMH. */
  readonly model: string | null;
  /** i3 does not tell, nor EWMH. */
  readonly serial: string | null;
  /** Millimetres; sway and i3 do not tell. */
  readonly physical_size: readonly [number, number] | null;
  readonly modes: readonly WmMode[];
  /** Index in `modes`; null: it is off. */
  readonly current_mode: number | null;
  /** niri alone tells. */
  readonly vrr_supported: boolean | null;
  /** i3 does not tell, nor EWMH. */
  readonly vrr_enabled: boolean | null;
  /** Null: it is off. */
  readonly logical: WmLogical | null;
};

/** A workspace; `idx` counts from 1 on its output. */
export type WmWorkspace = {
  /**
   * Lasts as long as the workspace; no order, nor a first one, is promised. EWMH has no ids: its workspace is the number of
   * the desktop, from 1, and where the window manager removes one, the next takes its number.
   */
  readonly id: number;
  readonly idx: number;
  /** Null: it has none. */
  readonly name: string | null;
  /** Null: no output is there. On EWMH a workspace lies on all of them: it is the primary one. */
  readonly output: string | null;
  /** Null: niri before 25.05 does not tell. */
  readonly is_urgent: boolean | null;
  /** EWMH tells of one alone, also where several are shown. */
  readonly is_active: boolean;
  readonly is_focused: boolean;
  /** Null: none; EWMH tells it of the focused one alone. For a moment it may name a window that `windows` does not have. */
  readonly active_window_id: number | null;
};

/** A window. */
export type WmWindow = {
  readonly id: number;
  readonly title: string | null;
  /** On Wayland its application id, on X11 its class. */
  readonly app_id: string | null;
  readonly pid: number | null;
  /** Null: on none, as in sway's scratchpad; one that is on all is on the focused one. For a moment it may name one that `workspaces` does not have. */
  readonly workspace_id: number | null;
  readonly is_focused: boolean;
  /** On EWMH: the window manager says that it may be moved. */
  readonly is_floating: boolean;
  /** Null: niri before 25.05 does not tell. */
  readonly is_urgent: boolean | null;
  /** The frame on the screen; null where the window manager does not say, as niri of those that do not float. */
  readonly rect: WmRect | null;
  /** The content on the screen, without decorations that the window manager draws; null as `rect`. */
  readonly content: WmRect | null;
  /** Its workspace is shown, and it is not behind another tab; null where the window manager does not say. */
  readonly is_visible: boolean | null;
  /** Its place among the windows of its workspace, larger is nearer to the eye; null where it is not told, as by niri. */
  readonly stacking: number | null;
  /** It speaks X11, so that it knows where it is; null where the window manager does not say, as niri. */
  readonly is_x11: boolean | null;
};

/** A surface of a panel, wallpaper or notification. */
export type WmLayer = {
  /** Made up as `output:layer:namespace:n`, since niri gives none; `n` counts from 1, in the order that niri tells. */
  readonly id: string;
  readonly namespace: string;
  readonly output: string;
  /** "Background", "Bottom", "Top" or "Overlay"; a later niri may have more. */
  readonly layer: string;
  /** "None", "Exclusive" or "OnDemand"; a later niri may have more. */
  readonly keyboard_interactivity: string;
};

/** The keyboard layouts of the seat. */
export type WmKeyboardLayouts = { readonly names: readonly string[]; readonly current_idx: number };

/** What a window manager may lack. */
export type WmPart = "layers" | "keyboard-layouts" | "overview-state";

/** A window manager that answers; each call has a deadline, and a lost connection is made anew by the next call. */
export interface WindowManager {
  /** Which it is, or "ewmh" for any of X11's that keeps to that. */
  readonly kind: "sway" | "i3" | "niri" | "ewmh";
  /** Parts that it has beside outputs, workspaces and windows. */
  readonly parts: ReadonlySet<WmPart>;
  /** Its monitors, those that are off too. */
  outputs(call?: Call): Promise<readonly WmOutput[]>;
  /** Its workspaces, of every output. */
  workspaces(call?: Call): Promise<readonly WmWorkspace[]>;
  /** Its windows, hidden ones too; panels are none. */
  windows(call?: Call): Promise<readonly WmWindow[]>;
  /** Rejects with `unsupported` where it has none; so do the next two. */
  layers(call?: Call): Promise<readonly WmLayer[]>;
  /** The layouts of the seat, and which is used. */
  keyboardLayouts(call?: Call): Promise<WmKeyboardLayouts>;
  /** Whether the overview of all workspaces is shown. */
  overview(call?: Call): Promise<{ readonly is_open: boolean }>;
  /**
   * Sends one of its own commands: a line for sway and i3, an action such as `{FocusWindow: {id: 5}}` for niri, an
   * `EwmhCommand` for EWMH. Rejects with `refused`. niri accepts an id that is not there, and EWMH has no replies: read
   * afterwards what came of it.
   */
  command(command: Json, call?: Call): Promise<void>;
  /**
   * Calls `changed` after each event, when events are lost, and after each connection made anew: read then. Ends with
   * the function that it answers. niri has no events for outputs and layers, sway and i3 none for a floating window that
   * is moved: whoever shows those reads them slowly too.
   */
  on(changed: () => void): () => void;
  /** Ends its connections; later calls reject with `no_desktop`. */
  close(): void;
}
