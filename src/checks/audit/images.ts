import { Role } from "../../desktop/roles.ts";
import { CONTROLS } from "./kinds.ts";
import type { Scene } from "./scene.ts";

const DRAWN: ReadonlySet<number> = new Set([Role.canvas, Role.chart, Role.animation, Role.drawingArea]);
/** What an image is a part of: the whole has a name, or another rule asks for it. */
const HOLDERS: ReadonlySet<number> = new Set<number>([
  ...CONTROLS,
  Role.tableCell,
  Role.tableRow,
  Role.columnHeader,
  Role.tableColumnHeader,
  Role.menu,
  Role.image,
  Role.canvas,
]);

/** Is it drawn by the program, and no picture: a canvas, a chart, an ARIA `img`? */
export function isDrawn(scene: Scene, row: number): boolean {
  if (DRAWN.has(scene.snapshot.role(row))) return true;
  return scene.web && scene.attribute(row, "xml-roles") === "img" &&
    scene.attribute(row, "tag") !== "img";
}

/** Is it in a control, whose name stands for all that it shows? */
export function isOfControl(scene: Scene, row: number): boolean {
  return scene.ancestor(row, HOLDERS) >= 0;
}
