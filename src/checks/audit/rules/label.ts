import { isCustom, isWritable, judgeField } from "../fields.ts";
import { TEXT_FIELDS } from "../kinds.ts";
import { NAME_ROLE_VALUE, type Rule } from "../rule.ts";

/** Every field that takes a text has a label. */
export const label: Rule = {
  id: "label",
  criterion: NAME_ROLE_VALUE,
  section508: ["502.3.1", "502.3.6", "E207.2"],
  impact: "critical",
  help: "Every field that takes a text has a label.",
  suggestion:
    "Put a label beside the field and tie it to it (mnemonic widget, buddy, <label for>), or name the field.",
  check(scene, tell) {
    for (const row of scene.ofRole(...TEXT_FIELDS)) {
      if (!isWritable(scene, row) || isCustom(scene, row)) continue;
      judgeField(scene, tell, row, "the field");
    }
  },
};
