import { Role } from "../../../desktop/roles.ts";
import { wordOf } from "../../../desktop/vocabulary.ts";
import type { Rule } from "../rule.ts";

/** What takes the focus has a role that says what can be done with it. */
export const focusOrderSemantics: Rule = {
  id: "focus-order-semantics",
  criterion: undefined,
  section508: [],
  impact: "minor",
  help: "What takes the focus has a role that says what can be done with it.",
  suggestion:
    "Take it out of the order of the focus (tabindex), or give it the role of the control that it is.",
  check(scene, tell) {
    if (!scene.web) return;
    const { snapshot } = scene;
    for (
      const row of scene.ofRole(
        Role.paragraph,
        Role.heading,
        Role.static,
        Role.section,
        Role.label,
        Role.image,
      )
    ) {
      if (!snapshot.has(row, "focusable")) continue;
      // The browser lets people scroll with the keyboard; what was made to be clicked is a matter of its role.
      if (snapshot.actions(row).some((action) => action.startsWith("scroll"))) continue;
      tell.fail(row, `a ${wordOf(snapshot, row)} takes the focus but has no action`);
    }
  },
};
