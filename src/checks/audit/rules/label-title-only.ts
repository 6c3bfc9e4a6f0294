import { Role } from "../../../desktop/roles.ts";
import { isTitled } from "../fields.ts";
import { TEXT_FIELDS } from "../kinds.ts";
import { isPart } from "../named.ts";
import type { Rule } from "../rule.ts";

/** A field has a label that can be seen, not a tooltip alone. */
export const labelTitleOnly: Rule = {
  id: "label-title-only",
  criterion: undefined,
  section508: ["502.3.6"],
  impact: "serious",
  help: "A field has a label that can be seen, not a tooltip alone.",
  suggestion: "Put a label beside it and tie it to it.",
  check(scene, tell) {
    for (const row of scene.ofRole(...TEXT_FIELDS, Role.comboBox, Role.spinButton, Role.slider, Role.dial)) {
      if (isPart(scene, row)) continue;
      if (isTitled(scene, row)) {
        tell.fail(row, "it has a description or a tooltip, but no visible label");
      } else if (scene.label(row) !== "") tell.pass(row);
    }
  },
};
