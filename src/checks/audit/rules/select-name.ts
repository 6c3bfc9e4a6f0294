import { Role } from "../../../desktop/roles.ts";
import { judgeField } from "../fields.ts";
import { NAME_ROLE_VALUE, type Rule } from "../rule.ts";
import type { Scene } from "../scene.ts";

function isNamedByValue(scene: Scene, row: number): boolean {
  const { snapshot } = scene;
  if (scene.toolkit !== "gtk3" || scene.name(row) === "") return false;
  for (let at = row + 1; at < snapshot.end(row); at++) {
    if (snapshot.role(at) === Role.menuItem && snapshot.name(at) === snapshot.name(row)) return true;
  }
  return false;
}

/** Every combo box has a label. */
export const selectName: Rule = {
  id: "select-name",
  criterion: NAME_ROLE_VALUE,
  section508: ["502.3.1", "502.3.6", "E207.2"],
  impact: "critical",
  help: "Every combo box has a label.",
  suggestion: "Put a label beside the combo box and tie it to it, or name it.",
  check(scene, tell) {
    for (const row of scene.ofRole(Role.comboBox)) {
      // GTK 3 names a combo box after what is chosen in it: that is its value.
      if (scene.labels(row).length === 0 && isNamedByValue(scene, row)) {
        tell.fail(row, "the combo box has no label; its name is its current choice");
        continue;
      }
      judgeField(scene, tell, row, "the combo box");
    }
  },
};
