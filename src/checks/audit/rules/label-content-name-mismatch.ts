import { Role } from "../../../desktop/roles.ts";
import { BUTTONS, TOGGLES } from "../kinds.ts";
import type { Rule } from "../rule.ts";

const WORDS: ReadonlySet<number> = new Set([Role.label, Role.static, Role.panel, Role.filler, Role.section]);

/** The letters and digits of a text, in small ones, a space between words. */
function words(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}

/** The name of a control holds the words that it shows. */
export const labelContentNameMismatch: Rule = {
  id: "label-content-name-mismatch",
  criterion: { number: "2.5.3", title: "Label in Name", level: "A", version: "2.1" },
  section508: [],
  impact: "serious",
  help: "The name of a control holds the words that it shows.",
  suggestion: "Begin the name with the words that can be seen: people who speak to their computer say those.",
  check(scene, tell) {
    for (const row of scene.ofRole(...BUTTONS, ...TOGGLES, Role.link, Role.pageTab)) {
      if (scene.toolkit === "chromium" && scene.attribute(row, "name-from") === "contents") continue;
      // GTK and Qt tell a page as what its tab holds.
      if (scene.toolkit !== "chromium" && scene.snapshot.role(row) === Role.pageTab) continue;
      const name = scene.name(row);
      const shown = scene.content(row, (at) => WORDS.has(scene.snapshot.role(at)));
      // What is no word, such as "×" or "…", says nothing that could be said.
      if (name === "" || words(shown).length < 2) continue;
      if (words(name).includes(words(shown))) tell.pass(row);
      else tell.fail(row, `it shows ${JSON.stringify(shown)} and is called ${JSON.stringify(name)}`);
    }
  },
};
