import { BackstepError } from "../../base/error.ts";
import { unlessGone } from "../../x11/connection.ts";
import { utf8 } from "../../x11/requests.ts";
import type { EwmhLink } from "./link.ts";

/** What a window manager tells on the root window. Desktops count from 0, as in its properties. */
export interface Root {
  /** The window that stands for the window manager. */
  readonly manager: number;
  /** In the order in which they were opened. */
  readonly windows: readonly number[];
  /** Null: none. */
  readonly active: number | null;
  readonly current: number;
  readonly desktops: number;
  /** Null: it has none. */
  readonly names: readonly (string | null)[];
  /** The corner of each desktop on the screen, as far as it tells. */
  readonly corners: readonly { readonly x: number; readonly y: number }[];
}

/** More desktops than any window manager has: a larger number is nonsense. */
const MOST_DESKTOPS = 1_000;

/**
 * The window that stands for the window manager; undefined: none runs. The property outlives its manager; the window, which
 * names itself, does not.
 */
export async function managerOf(link: EwmhLink): Promise<number | undefined> {
  const [window] = await link.numbers(link.root, "_NET_SUPPORTING_WM_CHECK");
  if (!window) return undefined;
  const own = await unlessGone(link.numbers(window, "_NET_SUPPORTING_WM_CHECK"));
  return own?.[0] === window ? window : undefined;
}

/** The window manager, or `no_desktop`. */
export async function requireManager(link: EwmhLink, doing: string): Promise<number> {
  const manager = await managerOf(link);
  if (manager !== undefined) return manager;
  throw new BackstepError("no_desktop", `Cannot ${doing}: no window manager of the display keeps to EWMH`, {
    hint: "Start one, such as openbox.",
  });
}

/** Reads the root window. Rejects with `no_desktop` where no window manager runs. */
export async function readRoot(link: EwmhLink, doing: string): Promise<Root> {
  const { root } = link;
  const [manager, windows, [active], [current], [desktops], names, corners] = await Promise.all([
    requireManager(link, doing),
    link.numbers(root, "_NET_CLIENT_LIST"),
    link.numbers(root, "_NET_ACTIVE_WINDOW"),
    link.numbers(root, "_NET_CURRENT_DESKTOP"),
    link.numbers(root, "_NET_NUMBER_OF_DESKTOPS"),
    link.property(root, "_NET_DESKTOP_NAMES"),
    link.numbers(root, "_NET_DESKTOP_VIEWPORT"),
  ]);
  return {
    manager,
    windows: [...new Set(windows)],
    active: active || null,
    current: current ?? 0,
    // A window manager without desktops has one.
    desktops: Math.min(MOST_DESKTOPS, Math.max(1, desktops ?? 1)),
    names: names?.format === 8 ? utf8(names.data).split("\0").map((name) => name || null) : [],
    corners: Array.from({ length: corners.length >> 1 }, (_, at) => ({
      x: corners[2 * at] ?? 0,
      y: corners[2 * at + 1] ?? 0,
    })),
  };
}

/** The id of a desktop, which has none of its own: its place, from 1. */
export function idOfDesktop(desktop: number): number {
  return desktop + 1;
}
