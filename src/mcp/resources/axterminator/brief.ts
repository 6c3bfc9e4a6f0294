import { cut } from "../../../desktop/describe.ts";

/** Characters of a text or name in an answer; longer ones end in "…". */
const MOST = 200;

/** Text cut to a length that fits an answer. */
export function brief(text: string): string {
  return cut(text, MOST);
}
