/** Judges the audit by the W3C's ACT test cases: see USAGE. */
import { writeFileSync } from "node:fs";
import process from "node:process";
import { outlineOf } from "./act/outline.ts";
import { type Assertion, toEarl } from "../src/checks/audit/earl.ts";
import { rules } from "../src/checks/audit/rules/mod.ts";
import { VERSION } from "../src/cli/version.ts";
import { Browser, BROWSERS, serve } from "./act/browser.ts";
import { addressOf, type Case, casesIn } from "./act/cases.ts";
import { lookAt } from "./act/look.ts";
import { MATCHING } from "./act/rules.ts";
import { optionsOf } from "./options.ts";

/** How our audit stands to what the W3C expects. */
type Verdict = "right" | "missed" | "false_alarm" | "inconclusive" | "error";

interface Judged {
  readonly case: Case;
  readonly verdict: Verdict;
  /** What of the findings decided it, or why it could not be judged. */
  readonly why: string;
  /** The same for EARL; absent where it could not be judged. */
  readonly assertion?: Assertion;
}

const USAGE =
  `deno task act FOLDER [RULE|CASE…] [--format json|text] [--earl FILE] [--trees] [--browser chromium|firefox]

Judges the audit by the W3C's ACT test cases (https://www.w3.org/WAI/standards-guidelines/act/): opens each page of a folder of
them in a browser, audits it, and compares. The folder has the W3C's paths (content-assets/wcag-act-rules/testcases.json and
what it names). Prints one line a rule, then each case that differs, then the sum. Ends with 1 where there is a false alarm or
a case could not be judged.

  --browser   chromium (the default) or firefox
  --earl      a file that gets the results in EARL
  --format    text (the default) or json
  --trees     prints the tree of each case, too`;

const { values, positionals } = optionsOf(USAGE, {
  options: {
    format: { type: "string", default: "text" },
    earl: { type: "string" },
    browser: { type: "string", default: "chromium" },
    trees: { type: "boolean", default: false },
  },
  allowPositionals: true,
  strict: true,
});
const [folder, ...only] = positionals;
const name = BROWSERS.find((one) => one === values.browser);
if (name === undefined) {
  console.error(`act: --browser is ${BROWSERS.join(" or ")}`);
  process.exit(2);
}
if (folder === undefined) {
  console.error("act: name the folder that holds content-assets/wcag-act-rules/testcases.json");
  process.exit(2);
}

async function judge(one: Case, browser: Browser, base: string): Promise<Judged> {
  const { session } = browser;
  try {
    const application = await browser.show(addressOf(base, one));
    const reported = await lookAt(session, application, ["wcag_aaa"]);
    const { issues, incomplete } = reported;
    const ours = MATCHING[one.ruleId] ?? [];
    const hit = issues.find(({ rule }) => ours.includes(rule));
    const review = incomplete.find(({ rule }) => ours.includes(rule));
    const why = [hit, review].flatMap((finding) =>
      finding === undefined ? [] : [`${finding.rule}: ${finding.element}: ${finding.description}`]
    ).join("; ");
    const verdict = one.expected === "failed"
      ? hit !== undefined ? "right" : review !== undefined ? "inconclusive" : "missed"
      : hit !== undefined
      ? "false_alarm"
      : "right";
    if (values.trees) {
      console.log(`\n${nameOf(one)}: ${verdict} ${why}\n${await outlineOf(session.desktop, application)}`);
    }
    const found = hit ?? review;
    const judgedBy = reported.rules.filter(({ rule }) => ours.includes(rule));
    const outcome = hit !== undefined
      ? "failed"
      : review !== undefined
      ? "cantTell"
      : judgedBy.some(({ passed }) => passed > 0)
      ? "passed"
      : "inapplicable";
    const assertion: Assertion = {
      rule: found?.rule ?? ours[0] ?? "",
      subject: `${one.ruleName}: ${one.testcaseTitle}`,
      source: one.url,
      outcome,
      ...(found === undefined ? {} : { info: found.description, pointer: found.element }),
    };
    return { case: one, verdict, why, assertion };
  } catch (thrown) {
    return { case: one, verdict: "error", why: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

const nameOf = (one: Case) => `${one.ruleId} ${one.testcaseId.slice(0, 8)} ${one.testcaseTitle}`;

const cases = casesIn(folder, only);
const judged: Judged[] = [];
const server = await serve(folder);
const browser = await Browser.open(name);
try {
  for (const one of cases) judged.push(await judge(one, browser, server.base));
} finally {
  await browser.close();
  server.close();
}

const count = (all: readonly Judged[], verdict: Verdict) =>
  all.filter((one) => one.verdict === verdict).length;
const sums = (all: readonly Judged[]) => ({
  right: count(all, "right"),
  missed: count(all, "missed"),
  false_alarms: count(all, "false_alarm"),
  inconclusive: count(all, "inconclusive"),
  errors: count(all, "error"),
});
const line = (all: readonly Judged[]) =>
  Object.entries(sums(all)).map(([what, n]) => `${n} ${what.replace("_", " ")}`).join(", ");

if (values.earl !== undefined) {
  const assertions = judged.flatMap(({ assertion }) => assertion === undefined ? [] : [assertion]);
  writeFileSync(values.earl, `${JSON.stringify(toEarl(assertions, rules, { version: VERSION }), null, 2)}\n`);
}
if (values.format === "json") {
  console.log(
    JSON.stringify({
      ...sums(judged),
      cases: judged.map(({ case: one, verdict, why }) => ({
        rule: one.ruleId,
        case: one.testcaseId,
        expected: one.expected,
        verdict,
        why,
      })),
    }),
  );
} else {
  for (const [rule, all] of Map.groupBy(judged, (one) => one.case.ruleId)) {
    console.log(`${rule}  ${line(all)}  ${all[0]?.case.ruleName ?? ""}`);
  }
  for (const one of judged.filter(({ verdict }) => verdict !== "right")) {
    console.log(
      `  ${one.verdict.replace("_", " ")}  ${nameOf(one.case)} (${one.case.expected})${
        one.why === "" ? "" : `: ${one.why}`
      }`,
    );
  }
  console.log(`act: ${line(judged)} of ${judged.length} cases`);
}
process.exit(judged.some(({ verdict }) => verdict === "false_alarm" || verdict === "error") ? 1 : 0);
