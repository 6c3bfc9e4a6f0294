/** The reference page of the audit's rules, made from the rules themselves. */
import type { Rule } from "../src/checks/audit/rule.ts";

const NEEDS = { pictures: "a picture of the window", keyboard: "`keyboard: true`" };

/** docs/reference/audit-rules.md. */
export function auditRuleReference(rules: readonly Rule[]): string {
  const rows = rules.map((rule) => {
    const { criterion } = rule;
    const wcag = criterion === undefined
      ? "best practice"
      : `${criterion.number} ${criterion.title} (${criterion.level}, WCAG ${criterion.version})`;
    return `| [\`${rule.id}\`](#${rule.id}) | ${rule.impact} | ${wcag} | ${rule.section508.join(", ")} |`;
  });
  const pages = rules.map((rule) =>
    [
      `### ${rule.id}`,
      "",
      rule.help,
      "",
      `*To mend it:* ${rule.suggestion}${rule.needs === undefined ? "" : ` *Needs* ${NEEDS[rule.needs]}.`}`,
      "",
    ].join("\n")
  );
  return `# The rules of the accessibility audit

Made from \`src/checks/audit/rules/\` by \`deno task schema\`. [How to audit](../how-to/audit.md) says how they are used, and what the score is.
Rules of WCAG 2.2 and best practice are told and decide nothing; \`section508\` asks for what WCAG 2.0 asks for at A and AA (E207.2) and for its own clauses (502.3).

| rule | impact | criterion | Section 508 |
|---|---|---|---|
${rows.join("\n")}

${pages.join("\n").trimEnd()}
`;
}
