import { Role } from "../../desktop/roles.ts";
import { BOXES } from "./kinds.ts";
import type { Tell } from "./rule.ts";
import type { Scene } from "./scene.ts";

/** What holds a field that is a part of it: the whole is named, and judged. */
const WHOLES: ReadonlySet<number> = new Set<number>([
  Role.comboBox,
  Role.spinButton,
  Role.dateEditor,
  Role.autocomplete,
]);

/** Is it a part of a combo box or of a spin button, whose name is the whole's? */
export function isPart(scene: Scene, row: number): boolean {
  const { snapshot } = scene;
  let up = snapshot.parent(row);
  while (up >= 0 && BOXES.has(snapshot.role(up))) up = snapshot.parent(up);
  return up >= 0 && WHOLES.has(snapshot.role(up));
}

/**
 * Has it a name, from whatever it may take one: its own, a label's, or what it holds? A description alone is said by some
 * screen readers in the name's place and by others not.
 */
export function judgeName(scene: Scene, tell: Tell, row: number, what: string): void {
  if (isPart(scene, row)) return;
  if (scene.label(row) !== "" || scene.content(row) !== "") return tell.pass(row);
  if (scene.snapshot.description(row).trim() !== "") {
    return tell.unsure(
      row,
      `${what} has a description but no name; not every screen reader reads it`,
    );
  }
  tell.fail(row, `${what} has no name`);
}
