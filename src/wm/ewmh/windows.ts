import { hostname } from "node:os";
import { unlessGone } from "../../x11/connection.ts";
import {
  ATOM_STRING,
  cornerOn,
  getGeometry,
  isViewable,
  latin1,
  numbersOf,
  parentOf,
  type Property,
  utf8,
} from "../../x11/requests.ts";
import type { WmRect, WmWindow } from "../model.ts";
import type { EwmhLink } from "./link.ts";
import { idOfDesktop, type Root } from "./root.ts";

/** The desktop of a window that is on all of them. */
const ALL_DESKTOPS = 0xffffffff;
/** The bit of WM_HINTS that asks for attention. */
const URGENT = 256;
/** Windows between a window and the root window, at most. */
const DEEPEST = 16;

/** The windows; panels and the desktop's own are none of a workspace. What goes while it is read is left out. */
export async function ewmhWindows(link: EwmhLink, root: Root): Promise<readonly WmWindow[]> {
  const here = hostname();
  const found = await Promise.all(root.windows.map((id) => unlessGone(windowOf(link, root, id, here))));
  return found.filter((one) => one !== undefined).sort((a, b) => a.id - b.id);
}

async function windowOf(
  link: EwmhLink,
  root: Root,
  id: number,
  here: string,
): Promise<WmWindow | undefined> {
  const [places, viewable, types, states, allowed, [desktop], [pid], hints, name, oldName, classes, machine] =
    await Promise.all([
      placesOf(link, id),
      link.x.ask(isViewable(id)),
      link.numbers(id, "_NET_WM_WINDOW_TYPE"),
      link.numbers(id, "_NET_WM_STATE"),
      link.numbers(id, "_NET_WM_ALLOWED_ACTIONS"),
      link.numbers(id, "_NET_WM_DESKTOP"),
      link.numbers(id, "_NET_WM_PID"),
      link.numbers(id, "WM_HINTS"),
      link.property(id, "_NET_WM_NAME"),
      link.property(id, "WM_NAME"),
      link.property(id, "WM_CLASS"),
      link.property(id, "WM_CLIENT_MACHINE"),
    ]);
  const [type] = types;
  if (type === link.atom("_NET_WM_WINDOW_TYPE_DOCK") || type === link.atom("_NET_WM_WINDOW_TYPE_DESKTOP")) {
    return undefined;
  }
  const on = desktop === ALL_DESKTOPS ? root.current : desktop;
  const shown = viewable && !states.includes(link.atom("_NET_WM_STATE_HIDDEN"));
  // A process of another machine has a number there, not here.
  const local = machine === undefined || textOf(link, machine) === here;
  return {
    id,
    title: textOf(link, name) ?? textOf(link, oldName),
    app_id: textOf(link, classes)?.split("\0")[1] || null,
    pid: local ? pid ?? null : null,
    workspace_id: on === undefined ? null : idOfDesktop(on),
    is_focused: id === root.active,
    is_floating: allowed.includes(link.atom("_NET_WM_ACTION_MOVE")),
    stacking: null,
    is_x11: true,
    is_urgent: states.includes(link.atom("_NET_WM_STATE_DEMANDS_ATTENTION")) ||
      ((hints[0] ?? 0) & URGENT) > 0,
    ...places,
    // Some leave the windows of other desktops mapped, and some show several desktops at once.
    is_visible: !shown ? false : on === root.current ? true : null,
  };
}

/** A window's frame and content on the screen. */
export async function placesOf(link: EwmhLink, id: number): Promise<{ rect: WmRect; content: WmRect }> {
  const [corner, { width, height }, extents] = await Promise.all([
    link.x.ask(cornerOn(link.root, id)),
    link.x.ask(getGeometry(id)),
    link.property(id, "_NET_FRAME_EXTENTS"),
  ]);
  const content = { ...corner, width, height };
  const [left, right, top, bottom] = numbersOf(extents);
  if (left === undefined || right === undefined || top === undefined || bottom === undefined) {
    return { rect: await frameOf(link, id), content };
  }
  const rect = {
    x: content.x - left,
    y: content.y - top,
    width: width + left + right,
    height: height + top + bottom,
  };
  return { rect, content };
}

/** The window right below the root window that holds a window, with its border. */
async function frameOf(link: EwmhLink, id: number): Promise<WmRect> {
  let frame = id;
  for (let depth = 0; depth < DEEPEST; depth++) {
    const parent = await link.x.ask(parentOf(frame));
    if (parent === link.root || parent === 0) break;
    frame = parent;
  }
  const { border, ...rect } = await link.x.ask(getGeometry(frame));
  return { ...rect, width: rect.width + 2 * border, height: rect.height + 2 * border };
}

/** A text in UTF-8 or Latin-1; null for no text, and for one in an encoding that nobody uses any more. */
function textOf(link: EwmhLink, property: Property | undefined): string | null {
  if (property?.format !== 8) return null;
  if (property.type === link.atom("UTF8_STRING")) return utf8(property.data);
  return property.type === ATOM_STRING ? latin1(property.data) : null;
}
