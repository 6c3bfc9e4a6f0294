import { Role } from "../../../desktop/roles.ts";
import { isCustom, isWritable, judgeField } from "../fields.ts";
import { TEXT_FIELDS } from "../kinds.ts";
import { NAME_ROLE_VALUE, type Rule } from "../rule.ts";

const isText = (role: number) => TEXT_FIELDS.some((field) => field === role);

/** Every spin button, slider, list of choices and self-made field has a name. */
export const inputFieldName: Rule = {
  id: "input-field-name",
  criterion: NAME_ROLE_VALUE,
  section508: ["502.3.1", "502.3.6", "E207.2"],
  impact: "serious",
  help: "Every spin button, slider, list of choices and self-made field has a name.",
  suggestion: "Put a label beside it and tie it to it, or name it.",
  check(scene, tell) {
    for (const row of scene.ofRole(...TEXT_FIELDS, Role.spinButton, Role.slider, Role.dial, Role.listBox)) {
      const role = scene.snapshot.role(row);
      if (isText(role) && !(isCustom(scene, row) && isWritable(scene, row))) continue;
      // A list box of a toolkit may be plain layout; one of ARIA is a field.
      if (role === Role.listBox && scene.attribute(row, "xml-roles") !== "listbox") continue;
      judgeField(scene, tell, row, "the field");
    }
  },
};
