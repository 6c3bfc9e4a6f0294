import { Role } from "../../../desktop/roles.ts";
import { TOGGLES } from "../kinds.ts";
import { judgeName } from "../named.ts";
import { NAME_ROLE_VALUE, type Rule } from "../rule.ts";

/** Every check box, radio button and switch has a name. */
export const toggleFieldName: Rule = {
  id: "toggle-field-name",
  criterion: NAME_ROLE_VALUE,
  section508: ["502.3.1", "502.3.6", "E207.2"],
  impact: "serious",
  help: "Every check box, radio button and switch has a name.",
  suggestion: "Give it a text, or put a label beside it and tie it to it.",
  check(scene, tell) {
    for (const row of scene.ofRole(...TOGGLES, Role.checkMenuItem)) {
      const { snapshot } = scene;
      const isToggle = snapshot.role(row) === Role.toggleButton;
      if (isToggle && scene.web && scene.attribute(row, "xml-roles") !== "switch") {
        continue;
      }
      const parent = snapshot.parent(row);
      // The button of a menu button or a combo box is how the toolkit makes it.
      if (isToggle && parent >= 0 && snapshot.role(parent) !== Role.panel && scene.label(parent) !== "") {
        continue;
      }
      judgeName(scene, tell, row, "the switch");
    }
  },
};
