import type { Screen } from "../parts-plan.ts";

/** Frames a second of an output without hardware: pictures wait for one, and more would make clicks slower. */
const REFRESH = 240;

/** An output of a compositor: `width` and `height` in pixels, `x` and `y` in the logical pixels of the layout. */
export interface Output {
  readonly width: number;
  readonly height: number;
  readonly x: number;
  readonly y: number;
}

/** The outputs that make up a screen: one for each monitor, or one. */
export function outputsOf({ width, height, monitors, scale }: Screen): Output[] {
  const parts = monitors.length > 0 ? monitors : [{ width, height, x: 0, y: 0 }];
  return parts.map((part) => ({
    width: part.width,
    height: part.height,
    x: Math.round(part.x / scale),
    y: Math.round(part.y / scale),
  }));
}

/** The size of the layout that outputs make, in logical pixels. */
export function layoutOf(outputs: readonly Output[], scale: number): { width: number; height: number } {
  return {
    width: Math.max(...outputs.map(({ x, width }) => x + Math.floor(width / scale))),
    height: Math.max(...outputs.map(({ y, height }) => y + Math.floor(height / scale))),
  };
}

/** Where sway puts the file that says it is ready, in its runtime folder. */
export const READY = "ready";

/**
 * The configuration of sway on a private desktop, format sway(5): windows float without decorations, the one that was opened
 * last has the focus, and there are no key bindings, so that every key reaches the application. Once it is ready it writes
 * the names of its Wayland and X displays into a file.
 */
export function swayConfig(screen: Screen, xwayland: boolean): string {
  const outputs = outputsOf(screen);
  const { width, height } = layoutOf(outputs, screen.scale);
  return [
    `xwayland ${xwayland ? "enable" : "disable"}`,
    ...outputs.map(({ width, height, x, y }, k) =>
      `output HEADLESS-${
        k + 1
      } mode --custom ${width}x${height}@${REFRESH}Hz position ${x} ${y} scale ${screen.scale}`
    ),
    "default_border none",
    "default_floating_border none",
    "focus_follows_mouse no",
    "focus_on_window_activation focus",
    // Else sway makes large windows smaller than an application asks for, or larger than the output.
    `floating_maximum_size ${width} x ${height}`,
    'for_window [app_id=".*"] floating enable',
    'for_window [class=".*"] floating enable',
    `exec printf '%s\\n%s\\n' "$WAYLAND_DISPLAY" "$DISPLAY" > "$XDG_RUNTIME_DIR/.${READY}" && mv "$XDG_RUNTIME_DIR/.${READY}" "$XDG_RUNTIME_DIR/${READY}"`,
    "",
  ].join("\n");
}

/** Starts XWayland with the key of the desktop: who does not have it, is not let in. */
export const XWAYLAND_SCRIPT = `#!/bin/sh
exec Xwayland "$@" -auth "$XAUTHORITY"
`;
