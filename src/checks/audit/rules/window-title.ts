import { Role } from "../../../desktop/roles.ts";
import type { Rule } from "../rule.ts";

const PAGES: ReadonlySet<number> = new Set([Role.documentWeb]);

/** Every window and every page has a title. */
export const windowTitle: Rule = {
  id: "window-title",
  criterion: { number: "2.4.2", title: "Page Titled", level: "A", version: "2.0" },
  section508: ["502.3.1", "E207.2"],
  impact: "serious",
  help: "Every window and every page has a title.",
  suggestion: "Give the window (the page: <title>) a title that says what it shows.",
  check(scene, tell) {
    const { snapshot } = scene;
    for (const row of scene.ofRole(Role.frame)) {
      // Of top-level windows only; menus and tooltips are none.
      if (snapshot.parent(row) !== 0 && snapshot.role(snapshot.parent(row)) !== Role.application) continue;
      if (snapshot.name(row).trim() === "") tell.fail(row, "the window has no title");
      else tell.pass(row);
    }
    if (!scene.web) return;
    for (const page of scene.ofRole(Role.documentWeb)) {
      // What a frame shows is titled by the frame; Firefox tells its own pages as in a frame, too.
      if (scene.ancestor(page, PAGES) >= 0) continue;
      if (snapshot.name(page).trim() === "") tell.fail(page, "the page has no title");
      else tell.pass(page);
    }
  },
};
