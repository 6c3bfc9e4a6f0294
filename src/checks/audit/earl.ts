import type { Json } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { Rule } from "./rule.ts";
import type { SarifFinding, SarifReport } from "./sarif.ts";

/** Results of EARL 1.0 (https://www.w3.org/TR/EARL10-Schema/#OutcomeValue). */
export type Outcome = "passed" | "failed" | "cantTell" | "inapplicable";

/** What was judged by which rule, and what came of it. */
export interface Assertion {
  /** Id of the rule. */
  readonly rule: string;
  /** What was tested, for people: the name of an application, or a page's title. */
  readonly subject: string;
  /** Where it can be had, such as the address of a page. */
  readonly source?: string;
  readonly outcome: Outcome;
  /** What was found, in a sentence. */
  readonly info?: string;
  /** A selector of the element that it was found on. */
  readonly pointer?: string;
}

const CONTEXT = {
  earl: "http://www.w3.org/ns/earl#",
  dct: "http://purl.org/dc/terms/",
  doap: "http://usefulinc.com/ns/doap#",
  WCAG: "https://www.w3.org/TR/WCAG22/#",
  assertions: { "@reverse": "earl:assertedBy" },
  test: { "@id": "earl:test" },
  subject: { "@id": "earl:subject" },
  result: { "@id": "earl:result" },
  mode: { "@id": "earl:mode", "@type": "@id" },
  outcome: { "@id": "earl:outcome", "@type": "@id" },
  info: { "@id": "earl:info" },
  pointer: { "@id": "earl:pointer" },
  title: { "@id": "dct:title" },
  description: { "@id": "dct:description" },
  source: { "@id": "dct:source", "@type": "@id" },
  isPartOf: { "@id": "dct:isPartOf", "@type": "@id" },
  name: { "@id": "doap:name" },
  release: { "@id": "doap:release" },
  revision: { "@id": "doap:revision" },
};

/**
 * Assertions as EARL 1.0 in JSON-LD, which the W3C takes as an account of a tool's results: one assertor, and by it one
 * assertion a rule and element.
 *
 * @example
 * ```ts
 * import { toEarl } from "./earl.ts";
 * const earl = toEarl([{ rule: "link-name", subject: "Page", outcome: "passed" }], [], { version: "1.0.0" });
 * if (!JSON.stringify(earl).includes('"outcome":"earl:passed"')) throw new Error();
 * ```
 */
export function toEarl(
  assertions: readonly Assertion[],
  rules: readonly Rule[],
  { version }: { readonly version: string },
): Json {
  const ruleOf = new Map(rules.map((rule) => [rule.id, rule]));
  return {
    "@context": CONTEXT,
    "@type": ["earl:Assertor", "earl:Software", "doap:Project"],
    name: "Backstep audit",
    // The W3C's reader takes the version from the release.
    release: { "@type": "doap:Version", revision: version },
    assertions: assertions.map(({ rule, subject, source, outcome, info, pointer }) => {
      const declared = ruleOf.get(rule);
      return {
        "@type": "earl:Assertion",
        mode: "earl:automatic",
        test: {
          "@type": "earl:TestCase",
          title: rule,
          ...defined({ description: declared?.help }),
          ...(declared?.criterion === undefined
            ? {}
            : { isPartOf: `WCAG:${anchorOf(declared.criterion.title)}` }),
        },
        subject: { "@type": "earl:TestSubject", title: subject, ...defined({ source }) },
        result: { "@type": "earl:TestResult", outcome: `earl:${outcome}`, ...defined({ info, pointer }) },
      };
    }),
  };
}

/** The assertions of one report: each finding, and each rule that found nothing. */
export function assertionsOf(report: Omit<SarifReport, "rules"> & Rules, subject: string): Assertion[] {
  const of = (outcome: Outcome) => ({ rule, element, description }: SarifFinding): Assertion => ({
    rule,
    subject,
    outcome,
    info: description,
    pointer: element,
  });
  const quiet = report.rules.filter(({ failed, incomplete }) => failed + incomplete === 0);
  return [
    ...report.issues.map(of("failed")),
    ...report.suppressed.map(of("failed")),
    ...report.incomplete.map(of("cantTell")),
    ...quiet.map(({ rule, passed }): Assertion => ({
      rule,
      subject,
      outcome: passed > 0 ? "passed" : "inapplicable",
    })),
  ];
}

interface Rules {
  readonly rules: readonly {
    readonly rule: string;
    readonly passed: number;
    readonly failed: number;
    readonly incomplete: number;
  }[];
}

/** The anchor of a criterion in WCAG 2.2: "Name, Role, Value" is at #name-role-value. */
function anchorOf(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}
