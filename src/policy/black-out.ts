import type { Frame, Rect, Window } from "../desktop/desktop.ts";
import { inPixels } from "../desktop/rect.ts";

/** What a window manager draws around a window: its title stands there. In pixels. */
const TITLE = 48;
const BORDER = 8;

/**
 * The picture with what shows of some windows black. `windows` are all of the desktop, bottom to top: what lies above one that
 * is hidden stays. `origin` is where the picture begins on the screen.
 */
export function blackOut(
  frame: Frame,
  origin: { readonly x: number; readonly y: number },
  windows: readonly Window[],
  isHidden: (window: Window) => boolean,
): Frame {
  const { width, height } = frame;
  const mask = new Uint8Array(width * height);
  let any = false;
  for (const window of windows) {
    if (window.minimised) continue;
    const hidden = isHidden(window);
    any ||= hidden;
    if (any) {
      paint(
        mask,
        width,
        height,
        inPixels(hidden ? decorated(window) : window.rect, origin, frame.scale),
        hidden ? 1 : 0,
      );
    }
  }
  if (!any) return frame;
  const rgba = frame.rgba.slice();
  const pixels = new Uint32Array(rgba.buffer, rgba.byteOffset, width * height);
  const black = new Uint32Array(new Uint8Array([0, 0, 0, 255]).buffer)[0] ?? 0;
  for (let at = 0; at < pixels.length; at++) if (mask[at] === 1) pixels[at] = black;
  return { ...frame, rgba };
}

/** A window with what a window manager draws around it. */
export function decorated({ rect, popup }: Window): Rect {
  if (popup) return rect;
  return {
    x: rect.x - BORDER,
    y: rect.y - TITLE,
    width: rect.width + 2 * BORDER,
    height: rect.height + TITLE + BORDER,
  };
}

function paint(mask: Uint8Array, width: number, height: number, rect: Rect, value: 0 | 1): void {
  const left = Math.max(0, Math.floor(rect.x));
  const right = Math.min(width, Math.ceil(rect.x + rect.width));
  const bottom = Math.min(height, Math.ceil(rect.y + rect.height));
  if (right <= left) return;
  for (let y = Math.max(0, Math.floor(rect.y)); y < bottom; y++) {
    mask.fill(value, y * width + left, y * width + right);
  }
}
