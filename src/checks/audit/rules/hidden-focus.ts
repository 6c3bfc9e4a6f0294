import { CONTROLS } from "../kinds.ts";
import { NAME_ROLE_VALUE, type Rule } from "../rule.ts";

/** What has the focus is visible and reported. */
export const hiddenFocus: Rule = {
  id: "hidden-focus",
  criterion: NAME_ROLE_VALUE,
  section508: ["502.3.12", "E207.2"],
  impact: "serious",
  help: "What has the focus is visible and reported.",
  suggestion: "Take the focus from what is hidden, or show it.",
  check(scene, tell) {
    const { snapshot } = scene;
    for (const row of scene.rows) {
      if (!snapshot.has(row, "focusable") || !CONTROLS.has(snapshot.role(row)) || !scene.enabled(row)) {
        continue;
      }
      const rect = snapshot.rect(row);
      if (rect === undefined || (rect.width > 1 && rect.height > 1)) tell.pass(row);
      else if (rect.width === 0 && rect.height === 0 && !scene.web) tell.pass(row);
      else tell.unsure(row, `it can have the focus and is ${rect.width} by ${rect.height} pixels large`);
    }
    if (scene.walk === undefined) return;
    const lost = scene.walk.forward.filter(({ path }) => path === undefined).length;
    if (lost > 0) tell.fail(0, `the focus went ${lost} times to something that is not in the tree`);
  },
};
