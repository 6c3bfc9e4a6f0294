import { Deadline } from "../../src/base/call.ts";
import type { Application, SnapshotField } from "../../src/desktop/desktop.ts";
import { Role } from "../../src/desktop/roles.ts";
import type { Snapshot } from "../../src/desktop/snapshot.ts";
import { rowHas } from "../../src/desktop/state-words.ts";
import { isWeb } from "../../src/desktop/toolkits.ts";
import type { Session } from "../../src/session/session.ts";
import type { Stage } from "../../src/intelligence/_stages.ts";

/** What is read. */
export const FIELDS: readonly SnapshotField[] = ["extents", "text", "value", "id", "attributes"];

/** Starts an application, brings it where it is wanted, and reads it once it stands still. */
export async function show(session: Session, stage: Stage): Promise<Snapshot> {
  const deadline = Deadline.after(40_000);
  const { desktop } = session;
  const { processId } = await session.launcher.launch(stage.program, {
    ...(stage.args ? { args: stage.args } : {}),
    ...deadline.call(),
  });
  const application = await applicationOf(session, processId, deadline);
  let snapshot = await still(session, application, deadline);
  if (stage.text !== undefined) {
    await desktop.typeText(stage.text, deadline.call());
    snapshot = await still(session, application, deadline);
  }
  for (const keys of stage.keys ?? []) {
    const before = snapshot.size;
    await desktop.pressKeys(keys, deadline.call());
    do snapshot = await still(session, application, deadline); while (snapshot.size === before);
  }
  return snapshot;
}

/** The application of a process, once it is on the bus. */
export async function applicationOf(
  session: Session,
  pid: number,
  deadline: Deadline = Deadline.after(10_000),
): Promise<Application> {
  const watch = session.desktop.watch();
  try {
    for (;;) {
      const found = (await session.desktop.applications(deadline.call())).find((one) => one.pid === pid);
      if (found !== undefined) return found;
      if (deadline.passed) throw new Error(`process ${pid} did not come`);
      await watch.next(deadline.within(200).call());
      watch.take();
    }
  } finally {
    watch.close();
  }
}

/** Two looks that are the same, with nothing told for a while in between. */
async function still(session: Session, application: Application, deadline: Deadline): Promise<Snapshot> {
  const { desktop } = session;
  const watch = desktop.watch(application);
  try {
    let before: Snapshot | undefined;
    for (;;) {
      const now = await desktop.snapshot(application, { ...deadline.call(), fields: FIELDS });
      if (before !== undefined && now.size > 1 && sameTree(before, now) && hasPage(now)) return now;
      if (deadline.passed) throw new Error(`${application.name} does not come to rest`);
      before = now;
      await watch.next(deadline.within(300).call());
      watch.take();
    }
  } finally {
    watch.close();
  }
}

/** A browser shows itself before its page. */
function hasPage(snapshot: Snapshot): boolean {
  if (!isWeb(snapshot.origin.application)) return true;
  for (let row = 0; row < snapshot.size; row++) {
    if (
      snapshot.role(row) === Role.documentWeb && snapshot.end(row) > row + 1 &&
      rowHas(snapshot, row, "visible")
    ) return true;
  }
  return false;
}

/** Places are left out: what turns or grows by itself never rests. */
function sameTree(a: Snapshot, b: Snapshot): boolean {
  return a.size === b.size && a.columns.role.join() === b.columns.role.join();
}
