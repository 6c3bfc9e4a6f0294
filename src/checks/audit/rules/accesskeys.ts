import { describeRow } from "../../../desktop/describe.ts";
import { Role } from "../../../desktop/roles.ts";
import type { Rule } from "../rule.ts";
import type { Scene } from "../scene.ts";

const BARS: ReadonlySet<number> = new Set([Role.menuBar]);
const IN_MENUS: ReadonlySet<number> = new Set([Role.menu, Role.popupMenu]);

/** The key that uses an element wherever the focus is: "Alt+s"; "" when it has none, or one that is its menu's. */
function keyOf(scene: Scene, row: number): string {
  if (scene.web) {
    const keys = scene.attribute(row, "keyshortcuts");
    return /^Alt\+\w$/i.test(keys) ? keys.toLowerCase() : "";
  }
  if (scene.toolkit === "gtk4" || scene.ancestor(row, IN_MENUS) >= 0) return "";
  // GTK 3 writes "<Alt>s", Qt "Alt+S".
  const [key = ""] = scene.snapshot.keys(row).split(";");
  const letter = /^(?:<Alt>|Alt\+)(\w)$/i.exec(key)?.[1];
  return letter === undefined ? "" : `Alt+${letter.toLowerCase()}`;
}

/** LibreOffice tells its menu bar twice: once without a height. */
function isInFlatBar(scene: Scene, row: number): boolean {
  const bar = scene.ancestor(row, BARS);
  return bar >= 0 && scene.snapshot.rect(bar)?.height === 0;
}

/** No two controls of a window have the same mnemonic or access key. */
export const accesskeys: Rule = {
  id: "accesskeys",
  criterion: undefined,
  section508: [],
  impact: "serious",
  help: "No two controls of a window have the same mnemonic or access key.",
  suggestion: "Underline another letter of one of them.",
  check(scene, tell) {
    const first = new Map<string, number>();
    for (const row of scene.rows) {
      const key = keyOf(scene, row);
      // Qt tells the key of the tab in front also of the list that holds it.
      if (key === "" || !scene.enabled(row) || isInFlatBar(scene, row)) continue;
      if (scene.snapshot.role(row) === Role.pageTabList) continue;
      const place = `${scene.window(row)} ${key}`;
      const other = first.get(place);
      if (other === undefined) {
        first.set(place, row);
        tell.pass(row);
      } else {
        tell.fail(row, `its key ${key} is also that of the ${describeRow(scene.snapshot, other)}`);
      }
    }
  },
};
