import { Interface } from "../../../desktop/interfaces.ts";
import { Role } from "../../../desktop/roles.ts";
import { NAME_ROLE_VALUE, type Rule } from "../rule.ts";

/** An element with a number reports it and its range. */
export const requiredAttr: Rule = {
  id: "required-attr",
  criterion: NAME_ROLE_VALUE,
  section508: ["502.3.1", "502.3.4", "E207.2"],
  impact: "critical",
  help: "An element with a number reports it and its range.",
  suggestion: "Tell the number, the least and the most (aria-valuenow, the Value interface).",
  check(scene, tell) {
    for (const row of scene.ofRole(Role.slider, Role.spinButton, Role.dial, Role.levelBar)) {
      const { snapshot } = scene;
      const value = snapshot.value(row);
      if (value === undefined) {
        if (snapshot.implements(row, Interface.value)) tell.unsure(row, "its number was not reported");
        else tell.fail(row, "it does not report its number");
      } else if (value.maximum <= value.minimum && scene.enabled(row)) {
        tell.fail(row, `its range is from ${value.minimum} to ${value.maximum}`);
      } else tell.pass(row);
    }
  },
};
