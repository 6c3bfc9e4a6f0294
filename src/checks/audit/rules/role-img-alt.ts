import { Role } from "../../../desktop/roles.ts";
import { isDrawn, isOfControl } from "../images.ts";
import { NON_TEXT, type Rule } from "../rule.ts";

/** What a program draws itself has a text that says the same. */
export const roleImgAlt: Rule = {
  id: "role-img-alt",
  criterion: NON_TEXT,
  section508: ["502.3.1", "E207.2"],
  impact: "serious",
  help: "What a program draws itself has a text that says the same.",
  suggestion: "Name the chart or canvas after what it shows, and give its numbers as text too.",
  check(scene, tell) {
    for (
      const row of scene.ofRole(
        Role.image,
        Role.canvas,
        Role.chart,
        Role.animation,
        Role.drawingArea,
        Role.icon,
      )
    ) {
      if (!isDrawn(scene, row)) continue;
      if (isOfControl(scene, row) || scene.label(row) !== "" || scene.snapshot.description(row) !== "") {
        tell.pass(row);
      } else if (scene.snapshot.role(row) === Role.drawingArea) {
        tell.unsure(row, "the drawing has no text alternative; it is not reported whether it is decoration");
      } else tell.fail(row, "the drawing has no text alternative");
    }
  },
};
