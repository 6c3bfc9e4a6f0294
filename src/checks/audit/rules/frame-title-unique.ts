import { Role } from "../../../desktop/roles.ts";
import { NAME_ROLE_VALUE, type Rule } from "../rule.ts";

/** Frames of one window have different titles. */
export const frameTitleUnique: Rule = {
  id: "frame-title-unique",
  criterion: NAME_ROLE_VALUE,
  section508: ["502.3.1", "E207.2"],
  impact: "serious",
  help: "Frames of one window have different titles.",
  suggestion: "Give each frame a title of its own.",
  check(scene, tell) {
    const seen = new Map<string, number>();
    for (const row of scene.ofRole(Role.internalFrame)) {
      const title = scene.label(row);
      if (title === "") continue;
      const key = `${scene.window(row)} ${title.toLowerCase()}`;
      const first = seen.get(key);
      seen.set(key, first ?? row);
      if (first === undefined) tell.pass(row);
      else tell.fail(row, `another frame of this window is called ${JSON.stringify(title)}, too`);
    }
  },
};
