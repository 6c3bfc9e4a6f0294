import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Application, Desktop, ElementRef, SnapshotField } from "../desktop.ts";
import type { Snapshot } from "../snapshot.ts";
import { label } from "./label.ts";

/** Where an element stands in its application right now. */
export interface Place {
  readonly application: Application;
  readonly snapshot: Snapshot;
  readonly row: number;
}

/** The application that an element belongs to: `app_gone` when it left. */
export async function applicationOf(
  desktop: Desktop,
  element: ElementRef,
  deadline: Deadline,
): Promise<Application> {
  const applications = await desktop.applications(deadline.call());
  const application = applications.find((a) => a.bus === element.bus);
  if (application) return application;
  throw new BackstepError(
    "app_gone",
    `Cannot use ${label(element)}: its application is not running any more`,
  );
}

/** A fresh picture of the tree around an element: `stale` when the element is not in it. */
export async function placeOf(
  desktop: Desktop,
  element: ElementRef,
  deadline: Deadline,
  fields: readonly SnapshotField[],
): Promise<Place> {
  const application = await applicationOf(desktop, element, deadline);
  const snapshot = await desktop.snapshot(application, { ...deadline.call(), fields });
  const row = snapshot.rowOf(element);
  if (row >= 0) return { application, snapshot, row };
  throw new BackstepError("stale", `Cannot use ${label(element)}: it is gone`, {
    hint: "Look it up again: the interface changed since it was found.",
  });
}

/** Rows from the parent of `row` up to the root. */
export function ancestors(snapshot: Snapshot, row: number): number[] {
  const rows: number[] = [];
  for (let up = snapshot.parent(row); up >= 0; up = snapshot.parent(up)) rows.push(up);
  return rows;
}
