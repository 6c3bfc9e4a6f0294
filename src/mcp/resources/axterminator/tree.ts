import type { Deadline } from "../../../base/call.ts";
import type { Json } from "../../../base/error.ts";
import type { Application, Desktop, Rect } from "../../../desktop/desktop.ts";
import type { Snapshot } from "../../../desktop/snapshot.ts";
import { rowHas } from "../../../desktop/state-words.ts";
import { treeNode } from "./tree-node.ts";
import { type AppWindow, windowsOf } from "./view.ts";

/** The visible tree of an application, read afresh, or of one of its windows; undefined: it has no such window. */
export async function treeOf(
  desktop: Desktop,
  application: Application,
  window: number | undefined,
  deadline: Deadline,
): Promise<{ readonly [key: string]: Json } | undefined> {
  const snapshot = await desktop.snapshot(application, {
    ...deadline.call(),
    fields: ["extents", "text", "value", "id", "selection"],
    maxText: 200,
  });
  const row = window === undefined
    ? 0
    : windowRow(snapshot, await windowsOf(desktop, application, deadline.call()), window);
  return row < 0 ? undefined : { ...treeNode(snapshot, row), ...cutOf(snapshot) };
}

/** The top of the tree that a window shows as; -1: there is none of this number. */
export function windowRow(snapshot: Snapshot, windows: readonly AppWindow[], index: number): number {
  const toplevels = snapshot.children(0).filter((row) => rowHas(snapshot, row, "visible"));
  if (windows.length === 0) return toplevels[index] ?? -1;
  const window = windows[index];
  if (window === undefined) return -1;
  const titled = toplevels.filter((row) => snapshot.name(row) === window.title);
  const [only] = titled;
  if (only !== undefined && titled.length === 1) return only;
  const among = titled.length > 0 ? titled : toplevels;
  const near = among.map((row) => ({ row, off: distance(snapshot.rect(row), window.rect) }))
    .sort((a, b) => a.off - b.off);
  return near[0]?.row ?? -1;
}

/** How many windows an application has, by whichever tells. */
export async function windowCount(
  desktop: Desktop,
  application: Application,
  deadline: Deadline,
): Promise<number> {
  if (desktop.capabilities.windows) return (await windowsOf(desktop, application, deadline.call())).length;
  const snapshot = await desktop.snapshot(application, {
    ...deadline.call(),
    fields: [],
    maxDepth: 1,
    source: "held",
  });
  return snapshot.children(0).filter((row) => rowHas(snapshot, row, "visible")).length;
}

function distance(reported: Rect | undefined, seen: Rect): number {
  if (reported === undefined) return Number.MAX_VALUE;
  return Math.abs(reported.x - seen.x) + Math.abs(reported.y - seen.y) +
    Math.abs(reported.width - seen.width) +
    Math.abs(reported.height - seen.height);
}

function cutOf({ origin: { cut } }: Snapshot): { readonly cut?: readonly string[] } {
  return cut.length === 0 ? {} : { cut };
}
