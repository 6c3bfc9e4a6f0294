import type { Surface } from "../contract/participant.ts";
import type { Place } from "../desktop/actions/place.ts";
import { isPopover } from "../desktop/popover.ts";
import { Role } from "../desktop/roles.ts";

const MENUS: ReadonlySet<number> = new Set([Role.menu, Role.popupMenu]);
const DIALOGS: ReadonlySet<number> = new Set([Role.dialog, Role.alert, Role.fileChooser, Role.colorChooser]);

/** What an element is drawn in and goes away with: the menu or dialog around it, else its window. */
export function surfaceOf({ application, snapshot, row }: Place): Surface | undefined {
  for (let up = snapshot.parent(row); up > 0; up = snapshot.parent(up)) {
    const role = snapshot.role(up);
    const menu = MENUS.has(role) || isPopover(snapshot, up);
    const dialog = DIALOGS.has(role);
    if (!menu && !dialog && snapshot.parent(up) !== 0) continue;
    return { application, element: snapshot.element(up), word: menu ? "menu" : dialog ? "dialog" : "window" };
  }
  return undefined;
}
