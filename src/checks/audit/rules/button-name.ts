import { Role } from "../../../desktop/roles.ts";
import { BUTTONS } from "../kinds.ts";
import { judgeName } from "../named.ts";
import { NAME_ROLE_VALUE, type Rule } from "../rule.ts";
import type { Scene } from "../scene.ts";

/** Does it stay pressed, as a button of a web page with `aria-pressed`? */
function isPressed(scene: Scene, row: number): boolean {
  return scene.web && scene.attribute(row, "xml-roles") !== "switch";
}

function isNamedButton(scene: Scene, row: number): boolean {
  const role = scene.snapshot.role(row);
  return (role === Role.pushButton || role === Role.pushButtonMenu || role === Role.toggleButton) &&
    scene.label(row) !== "";
}

/** The share of the font's size that letters are wide on average, at least. */
const LEAST_OF_A_LETTER = 0.35;
/** Pixels of a browser's font for buttons, where it is not reported. */
const FONT = 13;

/** Pixels of its font. */
function fontOf(scene: Scene, row: number): number {
  const points = /^([\d.]+)pt$/.exec(scene.snapshot.textStyle(row)["size"] ?? "")?.[1];
  return points === undefined ? FONT : Number(points) * 96 / 72;
}

/** What Chromium reports of an `<input>` that takes its name from its `value`, or that it names itself. */
const SUBMITS = { tag: "input", "name-from": "value" };

/**
 * Is it an `<input type="image">` that nobody named? Browsers name it as they do a submit button without a value, whose text
 * their style sheet centres.
 */
function isImageButton(scene: Scene, row: number): boolean {
  if (scene.toolkit !== "chromium" || scene.attribute(row, "text-align") === "center") return false;
  return Object.entries(SUBMITS).every(([attribute, value]) => scene.attribute(row, attribute) === value);
}

/** Firefox tells a `<summary>` as a button also where it is in no `<details>` and does nothing. */
function isLooseSummary(scene: Scene, row: number): boolean {
  return scene.toolkit === "gecko" && scene.attribute(row, "tag") === "summary" &&
    scene.attribute(scene.snapshot.parent(row), "tag") !== "details";
}

/** Every button has a name. */
export const buttonName: Rule = {
  id: "button-name",
  criterion: NAME_ROLE_VALUE,
  section508: ["502.3.1", "E207.2"],
  impact: "critical",
  help: "Every button has a name.",
  suggestion: "Give the button a text, or name it after what it does where it shows a picture only.",
  check(scene, tell) {
    for (const row of scene.ofRole(...BUTTONS, Role.toggleButton)) {
      const { snapshot } = scene;
      // An ARIA switch, and every toggle of GTK 3, is for `toggle-field-name`.
      if (snapshot.role(row) === Role.toggleButton && !isPressed(scene, row)) continue;
      if (isLooseSummary(scene, row)) continue;
      // The button inside a named one is how the toolkit makes it.
      const parent = snapshot.parent(row);
      if (parent >= 0 && isNamedButton(scene, parent)) continue;
      if (isImageButton(scene, row)) {
        const { width = 0 } = snapshot.rect(row) ?? {};
        const word = JSON.stringify(snapshot.name(row));
        if (width < LEAST_OF_A_LETTER * fontOf(scene, row) * snapshot.name(row).length) {
          tell.fail(row, `the button has no name: ${word} is the browser's own word, and does not show`);
        } else tell.unsure(row, `${word} may be the browser's own word for a button that shows an image`);
        continue;
      }
      judgeName(scene, tell, row, "the button");
    }
  },
};
