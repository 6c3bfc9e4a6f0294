import { Role } from "../../../desktop/roles.ts";
import type { Rule } from "../rule.ts";

/** Every heading says something. */
export const emptyHeading: Rule = {
  id: "empty-heading",
  criterion: undefined,
  section508: [],
  impact: "minor",
  help: "Every heading says something.",
  suggestion: "Give the heading a text, or take it away.",
  check(scene, tell) {
    for (const row of scene.ofRole(Role.heading)) {
      if (scene.label(row) === "" && scene.content(row) === "") tell.fail(row, "the heading is empty");
      else tell.pass(row);
    }
  },
};
