import { Interface } from "../../../desktop/interfaces.ts";
import { Role } from "../../../desktop/roles.ts";
import type { NumericValue } from "../../../desktop/element.ts";
import { rowHas } from "../../../desktop/state-words.ts";
import { NAME_ROLE_VALUE, type Rule, type Tell } from "../rule.ts";
import type { Scene } from "../scene.ts";

/** AtspiRelationType. */
const CONTROLLER_FOR = 3;

/** An element with a number reports it and its range, and a combo box whether it is open. */
export const requiredAttr: Rule = {
  id: "required-attr",
  criterion: NAME_ROLE_VALUE,
  section508: ["502.3.1", "502.3.4", "E207.2"],
  impact: "critical",
  help: "An element with a number reports it and its range, and a combo box whether it is open.",
  suggestion:
    "Tell the number, the least and the most (aria-valuenow, the Value interface), or the state (aria-expanded).",
  check(scene, tell) {
    for (const row of scene.ofRole(Role.slider, Role.spinButton, Role.dial, Role.levelBar, Role.separator)) {
      const { snapshot } = scene;
      if (snapshot.role(row) === Role.separator && !isMovable(scene, row)) continue;
      const value = snapshot.value(row);
      if (value === undefined) {
        if (snapshot.implements(row, Interface.value)) tell.unsure(row, "its number was not reported");
        else tell.fail(row, "it does not report its number");
      } else if (scene.toolkit === "qt" && value.maximum === 0 && value.minimum === 0) {
        tell.unsure(row, "its range is from 0 to 0, as Qt reports of a field for a date");
      } else if (value.maximum <= value.minimum && scene.enabled(row)) {
        tell.fail(row, `its range is from ${value.minimum} to ${value.maximum}`);
      } else if (isMiddle(scene, row, value)) {
        tell.unsure(row, "it reports the middle of its range, as it does where the page names no number");
      } else tell.pass(row);
    }
    for (const row of scene.ofRole(Role.comboBox)) judgeCombo(scene, tell, row);
    for (const row of scene.ofRole(Role.scrollBar)) {
      if (!isOwnMake(scene, row, "scrollbar")) continue;
      if (controls(scene, row)) tell.pass(row);
      else tell.unsure(row, "it does not report what it scrolls (aria-controls)");
    }
  },
};

/** Elements of HTML that bring the states of their role. */
const WITH_STATES: ReadonlySet<string> = new Set(["select"]);

/** A role that the author of a page gave to an element that has none of itself; that of a field of HTML brings its states. */
function isOwnMake(scene: Scene, row: number, role: string): boolean {
  return scene.web && scene.declaredRole(row) === role && !WITH_STATES.has(scene.attribute(row, "tag"));
}

function controls({ snapshot }: Scene, row: number): boolean {
  return (snapshot.relation(row, CONTROLLER_FOR) ?? []).length > 0;
}

/** A separator that divides without being moved has no number. */
function isMovable(scene: Scene, row: number): boolean {
  return isOwnMake(scene, row, "separator") && scene.snapshot.has(row, "focusable");
}

/** Chromium makes the middle up for what may have the focus and names no number. */
function isMiddle(scene: Scene, row: number, { current, minimum, maximum }: NumericValue): boolean {
  return (isOwnMake(scene, row, "slider") || isMovable(scene, row)) && current === (minimum + maximum) / 2;
}

/** Of those that are made by hand: the state tells open from closed, and the relation what is opened. */
function judgeCombo(scene: Scene, tell: Tell, row: number): void {
  if (!isOwnMake(scene, row, "combobox") || !scene.enabled(row)) return;
  const { snapshot } = scene;
  if (!rowHas(snapshot, row, "expanded") && !rowHas(snapshot, row, "collapsed")) {
    tell.fail(row, "it does not report whether it is open (aria-expanded)");
  } else if (rowHas(snapshot, row, "expanded") && !controls(scene, row)) {
    tell.unsure(row, "it is open, and does not report what it opened (aria-controls)");
  } else tell.pass(row);
}
