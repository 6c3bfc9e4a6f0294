import { Role } from "../../../desktop/roles.ts";
import { isDrawn, isOfControl } from "../images.ts";
import { NON_TEXT, type Rule } from "../rule.ts";

/** Every image that says something has a text that says the same. */
export const imageAlt: Rule = {
  id: "image-alt",
  criterion: NON_TEXT,
  section508: ["502.3.1", "E207.2"],
  impact: "critical",
  help: "Every image that says something has a text that says the same.",
  suggestion:
    'Name the image after what it shows; hide it from assistive technology where it is decoration (alt="", GtkAccessibleRole PRESENTATION).',
  check(scene, tell) {
    for (const row of scene.ofRole(Role.image, Role.icon, Role.imageMap)) {
      if (isDrawn(scene, row)) continue;
      if (isOfControl(scene, row) || scene.label(row) !== "") tell.pass(row);
      else if (scene.snapshot.description(row) !== "") tell.pass(row);
      // SVG-AAM leaves one without a name and a role out; a browser that tells it does not say which of both it is.
      else if (scene.attribute(row, "tag") === "svg" && scene.declaredRole(row) === "") {
        tell.unsure(row, "the drawing has no text and no role: whether it is decoration is not reported");
      } // Neither GTK 3 nor Qt has a way to say that an image is there for decoration.
      else if (!scene.web && scene.toolkit !== "gtk4") {
        tell.unsure(row, "the image has no text alternative; it is not reported whether it is decoration");
      } else tell.fail(row, "the image has no text alternative");
    }
  },
};
