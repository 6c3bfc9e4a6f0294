import type { Deadline } from "../../base/call.ts";
import { onDisplay } from "../../x11/display-connection.ts";
import { openRandr } from "../../x11/randr.ts";

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
  await onDisplay({ display, authority, doing, deadline }, async (connection) => {
    const randr = await openRandr(connection);
    if (randr === undefined) throw new Error("it lacks RandR 1.5");
    const { root } = connection.screen;
    const { outputs } = await connection.ask(randr.resources(root));
    const millimetres = (pixels: number) => Math.round(pixels * INCH / dpi);
    for (const [index, monitor] of monitors.entries()) {
      const { width, height } = monitor;
      await connection.tell(randr.setMonitor(root, {
        ...monitor,
        name: await connection.atom(monitor.name),
        primary: index === 0,
        millimetres: [millimetres(width), millimetres(height)],
        outputs: index === 0 ? outputs.slice(0, 1) : [],
      }));
    }
  });
}
