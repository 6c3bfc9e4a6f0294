import type { Deadline } from "../../../base/call.ts";
import type { Json } from "../../../base/error.ts";
import type { Window } from "../../../desktop/desktop.ts";
import { UiPaths } from "../../../desktop/selector/mod.ts";
import type { Snapshot } from "../../../desktop/snapshot.ts";
import { rowHas } from "../../../desktop/state-words.ts";
import { axOf } from "../../../desktop/vocabulary.ts";
import { brief } from "../../../operations/element-info.ts";
import type { McpCall } from "../../server/call.ts";
import type { MacosAddress } from "./address.ts";
import { applicationNamed } from "./applications.ts";

/**
 * `macos://applications/{bundleId}/windows`: its windows in the order of its tree, with what the window system tells of
 * each. `main` is the one that has the keyboard, or would get it: the uppermost.
 */
export async function windowsOf(
  { bundleId, includeMinimized }: Extract<MacosAddress, { what: "windows" }>,
  uri: string,
  call: McpCall,
  deadline: Deadline,
): Promise<Json> {
  const { application, bundleId: id } = await applicationNamed(bundleId, uri, call, deadline);
  const { desktop } = call.session.host.desktop;
  const [snapshot, all] = await Promise.all([
    desktop.snapshot(application, { ...deadline.call(), fields: ["extents", "id"] }),
    desktop.capabilities.windows ? desktop.windows(deadline.call()) : [],
  ]);
  const own = all.filter(({ pid, popup }) => pid === application.pid && !popup);
  const main = own.find(({ active }) => active) ?? own.findLast(({ minimised }) => !minimised);
  const left = [...own];
  const frames = snapshot.children(0).filter((row) => axOf(snapshot, row).role === "AXWindow");
  const existing = frames.map((row) => ({ row, window: takeWindow(snapshot, row, left) }));
  // Chromium keeps frames without a title for popups that are not there.
  const mapped = existing.filter(({ row, window }) =>
    window !== undefined ||
    (rowHas(snapshot, row, "visible") && (own.length === 0 || snapshot.name(row) !== ""))
  );
  const paths = new UiPaths(snapshot, id);
  return mapped.filter(({ window }) => includeMinimized || window?.minimised !== true).map(
    ({ row, window }) => {
      const { x, y, width, height } = window?.rect ?? snapshot.rect(row) ??
        { x: 0, y: 0, width: 0, height: 0 };
      return {
        title: brief(snapshot.name(row) || (window?.title ?? "")),
        id: window === undefined ? snapshot.path(row) : String(window.id),
        path: paths.of(row),
        position: { x, y },
        size: { width, height },
        minimized: window?.minimised ?? false,
        main: window === undefined ? rowHas(snapshot, row, "active") : window === main,
      };
    },
  );
}

/** The window that a frame is, taken off the list: by its title, else by its size, else the only one that is left. */
function takeWindow(snapshot: Snapshot, row: number, left: Window[]): Window | undefined {
  const rect = snapshot.rect(row);
  const title = snapshot.name(row);
  const fits: readonly ((window: Window) => boolean)[] = [
    (window) => title !== "" && window.title === title && sameSize(window, rect),
    (window) => title !== "" && window.title === title,
    (window) => sameSize(window, rect),
    () => left.length === 1 && snapshot.children(0).length === 1,
  ];
  for (const fit of fits) {
    const at = left.findIndex(fit);
    if (at >= 0) return left.splice(at, 1)[0];
  }
  return undefined;
}

function sameSize({ rect }: Window, other: { width: number; height: number } | undefined): boolean {
  return other !== undefined && rect.width === other.width && rect.height === other.height;
}
