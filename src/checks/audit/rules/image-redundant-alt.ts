import { Role } from "../../../desktop/roles.ts";
import type { Rule } from "../rule.ts";

const PRESSED: ReadonlySet<number> = new Set([Role.link, Role.pushButton, Role.toggleButton]);

/** An image in a link or button does not repeat its text. */
export const imageRedundantAlt: Rule = {
  id: "image-redundant-alt",
  criterion: undefined,
  section508: [],
  impact: "minor",
  help: "An image in a link or button does not repeat its text.",
  suggestion: "Hide the image from assistive technology: the text beside it says the same.",
  check(scene, tell) {
    for (const row of scene.ofRole(Role.image)) {
      const name = scene.name(row).toLowerCase();
      const control = scene.ancestor(row, PRESSED);
      if (name === "" || control < 0) continue;
      const words = scene.content(control, (at) => at !== row).toLowerCase();
      if (words === name) {
        tell.fail(row, `the image says ${JSON.stringify(scene.name(row))}, as the text beside it does`);
      } else tell.pass(row);
    }
  },
};
