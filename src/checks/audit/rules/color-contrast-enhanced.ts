import { judgeContrast } from "../texts.ts";
import type { Rule } from "../rule.ts";

/** Text stands out from its background: 7:1, large text 4.5:1. */
export const colorContrastEnhanced: Rule = {
  id: "color-contrast-enhanced",
  criterion: { number: "1.4.6", title: "Contrast (Enhanced)", level: "AAA", version: "2.0" },
  section508: [],
  impact: "minor",
  help: "Text stands out from its background: 7:1, large text 4.5:1.",
  suggestion: "Make the text darker or its background lighter, or the other way round.",
  needs: "pictures",
  check(scene, tell) {
    judgeContrast(scene, tell, { text: 7, large: 4.5 });
  },
};
