import type { Rule } from "../rule.ts";
import { judgeTargets } from "../targets.ts";

/** What is pressed is at least 44 by 44 pixels large. */
export const targetSizeEnhanced: Rule = {
  id: "target-size-enhanced",
  criterion: { number: "2.5.5", title: "Target Size (Enhanced)", level: "AAA", version: "2.1" },
  section508: [],
  impact: "minor",
  help: "What is pressed is at least 44 by 44 pixels large.",
  suggestion: "Make it larger.",
  check(scene, tell) {
    judgeTargets(scene, tell, { least: 44, spacing: false });
  },
};
