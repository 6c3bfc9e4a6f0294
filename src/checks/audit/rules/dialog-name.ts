import { Role } from "../../../desktop/roles.ts";
import type { Rule } from "../rule.ts";

/** Every dialog has a name. */
export const dialogName: Rule = {
  id: "dialog-name",
  criterion: undefined,
  section508: ["502.3.1"],
  impact: "serious",
  help: "Every dialog has a name.",
  suggestion: "Give the dialog a title, or name it after its heading.",
  check(scene, tell) {
    for (const row of scene.ofRole(Role.dialog)) {
      if (scene.label(row) === "") tell.fail(row, "the dialog has no name");
      else tell.pass(row);
    }
  },
};
