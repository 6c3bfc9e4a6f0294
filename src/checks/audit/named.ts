import { Role } from "../../desktop/roles.ts";
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
  const parent = scene.snapshot.parent(row);
  return parent >= 0 && WHOLES.has(scene.snapshot.role(parent));
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
      `${what} has a description and no name: whether it is read out depends on the reader`,
    );
  }
  tell.fail(row, `${what} has no name`);
}
