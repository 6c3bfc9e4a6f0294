import type { History } from "./live.ts";
import { exitFits, journalHasAll, passedIsTrue, pressedOnce, ranToItsEnd } from "./laws.ts";
import { judgeScope } from "./judge-scope.ts";
import { scopesOf } from "./scopes.ts";
import { changesOf } from "./values.ts";

/** An invariant that does not hold, in words. */
export interface Breach {
  /** Which: "restored", "named", "overwritten", "needless", "caret", "open", "landed", "twice", "journal", "exit", "passed", "repeated", "end". */
  readonly law: string;
  readonly why: string;
}

/** Everything that is wrong with a history, judged by the world's own log. */
export function judge(history: History): Breach[] {
  const finished = ranToItsEnd(history);
  if (finished.length > 0 || history.result === undefined) return finished;
  const changes = changesOf(history);
  const scopes = scopesOf(history);
  return [
    ...scopes.flatMap((scope, index) => judgeScope(scope, scopes.slice(0, index), changes, history)),
    ...journalHasAll(history),
    ...exitFits(history),
    ...passedIsTrue(history, changes),
    ...pressedOnce(history, changes),
  ];
}
