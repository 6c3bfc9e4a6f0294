import { Role } from "../../../desktop/roles.ts";
import { judgeName } from "../named.ts";
import { NON_TEXT, type Rule } from "../rule.ts";

/** Every progress bar says what makes progress. */
export const progressbarName: Rule = {
  id: "progressbar-name",
  criterion: NON_TEXT,
  section508: ["502.3.1", "E207.2"],
  impact: "serious",
  help: "Every progress bar says what makes progress.",
  suggestion: "Name the progress bar, or label it.",
  check(scene, tell) {
    for (const row of scene.ofRole(Role.progressBar)) {
      judgeName(scene, tell, row, "the progress bar");
    }
  },
};
