/**
 * Writes docs/reference/action-names.md: does every accessible action of the fixtures in tests/fixtures/truth on real
 * toolkits, and says what the application wrote down of it. Run by hand, when a fixture or a toolkit changed: a minute and
 * a half. `tests/truth_actions_test.ts` holds the page to the toolkits.
 *
 * @module
 */
import { writeFileSync } from "node:fs";
import { measure } from "./action-names/measure.ts";
import { pageOf, sectionOf } from "./action-names/page.ts";
import { Stage, TOOLKITS } from "./action-names/stage.ts";

if (import.meta.main) {
  const sections: string[] = [];
  for (const toolkit of TOOLKITS) {
    await using stage = await Stage.open(toolkit);
    sections.push(sectionOf(toolkit, await measure(stage)));
  }
  writeFileSync(new URL("../docs/reference/action-names.md", import.meta.url), pageOf(sections));
}
