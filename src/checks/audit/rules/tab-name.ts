import { Role } from "../../../desktop/roles.ts";
import { judgeName } from "../named.ts";
import { NAME_ROLE_VALUE, type Rule } from "../rule.ts";

/** Every tab has a name. */
export const tabName: Rule = {
  id: "tab-name",
  criterion: NAME_ROLE_VALUE,
  section508: ["502.3.1", "E207.2"],
  impact: "serious",
  help: "Every tab has a name.",
  suggestion: "Give the tab a text label, or name it where it shows a picture only.",
  check(scene, tell) {
    for (const row of scene.ofRole(Role.pageTab)) {
      // GTK 3 and 4 tell the page as what the tab holds: its words are not the tab's.
      if (!scene.web && scene.label(row) === "" && scene.snapshot.description(row) === "") {
        tell.fail(row, "the tab has no name");
        continue;
      }
      judgeName(scene, tell, row, "the tab");
    }
  },
};
