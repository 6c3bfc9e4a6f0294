import { toBackstepError } from "../base/error.ts";
import type { Context } from "../contract/operation.ts";
import { match, type Selector, withoutPlaces } from "../desktop/selector/mod.ts";
import { isSameRow } from "./first-kept.ts";
import type { Look } from "./target.ts";

/** So many that could match are asked what they hold; of more, the tree is read. */
const MOST = 32;
/** Elements inside of each that are read for it. */
const INSIDE = 200;

/**
 * Of what a look found, those that hold what is asked: each is read with what is inside of it. Undefined: the tree is to be read to
 * tell; also that nothing does, unless what is kept was compared before.
 */
export async function withContents(
  { desktop, deadline }: Context,
  seen: Look,
  selector: Selector,
  proven: boolean,
): Promise<Look | undefined> {
  const { snapshot, rows, application, strategy } = seen;
  const judged = withoutPlaces(selector);
  if (rows.length > MOST || judged === undefined) return undefined;
  try {
    const holds = await Promise.all(rows.map(async (row) => {
      const inside = await desktop.snapshot(application, {
        ...deadline.call(),
        root: snapshot.element(row),
        fields: ["text", "value", "id"],
        maxNodes: INSIDE,
      });
      const same = isSameRow(snapshot, row, inside) && inside.origin.cut.length === 0;
      return same ? match(judged, inside).includes(0) : undefined;
    }));
    if (holds.includes(undefined)) return undefined;
    const found = rows.filter((_, at) => holds[at]);
    return found.length === 0 && !proven ? undefined : { application, snapshot, rows: found, strategy };
  } catch (thrown) {
    if (toBackstepError(thrown).code !== "stale") throw thrown;
    return undefined;
  }
}
