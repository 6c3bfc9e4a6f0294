import type { Rule } from "../rule.ts";
import { judgeTargets } from "../targets.ts";

/** What is pressed is at least 24 by 24 pixels large, or has as much room. */
export const targetSize: Rule = {
  id: "target-size",
  criterion: { number: "2.5.8", title: "Target Size (Minimum)", level: "AA", version: "2.2" },
  section508: [],
  impact: "serious",
  help: "What is pressed is at least 24 by 24 pixels large, or has as much room.",
  suggestion: "Make it larger, or leave more room around it.",
  check(scene, tell) {
    judgeTargets(scene, tell, { least: 24, spacing: true });
  },
};
