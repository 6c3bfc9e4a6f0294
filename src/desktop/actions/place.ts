import type { Deadline } from "../../base/call.ts";
import { defined } from "../../base/defined.ts";
import { BackstepError } from "../../base/error.ts";
import type { Desktop, SnapshotField, SnapshotOptions } from "../desktop.ts";
import type { Application, ElementRef } from "../element.ts";
import { behavingAs } from "../embedded.ts";
import { confirm, isRecycled } from "../identity.ts";
import type { Snapshot } from "../snapshot.ts";
import { Role } from "../roles.ts";
import { isSwing, readdressesItems, tellsByElement } from "../toolkits.ts";
import { visiblePart } from "../visible.ts";
import { label } from "./label.ts";
import { isSheetCell } from "./sheet-cell.ts";

/** Where an element stands in its application right now. */
export interface Place {
  readonly application: Application;
  readonly snapshot: Snapshot;
  readonly row: number;
  /**
   * When the application had told it, in milliseconds of `performance.now()`: in a tree that is kept, all places that are to be
   * used. Absent: as the snapshot's origin says.
   */
  readonly readAt?: number;
}

/** The application that an element belongs to: `app_gone` when it left. */
export async function applicationOf(
  desktop: Desktop,
  element: ElementRef,
  deadline: Deadline,
): Promise<Application> {
  const isIts = ({ bus }: Application) => bus === element.bus;
  // Whatever is asked of one that left since says so itself.
  const application = (await desktop.applications({ ...deadline.call(), recent: true })).find(isIts) ??
    (await desktop.applications(deadline.call())).find(isIts);
  if (application) return behavingAs(application, element);
  throw new BackstepError(
    "app_gone",
    `Cannot use ${label(element)}: its application is not running any more`,
  );
}

/**
 * A fresh picture of the tree around an element: `stale` when the element is not in it. With `recent`, one that was read for this
 * step a moment ago does.
 */
export async function placeOf(
  desktop: Desktop,
  element: ElementRef,
  deadline: Deadline,
  fields: readonly SnapshotField[],
  { recent }: { readonly recent?: true } = {},
): Promise<Place> {
  const application = await applicationOf(desktop, element, deadline);
  // Without ids, what is acted on from here would be taken for something else.
  const snapshot = await desktop.snapshot(application, {
    ...deadline.call(),
    fields: [...fields, "id"],
    ...defined({ recent }),
  });
  const row = snapshot.rowOf(element);
  if (row >= 0) {
    requireSame(element, snapshot, row);
    return { application, snapshot, row };
  }
  if (readdressesItems(application) || element.fingerprint.role === Role.tableCell) {
    const twin = await twinOf(desktop, application, element, deadline, fields, snapshot);
    if (twin !== undefined) return twin;
  }
  throw new BackstepError("stale", `Cannot use ${label(element)}: it is gone`, {
    hint: "Find it again: the interface has changed since it was found.",
  });
}

/** An element and what is inside of it (`maxDepth`: so deep), read afresh: it is row 0. Errors: `stale` when it is another by now. */
export async function insideOf(
  desktop: Desktop,
  element: ElementRef,
  deadline: Deadline,
  fields: readonly SnapshotField[],
  { maxDepth }: Pick<SnapshotOptions, "maxDepth"> = {},
): Promise<Place> {
  const application = await applicationOf(desktop, element, deadline);
  const snapshot = await desktop.snapshot(application, {
    ...deadline.call(),
    ...defined({ maxDepth }),
    root: element,
    fields: [...fields, "id"],
  });
  requireSame(element, snapshot, 0);
  return { application, snapshot, row: 0 };
}

/** Throws `stale` where a row shows something else than its element did. Names may follow what is shown: Qt's rows of tabs. */
export function requireSame(element: ElementRef, snapshot: Snapshot, row: number): void {
  const found = snapshot.element(row).fingerprint;
  if (isRecycled(element.fingerprint, found)) confirm(`use ${label(element)}`, element, found);
}

/** What is kept of an application, for who looks for one element in it; with `recent`, what was asked for this step does. */
export function keptAround(
  desktop: Desktop,
  application: Application,
  { fingerprint }: ElementRef,
  deadline: Deadline,
  how: { readonly recent?: true },
): Promise<Snapshot> {
  return desktop.snapshot(application, {
    ...deadline.call(),
    ...how,
    source: "remembered",
    fields: ["id"],
    roles: [fingerprint.role],
  });
}

/** Milliseconds for which a tree that was read does for who needs it next. */
const RECENT = 100;

/** A place in a tree that was read from the application a moment ago; undefined: it is to be read again. */
export function stillFresh(seen: Place): Place | undefined {
  const { origin } = seen.snapshot;
  const readAt = seen.readAt ?? (origin.source === "application" ? origin.readAt : undefined);
  return readAt !== undefined && performance.now() - readAt <= RECENT ? seen : undefined;
}

/**
 * The same for who points at the element alone, without reading the tree where that is not needed: in what is kept of its
 * application only it, what is around it and the windows have their places. While a popup is open, everything has.
 */
export async function ownPlaceOf(
  desktop: Desktop,
  element: ElementRef,
  deadline: Deadline,
  how: { readonly recent?: true } = {},
): Promise<Place> {
  return await keptPlaceOf(desktop, element, deadline, how) ??
    await placeOf(desktop, element, deadline, ["extents"], how);
}

async function keptPlaceOf(
  desktop: Desktop,
  element: ElementRef,
  deadline: Deadline,
  how: { readonly recent?: true },
): Promise<Place | undefined> {
  // Lists show other items in the same rows, and what is kept may be behind.
  if (desktop.refresh === undefined || element.fingerprint.item !== undefined) return undefined;
  const application = await applicationOf(desktop, element, deadline);
  // Nothing is kept of those.
  if (!tellsByElement(application)) return undefined;
  const held = await keptAround(desktop, application, element, deadline, how);
  const row = held.origin.source === "mirror" ? held.rowOf(element) : -1;
  if (row < 0 || held.element(row).fingerprint.item !== undefined) return undefined;
  const [now, windows] = await Promise.all([
    desktop.refresh(held, [row], { ...deadline.call(), ...how }),
    desktop.capabilities.windows ? desktop.windows({ ...deadline.call(), recent: true }) : [],
  ]);
  if (windows.some(({ popup, tooltip, pid }) => popup && tooltip !== true && pid === application.pid)) {
    return undefined;
  }
  if (now === undefined) return undefined;
  const { snapshot } = now;
  const at = snapshot.rowOf(element);
  if (at < 0 || visiblePart(snapshot, at) === undefined) return undefined;
  confirm(`use ${label(element)}`, element, snapshot.element(at).fingerprint);
  return { application, snapshot, row: at, ...defined({ readAt: now.readAt }) };
}

/**
 * Qt gives the cells of its trees and tables another address whenever their parent is asked for its children, Swing all
 * items, LibreOffice the cells of its sheets, and the old address still answers for the same cell: it is the row of the same role and name at the
 * same place, if there is one such.
 */
async function twinOf(
  desktop: Desktop,
  application: Application,
  element: ElementRef,
  deadline: Deadline,
  fields: readonly SnapshotField[],
  seen: Snapshot,
): Promise<Place | undefined> {
  const reading = await desktop.read(element, deadline.call());
  if (!readdressesItems(application) && !isSheetCell(reading)) return undefined;
  const { role, name, rect } = reading;
  if (rect === undefined || rect.width <= 0 || rect.height <= 0) return undefined;
  const snapshot = fields.includes("extents")
    ? seen
    : await desktop.snapshot(application, { ...deadline.call(), fields: [...fields, "extents", "id"] });
  const rows: number[] = [];
  for (let row = 0; row < snapshot.size; row++) {
    if (snapshot.role(row) !== role || snapshot.name(row) !== name) continue;
    const at = snapshot.rect(row);
    const there = at?.x === rect.x && at.y === rect.y && at.width === rect.width && at.height === rect.height;
    // Rows of Swing's trees are no less passing than those that say so.
    if (there && (isSwing(application) || snapshot.has(row, "transient"))) rows.push(row);
  }
  const [row] = rows;
  return row === undefined || rows.length > 1 ? undefined : { application, snapshot, row };
}
