import { describeRow } from "../../../desktop/describe.ts";
import { Role } from "../../../desktop/roles.ts";
import { BUTTONS, CONTROLS, TOGGLES } from "../kinds.ts";
import { NAME_ROLE_VALUE, type Rule } from "../rule.ts";
import type { Toolkit } from "../scene.ts";

/** GTK and Qt tell a page as what its tab holds. */
const tabs = (toolkit: Toolkit) => toolkit === "chromium" || toolkit === "gecko" ? [Role.pageTab] : [];

/** No control is inside another one. */
export const nestedInteractive: Rule = {
  id: "nested-interactive",
  criterion: NAME_ROLE_VALUE,
  section508: ["502.3.1", "E207.2"],
  impact: "serious",
  help: "No control is inside another one.",
  suggestion: "Put the controls side by side: screen readers read only the outer one.",
  check(scene, tell) {
    // What a button of GTK 4 opens is told as what it holds.
    if (scene.toolkit === "gtk4") return;
    const { snapshot } = scene;
    // A group of Qt that can be switched off is told as a check box which holds it.
    const toggles = TOGGLES.filter((role) => scene.toolkit !== "qt" || role !== Role.checkBox);
    for (
      const row of scene.ofRole(...BUTTONS, ...toggles, Role.slider, Role.progressBar, ...tabs(scene.toolkit))
    ) {
      let inner = -1;
      for (let at = row + 1; at < snapshot.end(row) && inner < 0; at++) {
        if (scene.visible(at) && snapshot.has(at, "focusable") && CONTROLS.has(snapshot.role(at))) inner = at;
      }
      if (inner < 0) tell.pass(row);
      else tell.fail(row, `it holds another control, the ${describeRow(snapshot, inner)}`);
    }
  },
};
