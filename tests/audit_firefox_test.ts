import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { Browser } from "../scripts/act/browser.ts";
import { lookAt } from "../scripts/act/look.ts";
import { faults, fixture, type Which } from "./_audit.ts";
import { isInstalled } from "./_installed.ts";

const missing = !isInstalled("/usr/bin/firefox-esr");

/** Rules whose fault is not found in Firefox, and why. */
const UNSEEN: Readonly<Record<string, string>> = {
  accesskeys: "the rule reads the attribute that Chromium reports",
  "hidden-focus": "what is aria-hidden is in no tree",
  "label-title-only": "Firefox does not report that a name is from a tooltip",
  "required-attr": "Firefox makes a number up for a slider that has none",
  "scrollable-region-focusable": "Firefox lets what scrolls have the focus",
  "valid-lang": "the rule did not see the language of a part",
};
/** Rules that find what Chromium hides. */
const MORE: Readonly<Record<string, string>> = {
  locale: "Firefox reports no language for a page that names none",
};

/** How often each rule fails on a page. */
async function failedIn(browser: Browser, which: Which): Promise<Map<string, number>> {
  const application = await browser.show(pathToFileURL(fixture("html", which)).href);
  const { issues } = await lookAt(browser.session, application, ["wcag_aa"]);
  return new Map([...Map.groupBy(issues, ({ rule }) => rule)].map(([rule, all]) => [rule, all.length]));
}

Deno.test({
  name: `the seeded faults of the page are found in Firefox, and none on its repaired twin${
    missing ? ": not run, firefox-esr is not installed" : ""
  }`,
  ignore: missing,
}, async () => {
  const browser = await Browser.open("firefox");
  try {
    const broken = await failedIn(browser, "broken");
    const seeded = new Set(faults.filter(({ id }) => id.startsWith("html-")).map(({ rule }) => rule));
    assert.deepEqual([...seeded].filter((rule) => !broken.has(rule)).toSorted(), Object.keys(UNSEEN));
    assert.deepEqual([...broken.keys()].filter((rule) => !seeded.has(rule)).toSorted(), Object.keys(MORE));
    assert.deepEqual([...await failedIn(browser, "repaired")], []);
  } finally {
    await browser.close();
  }
});
