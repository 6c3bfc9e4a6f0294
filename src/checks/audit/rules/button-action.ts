import { Interface } from "../../../desktop/interfaces.ts";
import { Role } from "../../../desktop/roles.ts";
import { NAME_ROLE_VALUE, type Rule } from "../rule.ts";
import type { Scene } from "../scene.ts";

function opensByChild(scene: Scene, row: number): boolean {
  return scene.snapshot.children(row).some((child) => scene.snapshot.actions(child).length > 0);
}

/** What is a button can be pressed by assistive technology. */
export const buttonAction: Rule = {
  id: "button-action",
  criterion: NAME_ROLE_VALUE,
  section508: ["502.3.10", "502.3.11", "E207.2"],
  impact: "serious",
  help: "What is a button can be pressed by assistive technology.",
  suggestion: 'Use a button of the toolkit, or offer the action "click".',
  check(scene, tell) {
    const { snapshot } = scene;
    // Without the column nothing is known.
    if (snapshot.columns.actions.length === 0) return;
    for (const row of scene.ofRole(Role.pushButton)) {
      if (snapshot.implements(row, Interface.action) && snapshot.actions(row).length > 0) tell.pass(row);
      // A button of GTK 4 that opens a menu has another one inside that does it.
      else if (opensByChild(scene, row) || !scene.enabled(row)) tell.pass(row);
      else tell.fail(row, "its role is button, but no action presses it");
    }
  },
};
