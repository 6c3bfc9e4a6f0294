import type { Call } from "../base/call.ts";
import type { Json } from "../base/error.ts";

/** A rectangle in the compositor's logical pixels. */
export interface WmRect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A mode of an output; the refresh rate in millihertz. */
export type WmMode = {
  readonly width: number;
  readonly height: number;
  readonly refresh_rate: number;
  readonly is_preferred: boolean;
};

/** Where an output lies in the layout. */
export type WmLogical = WmRect & {
  readonly scale: number;
  /** "Normal", "90", "180", "270", "Flipped", "Flipped90", "Flipped180" or "Flipped270". */
  readonly transform: string;
};

/** A monitor. The names of fields are niri's on every window manager. */
export type WmOutput = {
  readonly name: string;
  readonly make: string;
  readonly model: string;
  readonly serial: string | null;
  /** Millimetres; null: unknown. */
  readonly physical_size: readonly [number, number] | null;
  readonly modes: readonly WmMode[];
  /** Index in `modes`; null: it is off. */
  readonly current_mode: number | null;
  readonly vrr_supported: boolean;
  readonly vrr_enabled: boolean;
  /** Null: it is off. */
  readonly logical: WmLogical | null;
};

/** A workspace; `idx` counts from 1 on its output. */
export type WmWorkspace = {
  readonly id: number;
  readonly idx: number;
  readonly name: string | null;
  readonly output: string | null;
  readonly is_urgent: boolean;
  readonly is_active: boolean;
  readonly is_focused: boolean;
  readonly active_window_id: number | null;
};

/** A window. */
export type WmWindow = {
  readonly id: number;
  readonly title: string | null;
  /** On Wayland its application id, on X11 its class. */
  readonly app_id: string | null;
  readonly pid: number | null;
  /** Null: on none, as in sway's scratchpad. */
  readonly workspace_id: number | null;
  readonly is_focused: boolean;
  readonly is_floating: boolean;
  readonly is_urgent: boolean;
  /** The frame on the screen; null where the window manager does not say. */
  readonly rect: WmRect | null;
  /** The content on the screen, without decorations that the window manager draws; null as `rect`. */
  readonly content: WmRect | null;
  /** Its workspace is shown, and it is not behind another tab; null where the window manager does not say. */
  readonly is_visible: boolean | null;
};

/** A surface of a panel, wallpaper or notification. */
export type WmLayer = {
  /** Made up as `output:layer:namespace:n`: niri gives none. */
  readonly id: string;
  readonly namespace: string;
  readonly output: string;
  readonly layer: string;
  readonly keyboard_interactivity: string;
};

/** The keyboard layouts of the seat. */
export type WmKeyboardLayouts = { readonly names: readonly string[]; readonly current_idx: number };

/** What a window manager may lack. */
export type WmPart = "layers" | "keyboard-layouts" | "overview-state";

/** A window manager that answers; each call has a deadline, and a lost connection is made anew by the next call. */
export interface WindowManager {
  readonly kind: "sway" | "i3" | "niri";
  /** Parts that it has beside outputs, workspaces and windows. */
  readonly parts: ReadonlySet<WmPart>;
  outputs(call?: Call): Promise<readonly WmOutput[]>;
  workspaces(call?: Call): Promise<readonly WmWorkspace[]>;
  windows(call?: Call): Promise<readonly WmWindow[]>;
  /** Rejects with `unsupported` where it has none; so do the next two. */
  layers(call?: Call): Promise<readonly WmLayer[]>;
  keyboardLayouts(call?: Call): Promise<WmKeyboardLayouts>;
  overview(call?: Call): Promise<{ readonly is_open: boolean }>;
  /** Sends one of its own commands: a line for sway and i3, an action for niri. Rejects with `refused`. */
  command(command: Json, call?: Call): Promise<void>;
  /** Calls `changed` after each event, and after each connection made anew. Ends with the function that it answers. */
  on(changed: () => void): () => void;
  close(): void;
}
