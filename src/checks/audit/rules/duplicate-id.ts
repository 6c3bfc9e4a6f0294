import { describeRow } from "../../../desktop/describe.ts";
import { Role } from "../../../desktop/roles.ts";
import type { Rule } from "../rule.ts";
import type { Scene } from "../scene.ts";

const DOCUMENTS: ReadonlySet<number> = new Set([Role.documentWeb]);

/** Its accessible id, or that of its HTML; ids of a browser's own views are made up. */
function idOf(scene: Scene, row: number): string {
  if (!scene.web) return scene.snapshot.id(row);
  return scene.attribute(row, "tag") === "" ? "" : scene.attribute(row, "id");
}

/** No two elements have the same accessible id. */
export const duplicateId: Rule = {
  id: "duplicate-id",
  criterion: undefined,
  section508: [],
  impact: "minor",
  help: "No two elements have the same accessible id.",
  suggestion: "Give each an id of its own: what identifies elements by it takes the wrong one.",
  check(scene, tell) {
    const { snapshot } = scene;
    const first = new Map<string, number>();
    for (const row of scene.rows) {
      const id = idOf(scene, row);
      if (id === "") continue;
      const place = `${Math.max(0, scene.ancestor(row, DOCUMENTS))} ${id}`;
      const other = first.get(place);
      if (other === undefined) {
        first.set(place, row);
        tell.pass(row);
        continue;
      }
      const what = `its id ${JSON.stringify(id)} is also that of the ${describeRow(snapshot, other)}`;
      // Qt makes ids up from the names of objects.
      if (scene.toolkit === "qt") tell.unsure(row, what);
      else tell.fail(row, what);
    }
  },
};
