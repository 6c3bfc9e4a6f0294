import type { Rule } from "../rule.ts";
import type { Scene } from "../scene.ts";
import { trapOf } from "../trap.ts";

const busOf = (scene: Scene) => scene.snapshot.element(0).bus;

/** The keyboard can leave whatever it reached. */
export const keyboardTrap: Rule = {
  id: "keyboard-trap",
  criterion: { number: "2.1.2", title: "No Keyboard Trap", level: "A", version: "2.0" },
  section508: ["502.3.12", "E207.2"],
  impact: "critical",
  help: "The keyboard can leave whatever it reached.",
  suggestion: "Let Tab, Shift+Tab or Escape move the focus on, and say so where another key does.",
  needs: "keyboard",
  check(scene, tell) {
    const { walk } = scene;
    if (walk === undefined) return;
    const trap = trapOf(walk);
    const row = trap === undefined ? 0 : scene.snapshot.rowOf({ bus: busOf(scene), path: trap });
    if (trap === undefined) tell.pass(0);
    else tell.fail(Math.max(0, row), "neither Tab nor Shift+Tab takes the focus away from it");
  },
};
