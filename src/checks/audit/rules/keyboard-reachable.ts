import { Role } from "../../../desktop/roles.ts";
import { rowHas } from "../../../desktop/state-words.ts";
import { BUTTONS, TEXT_FIELDS, TOGGLES } from "../kinds.ts";
import { isPart } from "../named.ts";
import { KEYBOARD, type Rule } from "../rule.ts";
import type { Scene } from "../scene.ts";

const WINDOW_BUTTONS: ReadonlySet<string> = new Set(["Minimize", "Maximize", "Restore", "Close"]);

/** Moves among these are made with arrow keys. */
const GROUPS: ReadonlySet<number> = new Set([
  Role.toolBar,
  Role.menuBar,
  Role.menu,
  Role.list,
  Role.listBox,
  Role.table,
  Role.tree,
  Role.treeTable,
  Role.pageTabList,
  Role.titleBar,
  Role.scrollBar,
]);

/** Is it in something whose own focus stands for it, such as a spin button? */
function isOfReached(scene: Scene, row: number, reached: ReadonlySet<string | undefined>): boolean {
  const parent = scene.snapshot.parent(row);
  return parent >= 0 && reached.has(scene.snapshot.path(parent));
}

/** A text that nobody can write into is read, not used. */
function isShownOnly(scene: Scene, row: number): boolean {
  const role = scene.snapshot.role(row);
  return TEXT_FIELDS.some((field) => field === role) && !scene.snapshot.has(row, "editable");
}

/** What closes and sizes the window has keys of the window manager's own; toolkits leave it out of Tab's way. */
function isOfWindow(scene: Scene, row: number): boolean {
  const { snapshot } = scene;
  const top = snapshot.rect(scene.window(row))?.y, own = snapshot.rect(row)?.y;
  return WINDOW_BUTTONS.has(snapshot.name(row)) && top !== undefined && own !== undefined && own - top < 60;
}

/** Is it by itself: no radio button, and in no group whose members arrow keys reach? */
function isLonely(scene: Scene, row: number): boolean {
  return scene.snapshot.role(row) !== Role.radioButton && scene.ancestor(row, GROUPS) < 0;
}

/** GTK 4 tells radio buttons as check boxes: arrow keys move among those that stand in one box. */
function isBesideReached(scene: Scene, row: number, reached: ReadonlySet<string | undefined>): boolean {
  const { snapshot } = scene;
  if (scene.toolkit !== "gtk4" || snapshot.role(row) !== Role.checkBox) return false;
  return snapshot.children(snapshot.parent(row)).some((other) =>
    other !== row && snapshot.role(other) === Role.checkBox && reached.has(snapshot.path(other))
  );
}

/** What can be used with the pointer can be reached with the keyboard. */
export const keyboardReachable: Rule = {
  id: "keyboard-reachable",
  criterion: KEYBOARD,
  section508: ["502.3.12", "E207.2"],
  impact: "serious",
  help: "What can be used with the pointer can be reached with the keyboard.",
  suggestion: "Let it have the focus, in the order in which people read.",
  needs: "keyboard",
  check(scene, tell) {
    const { walk, snapshot } = scene;
    if (walk === undefined) return;
    const reached = new Set([...walk.forward, ...walk.backward].map(({ path }) => path));
    const within = new Set<number>();
    const existing = new Set(Array.from({ length: snapshot.size }, (_, row) => snapshot.path(row)));
    const strangers = [...reached].some((path) => path === undefined || !existing.has(path));
    for (let row = 0; row < snapshot.size; row++) {
      if (!reached.has(snapshot.path(row))) continue;
      for (let up = row; up >= 0; up = snapshot.parent(up)) within.add(up);
    }
    for (
      const row of scene.ofRole(...BUTTONS, ...TOGGLES, ...TEXT_FIELDS, Role.link, Role.comboBox, Role.slider)
    ) {
      if (!scene.enabled(row) || !rowHas(snapshot, row, "visible") || isPart(scene, row)) continue;
      if (isShownOnly(scene, row) || isOfWindow(scene, row)) continue;
      if (within.has(row) || isOfReached(scene, row, reached)) tell.pass(row);
      // What GTK 3 gives the focus inside of a combo box is in no tree.
      else if (strangers && snapshot.role(row) === Role.comboBox) {
        tell.unsure(row, "Tab did not reach it, but reached something that is not in the tree");
      } // Arrow keys move within groups, and a way that did not come round was not walked to its end.
      else if (!walk.round || !isLonely(scene, row) || isBesideReached(scene, row, reached)) {
        tell.unsure(row, "Tab did not reach it; arrow keys may reach it");
      } else tell.fail(row, "Tab does not reach it");
    }
  },
};
