import { judgeContrast } from "../texts.ts";
import type { Rule } from "../rule.ts";

/** Text stands out from its background: 4.5:1, large text 3:1. */
export const colorContrast: Rule = {
  id: "color-contrast",
  criterion: { number: "1.4.3", title: "Contrast (Minimum)", level: "AA", version: "2.0" },
  section508: ["E207.2"],
  impact: "serious",
  help: "Text stands out from its background: 4.5:1, large text 3:1.",
  suggestion: "Make the text darker or its background lighter, or the other way round.",
  needs: "pictures",
  check(scene, tell) {
    judgeContrast(scene, tell, { text: 4.5, large: 3 });
  },
};
