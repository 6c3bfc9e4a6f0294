import { Role } from "../../../desktop/roles.ts";
import type { Rule } from "../rule.ts";

const DOCUMENTS: ReadonlySet<number> = new Set([Role.documentWeb, Role.documentText, Role.documentFrame]);

/** Levels of headings rise by one. */
export const headingOrder: Rule = {
  id: "heading-order",
  criterion: undefined,
  section508: [],
  impact: "moderate",
  help: "Levels of headings rise by one.",
  suggestion: "Use the next level; make a heading look as it should by its style.",
  check(scene, tell) {
    const before = new Map<number, number>();
    for (const row of scene.ofRole(Role.heading)) {
      const level = Number(scene.attribute(row, "level"));
      if (!(level >= 1)) continue;
      const page = Math.max(0, scene.ancestor(row, DOCUMENTS));
      const last = before.get(page);
      before.set(page, level);
      if (last === undefined || level <= last + 1) tell.pass(row);
      else tell.fail(row, `a heading of level ${level} follows one of level ${last}`);
    }
  },
};
