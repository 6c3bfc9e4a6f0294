import { phrasesIn } from "./phrases.ts";
import { isFixed, WIDTH } from "./wrap.ts";

/** What is forbidden in any text, as `file:line: what`. */
export function faultsInText(file: string, text: string): string[] {
  const lineAt = (at: number) => text.slice(0, at).split("\n").length;
  return phrasesIn(file, text).map(({ phrase, say, at }) => `${file}:${lineAt(at)}: "${phrase}": say ${say}`);
}

/** What is forbidden in a page, as `file:line: what`. What stands in code is not prose. */
export function faultsInPage(file: string, page: string): string[] {
  return [
    ...faultsInText(file, withoutCode(page)),
    ...tooWide(page).map((line) => `${file}:${line}: wrap it at ${WIDTH}`),
  ];
}

/** The page with blanks for the code in it, so that places stay. */
function withoutCode(page: string): string {
  return page.replaceAll(
    /^(?:```|~~~)[^]*?^(?:```|~~~)|`[^`\n]+`/gm,
    (code) => code.replaceAll(/[^\n]/g, "_"),
  );
}

/** Lines, from 1, that are too wide and could be wrapped: no table, no code, no heading, no address. */
function tooWide(page: string): number[] {
  let code = false;
  return page.split("\n").flatMap((line, index) => {
    if (/^ *(?:```|~~~)/.test(line)) code = !code;
    if (code || line.length <= WIDTH || isFixed(line)) return [];
    // A word that is as wide by itself cannot be wrapped.
    return line.split(" ").some((word) => word.length > WIDTH - 8) ? [] : [index + 1];
  });
}
