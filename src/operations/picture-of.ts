import { z } from "zod";
import { BackstepError } from "../base/error.ts";
import type { Context } from "../contract/operation.ts";
import type { Application, Area, Frame, Rect, Window } from "../desktop/desktop.ts";
import { intersection, visiblePart } from "../desktop/visible.ts";
import { raise } from "../desktop/actions/window.ts";
import { centre, contains, inPixels } from "../desktop/rect.ts";
import { labelOf } from "../participants/element.ts";
import { windowOwnerFor } from "./application.ts";
import { isPlain, letDraw } from "./drawn-window.ts";
import { ownWindows } from "./own-windows.ts";
import type { Match } from "./target.ts";

const pixel = z.int().min(-100_000).max(100_000);

/** A part of a picture, as inputs name it. */
export const Region = z.strictObject({
  x: pixel,
  y: pixel,
  width: z.int().min(1).max(100_000),
  height: z.int().min(1).max(100_000),
});

/** Which picture is wanted, beside an element. */
export interface PictureInput {
  readonly app?: string | undefined;
  readonly window?: number | undefined;
  readonly region?: Rect | undefined;
}

/** A picture, and where on the screen its upper left corner lies. */
export interface Taken {
  readonly frame: Frame;
  readonly x: number;
  readonly y: number;
}

/**
 * Pictures the screen, an application's window, an element, or a part of one of these. A window that has just come is not pictured
 * before it has drawn something, where it does that within a second.
 */
export async function pictureOf(
  context: Context,
  input: PictureInput,
  match: Match | undefined,
): Promise<Taken> {
  const { desktop, deadline } = context;
  let area: Area;
  let within: Window | undefined;
  if (match === undefined) area = await areaOf(context, input.app, input.window);
  else {
    const rect = visiblePart(match.snapshot, match.row);
    if (rect === undefined) {
      throw new BackstepError(
        "not_actionable",
        `Cannot picture ${labelOf(match)}: it is not on the screen`,
      );
    }
    area = { what: "rect", rect };
    // In the background it is cut out of what its window shows, whatever lies over that.
    if (desktop.mode === "background") within = await windowUnder(context, match.application, rect);
    else await raise(desktop, match.application, deadline);
  }
  const wanted = await part(context, area, input.region);
  const taken = await take(context, wanted, within);
  if (!isPlain(taken.frame)) return taken;
  const shown: Area = within === undefined ? wanted : { what: "window", window: within.id };
  return await letDraw(desktop, shown, deadline) ? await take(context, wanted, within) : taken;
}

/** Pictures an area: of a window where it is given, whatever lies over that. */
async function take(
  { desktop, deadline }: Context,
  wanted: Area,
  within: Window | undefined,
): Promise<Taken> {
  if (wanted.what === "screen") {
    return { frame: await desktop.screenshot(wanted, deadline.call()), x: 0, y: 0 };
  }
  if (wanted.what === "rect") {
    const { x, y } = wanted.rect;
    if (within === undefined) return { frame: await desktop.screenshot(wanted, deadline.call()), x, y };
    const whole = await desktop.screenshot({ what: "window", window: within.id }, deadline.call());
    return { frame: cutOut(whole, within.rect, wanted.rect), x, y };
  }
  const frame = await desktop.screenshot(wanted, deadline.call());
  // Looked for afterwards: a window that moved meanwhile gives its elements new places too.
  const window = (await desktop.windows(deadline.call())).find(({ id }) => id === wanted.window);
  return { frame, x: window?.rect.x ?? 0, y: window?.rect.y ?? 0 };
}

async function areaOf(context: Context, app: string | undefined, index: number | undefined): Promise<Area> {
  if (app === undefined && context.app === undefined) return { what: "screen" };
  const application = await windowOwnerFor(context, app);
  const windows = await ownWindows(context, application);
  const window = windows[index ?? 0];
  if (window !== undefined) return { what: "window", window: window.id };
  throw new BackstepError(
    "not_found",
    `Cannot picture window ${index ?? 0} of ${application.name}: it has ${windows.length}`,
  );
}

/** The window of an application that a rectangle of the screen belongs to. */
async function windowUnder(context: Context, application: Application, rect: Rect): Promise<Window> {
  const { x, y } = centre(rect);
  const windows = await context.desktop.windows(context.deadline.call());
  const under = windows.findLast((w) => w.pid === application.pid && !w.minimised && contains(w.rect, x, y));
  if (under !== undefined) return under;
  throw new BackstepError(
    "not_actionable",
    `Cannot picture a part of ${application.name}: no window shows it`,
  );
}

/** The part of a window's picture that shows a rectangle of the screen. */
function cutOut(frame: Frame, window: Rect, rect: Rect): Frame {
  const { scale = 1 } = frame;
  const shown = { ...window, width: frame.width / scale, height: frame.height / scale };
  const seen = intersection(rect, shown);
  if (seen === undefined || seen.width < 1 || seen.height < 1) {
    throw new BackstepError(
      "not_actionable",
      "Cannot picture the element: what its window shows ends before it",
    );
  }
  const { x, y, width, height } = inPixels(seen, window, scale);
  const rgba = new Uint8Array(4 * width * height);
  for (let row = 0; row < height; row++) {
    const from = 4 * ((y + row) * frame.width + x);
    rgba.set(frame.rgba.subarray(from, from + 4 * width), 4 * width * row);
  }
  return { width, height, rgba, ...(scale === 1 ? {} : { scale }) };
}

/** A region counts from the corner of what it is a part of. */
async function part(context: Context, area: Area, region: Rect | undefined): Promise<Area> {
  if (region === undefined) return area;
  if (area.what === "screen") return { what: "rect", rect: region };
  const within = area.what === "rect"
    ? area.rect
    : (await context.desktop.windows(context.deadline.call())).find((w) => w.id === area.window)?.rect;
  if (within === undefined) throw new BackstepError("not_found", "Cannot picture the window: it is gone");
  return { what: "rect", rect: { ...region, x: within.x + region.x, y: within.y + region.y } };
}
