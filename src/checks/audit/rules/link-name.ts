import { Role } from "../../../desktop/roles.ts";
import { judgeName } from "../named.ts";
import type { Rule } from "../rule.ts";

/** Every link has a name that says where it leads. */
export const linkName: Rule = {
  id: "link-name",
  criterion: { number: "2.4.4", title: "Link Purpose (In Context)", level: "A", version: "2.0" },
  section508: ["502.3.1", "E207.2"],
  impact: "serious",
  help: "Every link has a name that says where it leads.",
  suggestion: "Give the link a text, or describe its picture.",
  check(scene, tell) {
    for (const row of scene.ofRole(Role.link)) {
      judgeName(scene, tell, row, "the link");
    }
  },
};
