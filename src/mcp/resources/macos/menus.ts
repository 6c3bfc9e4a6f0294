import type { Deadline } from "../../../base/call.ts";
import type { Json } from "../../../base/error.ts";
import { Role } from "../../../desktop/roles.ts";
import { UiPaths } from "../../../desktop/selector/mod.ts";
import type { Snapshot } from "../../../desktop/snapshot.ts";
import { rowHas } from "../../../desktop/state-words.ts";
import { brief } from "../../../operations/element-info.ts";
import type { McpCall } from "../../server/call.ts";
import { noSuch } from "../axterminator/address.ts";
import type { MacosAddress } from "./address.ts";
import { applicationNamed } from "./applications.ts";

const ITEMS: ReadonlySet<number> = new Set([
  Role.menu,
  Role.menuItem,
  Role.checkMenuItem,
  Role.radioMenuItem,
  Role.tearoffMenuItem,
]);

/**
 * `macos://applications/{bundleId}/menus`: the menus of its menu bars with their items, or the items of one menu. Menus in
 * menus have their items only where they are asked for.
 */
export async function menusOf(
  { bundleId, menuTitle, includeSubmenus }: Extract<MacosAddress, { what: "menus" }>,
  uri: string,
  call: McpCall,
  deadline: Deadline,
): Promise<Json> {
  const named = await applicationNamed(bundleId, uri, call, deadline);
  const { desktop } = call.session.host.desktop;
  const snapshot = await desktop.snapshot(named.application, { ...deadline.call(), fields: ["id"] });
  const paths = new UiPaths(snapshot, named.bundleId);
  const write = (row: number, levels: number): Json => {
    const items = itemsOf(snapshot, row);
    return {
      title: brief(snapshot.name(row)),
      enabled: rowHas(snapshot, row, "enabled"),
      path: paths.of(row),
      ...(levels > 0 && (items.length > 0 || isMenu(snapshot, row))
        ? { children: items.map((item) => write(item, levels - 1)) }
        : {}),
    };
  };
  const menus = barsOf(snapshot).flatMap((bar) => itemsOf(snapshot, bar));
  const levels = includeSubmenus ? Infinity : 1;
  if (menuTitle === undefined) return menus.map((menu) => write(menu, levels));
  const wanted = menus.filter((menu) => sameTitle(snapshot.name(menu), menuTitle));
  if (wanted.length === 0) {
    throw noSuch(uri, `${named.name} has no menu "${menuTitle.slice(0, 200)}"`, {
      menus: menus.slice(0, 50).map((menu) => brief(snapshot.name(menu))),
    });
  }
  return wanted.flatMap((menu) => itemsOf(snapshot, menu)).map((item) => write(item, levels - 1));
}

function barsOf(snapshot: Snapshot): number[] {
  return Array.from({ length: snapshot.size }, (_, row) => row).filter((row) =>
    snapshot.role(row) === Role.menuBar
  );
}

function isMenu(snapshot: Snapshot, row: number): boolean {
  return snapshot.role(row) === Role.menu || snapshot.parent(row) >= 0 &&
      snapshot.role(snapshot.parent(row)) === Role.menuBar;
}

/** Items that have a name, through the popups that Qt has between an item and its own items; no separators. */
function itemsOf(snapshot: Snapshot, row: number): number[] {
  return snapshot.children(row).flatMap((child) => {
    const role = snapshot.role(child);
    const popup = role === Role.popupMenu || (role === Role.menu && snapshot.name(child) === "");
    if (popup) return itemsOf(snapshot, child);
    return ITEMS.has(role) && snapshot.name(child) !== "" ? [child] : [];
  });
}

/** Titles may carry the mark of their key: "&File", "_File". */
function sameTitle(title: string, wanted: string): boolean {
  const plain = (text: string) => text.replace(/[&_]/g, "").trim().toLowerCase();
  return plain(title) === plain(wanted);
}
