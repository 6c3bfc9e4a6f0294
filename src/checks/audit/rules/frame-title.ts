import { Role } from "../../../desktop/roles.ts";
import { NAME_ROLE_VALUE, type Rule } from "../rule.ts";

/** Every frame within a window has a title. */
export const frameTitle: Rule = {
  id: "frame-title",
  criterion: NAME_ROLE_VALUE,
  section508: ["502.3.1", "E207.2"],
  impact: "serious",
  help: "Every frame within a window has a title.",
  suggestion: "Give the frame a title (<iframe title>) that says what it shows.",
  check(scene, tell) {
    for (const row of scene.ofRole(Role.internalFrame)) {
      // Its author says that the frame itself means nothing.
      if (["none", "presentation"].includes(scene.declaredRole(row))) continue;
      if (scene.label(row) === "" && scene.toolkit === "gecko") {
        tell.unsure(
          row,
          "the frame has no title, and Firefox does not report whether its author calls it decoration",
        );
      } else if (scene.label(row) === "") tell.fail(row, "the frame has no title");
      else tell.pass(row);
    }
  },
};
