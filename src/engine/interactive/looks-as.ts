import { Deadline } from "../../base/call.ts";
import type { Difference } from "../../contract/participant.ts";
import { changesBetween, plain, type TreeSnapshot } from "../model/tree-snapshot.ts";
import { settled } from "../model/settle.ts";
import { treeSnapshotFor } from "../model/unstable.ts";
import type { RunContext } from "../run/run-context.ts";

/** Milliseconds that a desktop is given to look as another one did. */
const SHOWS = 5_000;
/** Milliseconds for one look. */
const LOOK = 5_000;

/** In what the application differs from how it was on another desktop, once it had its time; empty: in nothing. */
export async function differencesFrom(
  tree: TreeSnapshot | undefined,
  app: string | undefined,
  run: RunContext,
): Promise<Difference[]> {
  const limit = Deadline.after(SHOWS, run.deadline.signal);
  for (;;) {
    if (tree) await settled(run.session.desktop, 100, limit);
    const now = await treeSnapshotFor(run, app, LOOK);
    if (!tree) {
      if (!now) return [];
      return [{ participant: app ?? "an application", property: "exists", expected: false, actual: true }];
    }
    if (now) {
      const changes = changesBetween(tree, now);
      if (changes.length === 0) return [];
      if (limit.passed) {
        const { desktop } = run.session;
        return (await run.unstable.explain(changes, now, desktop, Deadline.after(LOOK))).map(plain);
      }
    } else if (limit.passed) {
      return [{ participant: app ?? "the application", property: "exists", expected: true, actual: false }];
    }
  }
}
