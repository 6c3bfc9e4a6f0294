import { Role } from "../../../desktop/roles.ts";
import { judgeName } from "../named.ts";
import { NAME_ROLE_VALUE, type Rule } from "../rule.ts";

/** Every tooltip says something. */
export const tooltipName: Rule = {
  id: "tooltip-name",
  criterion: NAME_ROLE_VALUE,
  section508: ["502.3.1", "E207.2"],
  impact: "serious",
  help: "Every tooltip says something.",
  suggestion: "Give the tooltip a text.",
  check(scene, tell) {
    for (const row of scene.ofRole(Role.toolTip)) {
      judgeName(scene, tell, row, "the tooltip");
    }
  },
};
