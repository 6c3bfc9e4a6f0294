import type { Deadline } from "../../base/call.ts";
import { onDisplay, request, text, u16, u32 } from "../display-connection.ts";

/** A monitor of a display: a part of its screen, in pixels. */
export interface Monitor {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Millimetres of an inch. */
const INCH = 25.4;
const QUERY_EXTENSION = 98;
/** Requests of RandR 1.5. */
const QUERY_VERSION = 0, GET_SCREEN_RESOURCES = 8, SET_MONITOR = 43;

/**
 * The monitors that texts such as "1280x800" and "1024x768+1280+0" stand for: one without a place is to the right of
 * the one before.
 */
export function monitorsOf(texts: readonly string[]): Monitor[] {
  const monitors: Monitor[] = [];
  for (const [index, one] of texts.entries()) {
    const [, width = "", height = "", x, y] = /^(\d+)x(\d+)(?:\+(\d+)\+(\d+))?$/.exec(one) ?? [];
    const last = monitors.at(-1);
    monitors.push({
      name: `monitor-${index + 1}`,
      x: x === undefined ? (last ? last.x + last.width : 0) : Number(x),
      y: y === undefined ? (last?.y ?? 0) : Number(y),
      width: Number(width),
      height: Number(height),
    });
  }
  return monitors;
}

/** The screen that all of them lie in. */
export function screenFor(monitors: readonly Monitor[]): { readonly width: number; readonly height: number } {
  return {
    width: Math.max(...monitors.map(({ x, width }) => x + width)),
    height: Math.max(...monitors.map(({ y, height }) => y + height)),
  };
}

/**
 * Divides the screen of a private display into monitors, as `xrandr --setmonitor` does: the first is the primary one and
 * takes the display's one output, so that the monitor that stood for it is gone.
 */
export async function setMonitors(
  display: string,
  authority: string,
  monitors: readonly Monitor[],
  dpi: number,
  deadline: Deadline,
): Promise<void> {
  const doing = `divide display ${display} into ${monitors.length} monitors`;
  await onDisplay({ display, authority, doing, deadline }, async ({ root, atom, ask, tell }) => {
    const extension = await ask(request(QUERY_EXTENSION, 0, [u16(5), u16(0), text("RANDR")]));
    const randr = extension.head.getUint8(9);
    await ask(request(randr, QUERY_VERSION, [u32(1), u32(5)]));
    const { head, rest } = await ask(request(randr, GET_SCREEN_RESOURCES, [u32(root)]));
    // Behind the CRTCs.
    const output = rest.getUint32(4 * head.getUint16(16, true), true);
    for (const [index, { name, x, y, width, height }] of monitors.entries()) {
      const millimetres = (pixels: number) => u32(Math.round(pixels * INCH / dpi));
      const first = index === 0;
      await tell(request(randr, SET_MONITOR, [
        u32(root),
        u32(await atom(name)),
        // Primary, not automatic, so many outputs.
        Uint8Array.of(first ? 1 : 0, 0),
        u16(first ? 1 : 0),
        ...[x, y, width, height].map(u16),
        millimetres(width),
        millimetres(height),
        ...(first ? [u32(output)] : []),
      ]));
    }
  });
}
