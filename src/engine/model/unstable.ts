import { Deadline } from "../../base/call.ts";
import { toBackstepError } from "../../base/error.ts";
import type { Application, Desktop } from "../../desktop/desktop.ts";
import { applicationFor } from "../../operations/application.ts";
import { takeTreeSnapshot, type TreeSnapshot } from "../model/tree-snapshot.ts";
import { type Change, changesBetween, isWithin } from "./tree-snapshot.ts";
import type { DesktopAccess } from "./desktop-access.ts";
import type { Reporting } from "./reporting.ts";
import { settled } from "./settle.ts";

/** How long an application is watched for what changes by itself, in milliseconds, before the first action… */
const FIRST = 100;
/** …and once more where a difference has to be explained: a clock moves once a second. */
const LONGER = 1_100;

/** What is known to change by itself in the applications of a run. */
export class Unstable {
  readonly #last = new Map<string, Map<string, string>>();

  /** The names of those elements, for people. */
  get labels(): string[] {
    return [...new Set([...this.#last.values()].flatMap((elements) => [...elements.values()]))];
  }

  /** Looks twice while nothing is done, once for each application, and answers the later picture. */
  async learn(desktop: Desktop, application: Application, deadline: Deadline): Promise<TreeSnapshot> {
    const first = await takeTreeSnapshot(desktop, application, deadline);
    if (this.#last.has(application.bus)) return first;
    this.#last.set(application.bus, new Map());
    await settled(desktop, FIRST, deadline);
    const second = await takeTreeSnapshot(desktop, application, deadline, first);
    this.#note(application, changesBetween(first, second));
    return second;
  }

  /** The changes that something else than time explains; looks once more where there are any. */
  async explain(
    changes: readonly Change[],
    now: TreeSnapshot,
    desktop: Desktop,
    deadline: Deadline,
  ): Promise<Change[]> {
    const { application } = now.snapshot.origin;
    const unknown = this.#without(changes, application);
    if (unknown.length === 0) return unknown;
    await waitFor(desktop, application, deadline.within(LONGER));
    this.#note(application, changesBetween(now, await takeTreeSnapshot(desktop, application, deadline, now)));
    return this.#without(unknown, application);
  }

  #without(changes: readonly Change[], { bus }: Application): Change[] {
    const existing = this.#last.get(bus) ?? new Map<string, string>();
    return changes.filter(({ key }) => !isWithin(key, existing.keys()));
  }

  #note({ bus }: Application, changes: readonly Change[]): void {
    const existing = this.#last.get(bus) ?? new Map<string, string>();
    for (const { key, participant } of changes) existing.set(key, participant);
    this.#last.set(bus, existing);
  }
}

/** Until the application tells of a change, or for as long as the deadline allows. */
async function waitFor(desktop: Desktop, application: Application, deadline: Deadline): Promise<void> {
  const watch = desktop.watch(application);
  try {
    await watch.next(deadline.call());
  } finally {
    watch.close();
  }
}

/** The whole application that steps mean, as it is now; undefined when there is none, or it does not answer. */
export async function treeSnapshotFor(
  run: Pick<DesktopAccess, "session" | "deadline"> & Reporting & { readonly unstable: Unstable },
  app: string | undefined,
  milliseconds: number,
): Promise<TreeSnapshot | undefined> {
  const deadline = Deadline.after(milliseconds, run.deadline.signal);
  const { session } = run;
  try {
    const application = await applicationFor({ session, desktop: session.desktop, deadline, app }, undefined);
    return await run.unstable.learn(session.desktop, application, deadline);
  } catch (thrown) {
    const { code, message } = toBackstepError(thrown);
    if (code === "cancelled") throw thrown;
    // Where none is meant, or it does not run yet, there is nothing to compare.
    if (code !== "app_not_running" && code !== "invalid" && code !== "ambiguous") {
      run.emit({ event: "note", level: "warning", message: `What else differs is not known: ${message}` });
    }
    return undefined;
  }
}
