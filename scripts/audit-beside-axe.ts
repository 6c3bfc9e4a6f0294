/**
 * Writes docs/reference/audit-beside-axe.md: the fixture's broken and its repaired page, judged by the audit and by axe-core
 * in one run. Run by hand: `deno run -A scripts/audit-beside-axe.ts`.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { z } from "zod";
import type { AuditOutput } from "../src/operations/audit.ts";
import { lookAt } from "./act/look.ts";
import { Browser } from "./act/browser.ts";
import { AXE } from "./audit-coverage.ts";
import { wrapped } from "./words/wrap.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const fixtures = at("../tests/fixtures/audit/"), references = at("../tools/references/node_modules");
const PAGES = ["broken", "repaired"] as const;
/** Looks at each page: the median of their times is shown. */
const TIMES = 5;

/** How often each rule found something, and the milliseconds of a look. */
interface Result {
  readonly failed: ReadonlyMap<string, number>;
  readonly open: ReadonlyMap<string, number>;
  readonly ms: number;
}

const tally = (rules: readonly string[]): Map<string, number> =>
  new Map([...Map.groupBy(rules, (rule) => rule)].map(([rule, all]) => [rule, all.length]));
const median = (all: readonly number[]) => all.toSorted((a, b) => a - b)[all.length >> 1] ?? NaN;

async function ours(browser: Browser, page: string): Promise<Result> {
  const application = await browser.show(pathToFileURL(page).href);
  const times: number[] = [];
  let reported: AuditOutput | undefined;
  for (let k = 0; k < TIMES; k++) {
    const began = performance.now();
    reported = await lookAt(browser.session, application, ["wcag_aa", "section508"]);
    times.push(performance.now() - began);
  }
  return {
    failed: tally((reported?.issues ?? []).map(({ rule }) => rule)),
    open: tally((reported?.incomplete ?? []).map(({ rule }) => rule)),
    ms: median(times),
  };
}

const Places = z.array(z.object({ rule: z.string() }));
const Axe = z.array(
  z.object({
    version: z.string(),
    violations: Places,
    incomplete: Places,
    ms: z.number(),
  }),
);

function theirs(pages: readonly string[]): { readonly version: string; readonly results: readonly Result[] } {
  const script = `${fixtures}axe.mjs`;
  const answer = execFileSync("node", [script, references, ...pages], { encoding: "utf8", timeout: 60_000 });
  const all = Axe.parse(JSON.parse(answer));
  const results = all.map(({ violations, incomplete, ms }) => ({
    failed: tally(violations.map(({ rule }) => rule)),
    open: tally(incomplete.map(({ rule }) => rule)),
    ms,
  }));
  return { version: all[0]?.version ?? "", results };
}

const pages = PAGES.map((which) => `${fixtures}page-${which}.html`);
const axe = theirs(pages);
const results: Result[] = [];
const browser = await Browser.open();
try {
  for (const page of pages) results.push(await ours(browser, page));
} finally {
  await browser.close();
}

/** Seeded faults of the page, by the rule of ours that must find them. */
const seeded = tally(
  z.array(z.object({ id: z.string(), rule: z.string() })).parse(
    JSON.parse(readFileSync(`${fixtures}faults.json`, "utf8")),
  ).filter(({ id }) => id.startsWith("html-")).map(({ rule }) => rule),
);
const like = (rule: string) =>
  Object.entries(AXE).filter(([id, has]) => id === rule || ("rule" in has && has.rule === rule)).map(([id]) =>
    id
  );
const found = ({ failed, open }: Result, rules: readonly string[]): string => {
  const sum = (of: ReadonlyMap<string, number>) => rules.reduce((all, rule) => all + (of.get(rule) ?? 0), 0);
  return sum(open) === 0 ? `${sum(failed)}` : `${sum(failed)} + ${sum(open)} open`;
};
const [broken, repaired] = results, [theirBroken, theirRepaired] = axe.results;
if (!broken || !repaired || !theirBroken || !theirRepaired) throw new Error("a page was not judged");
const named = [
  ...new Set([...seeded.keys(), ...broken.failed.keys(), ...broken.open.keys(), ...repaired.open.keys()]),
].toSorted();
const claimed = new Set(named.flatMap(like));
const alone = [...new Set([...theirBroken.failed.keys(), ...theirBroken.open.keys()])].filter((rule) =>
  !claimed.has(rule)
);
const rows = [
  ...named.map((rule) => [rule, [rule], like(rule)] as const),
  ...alone.toSorted().map((rule) => [`${rule} (axe-core)`, [], [rule]] as const),
].map(([name, mine, other]) =>
  `| \`${name}\` | ${seeded.get(name) ?? 0} | ${found(broken, mine)} | ${
    other.length === 0 ? "no such rule" : found(theirBroken, other)
  } | ${found(repaired, mine)} | ${other.length === 0 ? "" : found(theirRepaired, other)} |`
);
const ms = (n: number) => `${n.toFixed(0)} ms`;
writeFileSync(
  at("../docs/reference/audit-beside-axe.md"),
  wrapped(`# The audit beside axe-core

\`scripts/audit-beside-axe.ts\` wrote this page on ${
    new Date().toISOString().slice(0, 10)
  }. One run judged \`tests/fixtures/audit/page-broken.html\` and its repaired twin in Chromium: the audit from outside, through accessibility and pixels, and axe-core ${axe.version} from inside, in the page.

A number is how many places a rule fails at; "open" is what a person has to look at.

| rule | seeded | audit, broken | axe-core, broken | audit, repaired | axe-core, repaired |
|---|---|---|---|---|---|
${rows.join("\n")}
| time | | ${ms(broken.ms)} | ${ms(theirBroken.ms)} | ${ms(repaired.ms)} | ${ms(theirRepaired.ms)} |

The time is the median of ${TIMES} looks. That of the audit holds reading the tree and the picture of the window; that of axe-core holds \`axe.run\` alone, which runs in the page, with every rule.
`),
);
