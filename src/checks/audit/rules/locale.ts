import { Role } from "../../../desktop/roles.ts";
import { isLanguage } from "../language.ts";
import type { Rule } from "../rule.ts";
import type { Scene } from "../scene.ts";

/** The language of the first text in a document that tells how it is set; undefined: none does. */
function languageIn(scene: Scene, page: number): string | undefined {
  const { snapshot } = scene;
  for (let row = page; row < snapshot.end(page); row++) {
    const style = snapshot.textStyle(row);
    if (Object.keys(style).length > 0) return (style["language"] ?? "").trim().toLowerCase();
  }
  return undefined;
}

/** A document says in which language it is. */
export const locale: Rule = {
  id: "locale",
  criterion: { number: "3.1.1", title: "Language of Page", level: "A", version: "2.0" },
  section508: ["E207.2"],
  impact: "serious",
  help: "A document says in which language it is.",
  suggestion: "Say it (<html lang>, the locale of the document): speech needs it to pronounce the words.",
  check(scene, tell) {
    for (const page of scene.ofRole(Role.documentWeb, Role.documentText)) {
      const language = languageIn(scene, page);
      if (language === undefined) continue;
      if (language === "") tell.fail(page, "it does not report the language of its texts");
      else if (scene.web && !isLanguage(language)) {
        tell.fail(page, `it reports the language ${JSON.stringify(language)}, which does not exist`);
      } else if (language === "c") {
        tell.unsure(page, "its language is from an environment without a language (C)");
      } else tell.pass(page);
    }
  },
};
