import { Role } from "../desktop/roles.ts";
import type { Scene } from "./scene.ts";

/** What is between the parts of a way: "File > New". */
export const WAY = " > ";
/** Menus in menus that are followed, and ways that are told. */
const DEEP = 4, MOST = 300;

const OPENS: ReadonlySet<number> = new Set([Role.menu, Role.menuItem, Role.popupMenu]);
const ITEMS: ReadonlySet<number> = new Set([
  Role.menu,
  Role.menuItem,
  Role.checkMenuItem,
  Role.radioMenuItem,
]);

/** Where an application lets somebody go from here: tabs, pages of a sidebar, links of a page, and ways through its menus. */
export function destinationsOf(scene: Scene): string[] {
  if (scene.front < 0) return [];
  const { snapshot } = scene;
  const ways = new Set<string>();
  const name = (row: number) => scene.name(row).replace(/\s+/g, " ");
  for (const row of [...scene.of("tab"), ...scene.around("tab")]) ways.add(name(row));
  const menus = (row: number, before: string, depth: number) => {
    for (let at = row + 1; at < snapshot.end(row) && ways.size < MOST; at = snapshot.end(at)) {
      if (!ITEMS.has(snapshot.role(at))) {
        // A box between a menu and its items is no step of the way.
        menus(at, before, depth);
        continue;
      }
      if (name(at) === "") continue;
      const way = before === "" ? name(at) : `${before}${WAY}${name(at)}`;
      ways.add(way);
      if (depth < DEEP && OPENS.has(snapshot.role(at))) menus(at, way, depth + 1);
    }
  };
  // Dialogs have none of their own: those of the window behind are not to be reached.
  for (const bar of [...scene.of("menubar"), ...scene.around("menubar")]) menus(bar, "", 1);
  for (const row of scene.of("link", "item")) if (ways.size < MOST) ways.add(name(row));
  ways.delete("");
  return [...ways];
}
