import { Role } from "../../desktop/roles.ts";
import { isPart } from "./named.ts";
import type { Tell } from "./rule.ts";
import type { Scene } from "./scene.ts";

/**
 * Has a field a label? What it holds is its value and no label. Where there is a description and no name, the rule
 * `label-title-only` says so.
 */
export function judgeField(scene: Scene, tell: Tell, row: number, what: string): void {
  if (isPart(scene, row)) return;
  if (scene.label(row) !== "" || isTitled(scene, row)) return tell.pass(row);
  tell.fail(row, `${what} has no label`);
}

/** Is a field described, by a tooltip for example, and not named? */
export function isTitled(scene: Scene, row: number): boolean {
  const { snapshot } = scene;
  if (scene.web) return scene.nameFrom(row) === "tooltip";
  if (scene.label(row) !== "") return false;
  const description = snapshot.description(row).trim();
  // GTK 3 describes a slider by its number.
  const isNumber = snapshot.value(row) !== undefined && /^[-\d.,\s%]+$/.test(description);
  return description !== "" && !isNumber;
}

/** Can a text be written into it? Dates always, others where they say so. */
export function isWritable(scene: Scene, row: number): boolean {
  const { snapshot } = scene;
  if (snapshot.has(row, "readOnly")) return false;
  return snapshot.has(row, "editable") || snapshot.role(row) !== Role.text || snapshot.has(row, "focusable");
}

/** Is it an own make with an ARIA role, not a field of HTML? */
export function isCustom(scene: Scene, row: number): boolean {
  return scene.web &&
    !["input", "textarea", "select"].includes(scene.attribute(row, "tag")) &&
    scene.attribute(row, "tag") !== "";
}
