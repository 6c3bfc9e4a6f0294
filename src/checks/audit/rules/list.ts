import { Role } from "../../../desktop/roles.ts";
import { RELATIONSHIPS, type Rule } from "../rule.ts";

/** What each list of HTML may hold directly. */
const HELD: Readonly<Record<string, readonly string[]>> = {
  ul: ["li"],
  ol: ["li"],
  menu: ["li"],
  dl: ["dt", "dd", "div"],
};

/** A list of a page holds items only. */
export const list: Rule = {
  id: "list",
  criterion: RELATIONSHIPS,
  section508: ["502.3.5", "E207.2"],
  impact: "serious",
  help: "A list of a page holds items only.",
  suggestion: "Put what is between the items into one of them, or outside of the list.",
  check(scene, tell) {
    if (!scene.web) return;
    for (const row of scene.rows) {
      const allowed = HELD[scene.attribute(row, "tag")];
      // One with a role of its own is for `required-children`.
      if (allowed === undefined || !["", "list"].includes(scene.declaredRole(row))) continue;
      const wrong = scene.snapshot.children(row).find((child) =>
        scene.visible(child) &&
        (scene.snapshot.role(child) === Role.static
          ? scene.text(child) !== ""
          : !allowed.includes(scene.attribute(child, "tag")) && scene.declaredRole(child) !== "listitem")
      );
      if (wrong === undefined) tell.pass(row);
      else tell.fail(row, `the list holds <${scene.attribute(wrong, "tag") || "text"}> beside its items`);
    }
  },
};
