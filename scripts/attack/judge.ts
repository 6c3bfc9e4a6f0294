import { finished } from "./laws/finished.ts";
import type { Falsehood } from "./laws/facts.ts";
import { fired } from "./laws/fired.ts";
import { changed, held } from "./laws/held.ts";
import { restored } from "./laws/restored.ts";
import type { Played } from "./play.ts";

export type { Falsehood } from "./laws/facts.ts";

/** Every false verdict of a play, by the application's own account. */
export function judge(play: Played): Falsehood[] {
  if (play.account.lost) return finished(play);
  return [restored, held, changed, fired, finished].flatMap((law) => law(play));
}
