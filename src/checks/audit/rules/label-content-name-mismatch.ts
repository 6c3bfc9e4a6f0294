import { Role } from "../../../desktop/roles.ts";
import { BUTTONS, TOGGLES } from "../kinds.ts";
import type { Rect } from "../../../desktop/desktop.ts";
import type { Rule } from "../rule.ts";
import type { Scene } from "../scene.ts";

/** Pixels between boxes that touch, and by which they are rounded. */
const SEAM = 2;
const WORDS: ReadonlySet<number> = new Set([Role.label, Role.static, Role.panel, Role.filler, Role.section]);

/** The letters and digits of a text, in small ones, a space before and after each word. */
function words(text: string): string {
  return ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim()} `;
}

/** Is it no word, such as "×", "…" or "X": nothing that a person would say? */
function isSymbol(shown: string): boolean {
  return shown === "" || (Array.from(shown).length === 1 && !/\p{N}/u.test(shown));
}

/** What a control shows, piece by piece as it lies on the screen; undefined where pieces lie over each other. */
function shownBy(scene: Scene, row: number): string | undefined {
  const { snapshot } = scene;
  if (!scene.web) return scene.content(row, (at) => WORDS.has(snapshot.role(at)));
  let shown = "";
  let last: Rect | undefined;
  for (let at = row + 1; at < snapshot.end(row); at++) {
    if (snapshot.role(at) !== Role.static || !scene.visible(at)) continue;
    const rect = snapshot.rect(at);
    const apart = last === undefined || rect === undefined ? 1 : rect.x - (last.x + last.width);
    const sameLine = last !== undefined && rect !== undefined && Math.abs(rect.y - last.y) < rect.height / 2;
    // What is clipped away lies where the next piece is.
    if (sameLine && apart < -SEAM && (last?.x ?? 0) <= (rect?.x ?? 0) + (rect?.width ?? 0)) return undefined;
    // Pieces of one word are boxes side by side.
    shown += (sameLine && Math.abs(apart) <= SEAM ? "" : " ") + snapshot.name(at);
    last = rect;
  }
  // Of a button that holds nothing but a text, that text is all that is reported.
  return shown === "" ? (snapshot.text(row) ?? "") : shown;
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
      if (scene.web && scene.nameFrom(row) === "contents") continue;
      // GTK and Qt tell a page as what its tab holds.
      if (!scene.web && scene.snapshot.role(row) === Role.pageTab) continue;
      const name = scene.name(row);
      const shown = shownBy(scene, row);
      if (shown === undefined) {
        tell.unsure(row, `pieces of what it shows lie over each other; it is called ${JSON.stringify(name)}`);
        continue;
      }
      if (name === "" || isSymbol(words(shown).trim())) continue;
      if (words(name).includes(words(shown))) tell.pass(row);
      else tell.fail(row, `it shows ${JSON.stringify(shown.trim())} and is called ${JSON.stringify(name)}`);
    }
  },
};
