/** Characters that are keys, and go on to something else or do something: what follows them may reach another element. */
const KEYS = /[\p{Cc}]/u;
/** Characters of one piece: a window that comes up meanwhile gets no more than these. */
const MOST = 64;

/**
 * A text in the pieces in which it is judged and typed: each control character alone, and what stands between them in bounds.
 *
 * @example
 * ```ts
 * import { inPieces } from "./pieces.ts";
 * if (inPieces("ab\tc").join("|") !== "ab|\t|c") throw new Error();
 * ```
 */
export function inPieces(text: string): string[] {
  const pieces: string[] = [];
  let piece = "", length = 0;
  const end = () => {
    if (piece !== "") pieces.push(piece);
    [piece, length] = ["", 0];
  };
  for (const character of text) {
    if (KEYS.test(character)) {
      end();
      pieces.push(character);
    } else {
      piece += character;
      if (++length >= MOST) end();
    }
  }
  end();
  return pieces;
}
