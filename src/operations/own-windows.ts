import type { Context } from "../contract/operation.ts";
import type { Application, Window } from "../desktop/desktop.ts";

/** The windows of an application, the one in front first and minimised ones last: as indices count them. */
export async function ownWindows(
  { desktop, deadline }: Pick<Context, "desktop" | "deadline">,
  application: Application,
): Promise<Window[]> {
  const own = (await desktop.windows(deadline.call()))
    .filter(({ pid, popup }) => pid === application.pid && !popup)
    .reverse();
  const rank = ({ active, minimised }: Window) => active ? 0 : minimised ? 2 : 1;
  return own.sort((a, b) => rank(a) - rank(b));
}
