import { Role } from "../../../desktop/roles.ts";
import { MENU_ITEMS } from "../kinds.ts";
import { judgeName } from "../named.ts";
import { NAME_ROLE_VALUE, type Rule } from "../rule.ts";

/** Every command of a menu has a name. */
export const commandName: Rule = {
  id: "command-name",
  criterion: NAME_ROLE_VALUE,
  section508: ["502.3.1", "E207.2"],
  impact: "serious",
  help: "Every command of a menu has a name.",
  suggestion: "Give the menu item a text; name it where it shows a picture only.",
  check(scene, tell) {
    for (const row of scene.ofRole(...MENU_ITEMS, Role.menu)) {
      const { snapshot } = scene;
      // The menu of a combo box or of a popup is named by what opens it.
      const above = snapshot.role(snapshot.parent(row));
      if (snapshot.role(row) === Role.menu && above !== Role.menuBar && above !== Role.menu) continue;
      // GTK 3 tells separators of some menus as items without a size to speak of.
      if ((snapshot.rect(row)?.height ?? 99) < 8) continue;
      judgeName(scene, tell, row, "the menu item");
    }
  },
};
