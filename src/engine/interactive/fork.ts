import { BackstepError, toBackstepError } from "../../base/error.ts";
import type { RunListener } from "../../contract/events.ts";
import type { Difference } from "../../contract/participant.ts";
import type { Session } from "../../session/session.ts";
import type { TreeSnapshot } from "../model/tree-snapshot.ts";
import type { FileNow, GoOn, Stop } from "./steering.ts";
import { CannotGoBack } from "./go-back.ts";

/** One way on from a step. */
export interface Branch {
  readonly name: string;
  /** The file with the steps of this branch; those before the step must be the same. Default: the run's. */
  readonly file?: FileNow;
  /** Makes the private desktop that it runs on. */
  open(): Promise<Session>;
  readonly listener?: RunListener;
}

/** What became of a branch. Whoever asked for it ends the run and closes the session, where they are there. */
export interface Fork<R> {
  readonly name: string;
  readonly session: Session | undefined;
  readonly interactive: R | undefined;
  /** Where it came to; undefined: it did not get to the step. */
  readonly stop: Stop | undefined;
  /** In what its desktop differed from the first one's before the step; then it did not go on. */
  readonly drift: readonly Difference[];
  readonly error?: BackstepError;
}

/** A run that a branch can have. */
interface Goes {
  goOn(options: GoOn): Promise<Stop>;
  differs(tree: TreeSnapshot | undefined, app: string | undefined): Promise<readonly Difference[]>;
}

/** Throws `barrier` where what is before the step reached outside: it would do so once more. */
export function mustFork(path: string, outward: string | undefined): void {
  if (outward === undefined) return;
  throw new CannotGoBack("barrier", `Cannot fork before step ${path}: ${outward}`, {
    hint: "A fork runs the steps before it again. Fork before that step.",
  });
}

/** Runs the steps before a step on a desktop of the branch, compares it with the first one, and goes on with the branch's steps. */
export async function forked<R extends Goes>(
  { name, file, open, listener }: Branch,
  { path, tree, app }: {
    readonly path: string;
    readonly tree: TreeSnapshot | undefined;
    readonly app: string | undefined;
  },
  begin: (session: Session, listener: RunListener | undefined) => Promise<R>,
): Promise<Fork<R>> {
  let session: Session | undefined;
  let interactive: R | undefined;
  let drift: readonly Difference[] = [];
  try {
    session = await open();
    interactive = await begin(session, listener);
    const there = await interactive.goOn({ until: path });
    if (there.why !== "until") {
      const error = there.error ??
        new BackstepError("drift", `Cannot fork: the steps ended before step ${path}`);
      return { name, session, interactive, stop: undefined, drift, error };
    }
    drift = await interactive.differs(tree, app);
    if (drift.length > 0) {
      const error = new BackstepError(
        "drift",
        `Cannot fork before step ${path}: the new desktop is not as the first was`,
      );
      return { name, session, interactive, stop: undefined, drift, error };
    }
    const stop = await interactive.goOn(file === undefined ? {} : { file });
    return { name, session, interactive, stop, drift, ...(stop.error ? { error: stop.error } : {}) };
  } catch (thrown) {
    return { name, session, interactive, stop: undefined, drift, error: toBackstepError(thrown) };
  }
}
