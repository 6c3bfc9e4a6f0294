import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { MATCHING } from "./rules.ts";

/** What the W3C publishes about one case, as far as it is used here. */
const Case = z.object({
  ruleId: z.string(),
  ruleName: z.string(),
  expected: z.enum(["passed", "failed", "inapplicable"]),
  testcaseId: z.string(),
  testcaseTitle: z.string(),
  relativePath: z.string(),
  url: z.string(),
});
/** One case: a page, and what a rule must say of it. */
export type Case = z.infer<typeof Case>;

/** Where the cases lie in a folder with the W3C's paths. */
const LIST = "content-assets/wcag-act-rules";

/** The cases in a folder that have a page and a rule of ours, in the list's order. */
export function casesIn(folder: string, only: readonly string[]): Case[] {
  const { testcases } = z.object({ testcases: z.array(Case) }).parse(
    JSON.parse(readFileSync(join(folder, LIST, "testcases.json"), "utf8")),
  );
  return testcases.filter(({ ruleId, testcaseId, relativePath }) =>
    ruleId in MATCHING && relativePath.endsWith(".html") &&
    (only.length === 0 || only.includes(ruleId) || only.some((id) => testcaseId.startsWith(id)))
  );
}

/** The address of a case on a server that serves the folder as the W3C does. */
export function addressOf(base: string, { relativePath }: Case): string {
  return `${base}/WAI/${LIST}/${relativePath}`;
}
