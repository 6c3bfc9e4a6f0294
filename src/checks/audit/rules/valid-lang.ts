import { Role } from "../../../desktop/roles.ts";
import { isLanguage } from "../language.ts";
import type { Rule } from "../rule.ts";

/** Every text that says its language names one that there is. */
export const validLang: Rule = {
  id: "valid-lang",
  criterion: { number: "3.1.2", title: "Language of Parts", level: "AA", version: "2.0" },
  section508: ["E207.2"],
  impact: "serious",
  help: "Every text that says its language names one that there is.",
  suggestion: 'Name the language by its code, such as lang="de".',
  check(scene, tell) {
    // Other toolkits report the language of the environment.
    if (!scene.web) return;
    for (const row of scene.ofRole(Role.static)) {
      const language = scene.snapshot.textStyle(row)["language"]?.trim() ?? "";
      // A text that says nothing has the language of its page.
      if (language === "" || scene.name(row) === "") continue;
      if (isLanguage(language)) tell.pass(row);
      else tell.fail(row, `it says that its language is ${JSON.stringify(language)}, which does not exist`);
    }
  },
};
