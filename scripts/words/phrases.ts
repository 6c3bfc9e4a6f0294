import { isExcepted } from "./exceptions.ts";
import { PHRASES } from "./rules.ts";

/** A forbidden phrase that was found. */
export interface FoundPhrase {
  readonly phrase: string;
  readonly say: string;
  /** Where it begins in the text. */
  readonly at: number;
}

/** The forbidden phrases of a text of a file, also where a line ends in the middle of one. */
export function phrasesIn(file: string, text: string): FoundPhrase[] {
  const flat = text.replace(/\n(?: *\*)? */g, (gap) => gap.replaceAll(/[^ ]/g, " "));
  // A gap of several spaces counts as one, without moving what comes after it.
  return PHRASES.flatMap(({ phrase, say, except }) => {
    const found = [...flat.matchAll(spaced(phrase))];
    if (found.length === 0 || isExcepted(file, except)) return [];
    return found.map((one) => ({ phrase: one[0].replaceAll(/ +/g, " "), say, at: one.index }));
  });
}

function spaced(phrase: RegExp): RegExp {
  return new RegExp(phrase.source.replaceAll(" ", " +"), phrase.flags);
}
