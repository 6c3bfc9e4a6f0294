import { ended } from "./laws/ended.ts";
import type { Falsehood } from "./laws/facts.ts";
import { fired } from "./laws/fired.ts";
import { changed, held } from "./laws/held.ts";
import { restored } from "./laws/restored.ts";
import type { Played } from "./play.ts";

export type { Falsehood } from "./laws/facts.ts";

/** Every false verdict of a play, by the application's own account. */
export function judge(play: Played): Falsehood[] {
  if (play.account.lost) return ended(play);
  return [restored, held, changed, fired, ended].flatMap((law) => law(play));
}
