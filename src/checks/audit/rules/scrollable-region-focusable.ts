import { Role } from "../../../desktop/roles.ts";
import { rowHas } from "../../../desktop/state-words.ts";
import { KEYBOARD, type Rule } from "../rule.ts";

/** What scrolls can be scrolled with the keyboard. */
export const scrollableRegionFocusable: Rule = {
  id: "scrollable-region-focusable",
  criterion: KEYBOARD,
  section508: ["E207.2"],
  impact: "serious",
  help: "What scrolls can be scrolled with the keyboard.",
  suggestion: "Let what scrolls have the focus.",
  check(scene, tell) {
    const { snapshot } = scene;
    for (const row of scene.ofRole(Role.scrollPane)) {
      const bars = snapshot.children(row).filter((child) =>
        snapshot.role(child) === Role.scrollBar && rowHas(snapshot, child, "visible")
      );
      const scrolls = bars.some((bar) =>
        (snapshot.value(bar)?.maximum ?? 0) > (snapshot.value(bar)?.minimum ?? 0)
      );
      if (!scrolls) continue;
      let reached = false;
      for (let at = row; at < snapshot.end(row) && !reached; at++) reached = snapshot.has(at, "focusable");
      if (reached) tell.pass(row);
      else tell.fail(row, "it scrolls, and neither it nor anything in it can have the focus");
    }
  },
};
