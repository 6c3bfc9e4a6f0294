import { Role } from "../../../desktop/roles.ts";
import { TEXT_FIELDS, TOGGLES } from "../kinds.ts";
import type { Rule } from "../rule.ts";

const LABELS: ReadonlySet<number> = new Set([Role.label, Role.static, Role.caption]);

/** A field has one label. */
export const formFieldMultipleLabels: Rule = {
  id: "form-field-multiple-labels",
  criterion: { number: "3.3.2", title: "Labels or Instructions", level: "A", version: "2.0" },
  section508: ["502.3.6", "E207.2"],
  impact: "moderate",
  help: "A field has one label.",
  suggestion: "Make one label of them: screen readers read only the first, or only the last.",
  check(scene, tell) {
    for (const row of scene.ofRole(...TEXT_FIELDS, ...TOGGLES, Role.comboBox, Role.spinButton, Role.slider)) {
      const labels = scene.labels(row).filter((label) => LABELS.has(scene.snapshot.role(label)));
      if (labels.length === 0) continue;
      if (labels.length === 1) tell.pass(row);
      else if (
        scene.web && !labels.every((at) => scene.attribute(at, "tag") === "label")
      ) {
        tell.pass(row);
      } else {
        const texts = labels.map((at) => JSON.stringify(scene.text(at))).join(" and ");
        tell.fail(row, `${labels.length} labels are for it: ${texts}`);
      }
    }
  },
};
