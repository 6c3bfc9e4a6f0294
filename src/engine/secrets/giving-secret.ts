import { Deadline } from "../../base/call.ts";
import { toBackstepError } from "../../base/error.ts";
import type { Touch } from "../../contract/recording-desktop.ts";
import type { Application } from "../../desktop/desktop.ts";
import { applicationFor } from "../../operations/application.ts";
import type { Journaling } from "../journal/journaling.ts";
import type { Budgeted } from "../model/budgets.ts";
import type { DesktopAccess } from "../model/desktop-access.ts";
import type { Masking } from "./masking.ts";

/** A step that gives a secret to an application, from before it acts until what it set off is seen. */
export interface Taking {
  /** It is about to do something to an element, or to press keys. */
  touched(touch: Touch): void;
  over(): Promise<void>;
}

/** A step is about to act; undefined: no secret goes in. */
export async function beginTaking(
  secret: boolean,
  app: string | undefined,
  run: DesktopAccess & Budgeted & Masking,
): Promise<Taking | undefined> {
  const { withheld, session, budgets, hardStop } = run;
  if (!withheld.active) return undefined;
  withheld.over();
  if (!secret) return undefined;
  const { desktop } = session;
  await withheld.before(desktop, await applicationsOf(app, run), run.deadline);
  let typed = false;
  return {
    touched({ do: what, element }) {
      if (element) withheld.received(element);
      else typed ||= what === "type" || what === "press";
    },
    async over() {
      // The step's own time may be over; what it set off is looked at all the same.
      const deadline = Deadline.after(budgets.settle, hardStop);
      await withheld.after(desktop, await applicationsOf(app, run), deadline, typed);
    },
  };
}

/** What was found to be withheld is written down: another process may take the run back. */
export function keepWithheld(path: string, { withheld, journal }: Masking & Journaling): void {
  const elements = withheld.take();
  if (elements.length === 0) return;
  journal.write({ kind: "withheld", path, elements: elements.map((one) => [one.bus, one.path] as const) });
}

/** Everything on a desktop of our own; on a person's only what the step means. "unknown": nobody can say. */
async function applicationsOf(
  app: string | undefined,
  { session, deadline }: DesktopAccess,
): Promise<readonly Application[] | "unknown"> {
  const { desktop } = session;
  try {
    if (session.kind !== "attached") return await desktop.applications(deadline.call());
    return [await applicationFor({ session, desktop, deadline, app }, undefined)];
  } catch (thrown) {
    const { code } = toBackstepError(thrown);
    return code === "app_not_running" ? [] : "unknown";
  }
}
