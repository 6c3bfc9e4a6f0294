import type { Played } from "../play.ts";
import { DEADLINE } from "../play.ts";
import type { Falsehood } from "./facts.ts";

/** The run ends in its time and without throwing, its journal is closed, and its exit code is what its verdict says. */
export function finished(play: Played): Falsehood[] {
  const { result, thrown, milliseconds, lastLine, account } = play;
  const found: Falsehood[] = [];
  if (thrown !== undefined) {
    found.push({ law: "ended", why: `it threw ${thrown instanceof Error ? thrown.stack : String(thrown)}` });
  }
  if (milliseconds > DEADLINE) {
    found.push({ law: "ended", why: `it took ${Math.round(milliseconds)} ms, more than ${DEADLINE}` });
  }
  if (lastLine !== "end") found.push({ law: "journal", why: `its journal ends with "${lastLine}"` });
  const wrong = account.disagreements();
  if (wrong.length > 0) {
    found.push({ law: "account", why: `the application's account of ${wrong.join(", ")} is not what it is` });
  }
  if (result) {
    const { status, exit, rollback: { verdict } } = result;
    const fits = status === "passed"
      ? exit === 0
      : exit === 4 || (verdict === "failed" ? false : verdict === "drift" ? exit === 3 : exit === 1);
    if (!fits) {
      found.push({
        law: "exit",
        why: `exit ${exit} of a run that ${status}, with a rollback that says ${verdict}`,
      });
    }
  }
  return found;
}
