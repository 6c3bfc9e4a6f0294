import { Role } from "../../../desktop/roles.ts";
import { judgeName } from "../named.ts";
import { NON_TEXT, type Rule } from "../rule.ts";

/** Every meter says what it measures. */
export const meterName: Rule = {
  id: "meter-name",
  criterion: NON_TEXT,
  section508: ["502.3.1", "E207.2"],
  impact: "serious",
  help: "Every meter says what it measures.",
  suggestion: "Name the meter, or label it.",
  check(scene, tell) {
    for (const row of scene.ofRole(Role.levelBar, Role.rating)) {
      judgeName(scene, tell, row, "the meter");
    }
  },
};
