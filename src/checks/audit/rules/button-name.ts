import { Role } from "../../../desktop/roles.ts";
import { BUTTONS } from "../kinds.ts";
import { judgeName } from "../named.ts";
import { NAME_ROLE_VALUE, type Rule } from "../rule.ts";
import type { Scene } from "../scene.ts";

/** Does it stay pressed, as a button of a web page with `aria-pressed`? */
function isPressed(scene: Scene, row: number): boolean {
  return scene.toolkit === "chromium" && scene.attribute(row, "xml-roles") !== "switch";
}

function isNamedButton(scene: Scene, row: number): boolean {
  const role = scene.snapshot.role(row);
  return (role === Role.pushButton || role === Role.pushButtonMenu || role === Role.toggleButton) &&
    scene.label(row) !== "";
}

/** Every button has a name. */
export const buttonName: Rule = {
  id: "button-name",
  criterion: NAME_ROLE_VALUE,
  section508: ["502.3.1", "E207.2"],
  impact: "critical",
  help: "Every button has a name.",
  suggestion: "Give the button a text, or name it after what it does where it shows a picture only.",
  check(scene, tell) {
    for (const row of scene.ofRole(...BUTTONS, Role.toggleButton)) {
      const { snapshot } = scene;
      // An ARIA switch, and every toggle of GTK 3, is for `toggle-field-name`.
      if (snapshot.role(row) === Role.toggleButton && !isPressed(scene, row)) continue;
      // The button inside a named one is how the toolkit makes it.
      const parent = snapshot.parent(row);
      if (parent >= 0 && isNamedButton(scene, parent)) continue;
      judgeName(scene, tell, row, "the button");
    }
  },
};
