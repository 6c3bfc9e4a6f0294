import { Role } from "../desktop/roles.ts";
import type { Scene } from "./scene.ts";

/** A part of a window that has a use of its own. */
export interface Region {
  /** "toolbar", "sidebar", "tab bar", "menu bar", "status bar"; else what the part itself is called. */
  readonly name: string;
  readonly row: number;
}

/** Of a window: a sidebar is narrower than this and higher than that. */
const NARROW = 0.4, HIGH = 0.5;
/** Regions that are told. */
const MOST = 40;

/** The parts of the window in front: its bars, a sidebar, then dialogs and named landmarks, forms and boxes. */
export function regionsOf(scene: Scene): Region[] {
  if (scene.front < 0) return [];
  const { snapshot } = scene;
  const first = (kind: "toolbar" | "menubar" | "status" | "tabs") =>
    [...scene.of(kind), ...scene.around(kind)][0];
  const regions: Region[] = [];
  const add = (name: string, row: number | undefined) => {
    if (row === undefined || name === "" || name.length > 60) return;
    if (!regions.some((one) => one.name.toLowerCase() === name.toLowerCase())) regions.push({ name, row });
  };
  add("toolbar", first("toolbar"));
  add("sidebar", sidebarOf(scene));
  // A notebook whose tabs nobody can see is no bar of tabs.
  add(
    "tab bar",
    [...scene.of("tab"), ...scene.around("tab")].length > 1 || scene.page >= 0 ? first("tabs") : undefined,
  );
  add("menu bar", first("menubar"));
  add("status bar", first("status"));
  for (const row of scene.windows) {
    if (row !== scene.front || scene.isDialog) add(scene.name(row), row);
  }
  for (const row of scene.of("toolbar", "landmark", "form", "table", "list", "dialog", "panel")) {
    add(scene.name(row), row);
  }
  return regions.filter(({ row }) => snapshot.role(row) !== Role.application).slice(0, MOST);
}

/** What stands at the left edge and is high and narrow: places, folders, pages of settings. */
function sidebarOf(scene: Scene): number | undefined {
  const { snapshot } = scene;
  const window = snapshot.rect(scene.front);
  if (window === undefined) return undefined;
  return scene.of("list", "table", "panel").find((row) => {
    const rect = snapshot.rect(row);
    if (
      rect === undefined ||
      (snapshot.role(row) === Role.panel && !/side ?bar|places/i.test(snapshot.name(row)))
    ) return false;
    return rect.x - window.x < 0.1 * window.width && rect.width < NARROW * window.width &&
      rect.height > HIGH * window.height;
  });
}
