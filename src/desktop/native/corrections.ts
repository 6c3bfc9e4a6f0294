import type { ElementRef, Fingerprint } from "../element.ts";
import { type Columns, Snapshot, type SnapshotOrigin } from "../snapshot.ts";
import { isGtk4, isOffice, isQt, isSwing, webFactsOf } from "../toolkits.ts";
import { dropNowhere } from "./coordinates.ts";
import { EarlyRoles } from "./early-roles.ts";
import { OfficePanes } from "./office-panes.ts";
import { asOnThePage } from "./page-columns.ts";
import { QtTabs } from "./qt-tabs.ts";
import { RolelessToplevels } from "./roleless-toplevels.ts";
import { tellItems } from "./swing-items.ts";

/** What row 0 is read of, with what it was found to be, where it was found. */
export type Rooted = Pick<ElementRef, "bus" | "path" | "ancestors"> & {
  readonly fingerprint?: Pick<Fingerprint, "role">;
};

/** What toolkits report wrongly is corrected here, before anybody sees it: a file for each of them, and a line below. */
export class Corrections {
  readonly #roleless = new RolelessToplevels();
  readonly #panes = new OfficePanes();
  readonly #early = new EarlyRoles();
  readonly tabs = new QtTabs();

  /** The snapshot of columns that were just read. `root`: the element that it begins with; undefined: the application. */
  apply(columns: Columns, origin: SnapshotOrigin, root: Rooted | undefined): Snapshot {
    const { application } = origin;
    dropNowhere(columns.rect);
    if (columns.textRect !== undefined) dropNowhere(columns.textRect);
    if (isSwing(application)) tellItems(columns, root?.fingerprint?.role);
    const snapshot = new Snapshot(asOnThePage(columns, application), origin);
    if (isQt(application)) this.tabs.tell(snapshot);
    if (isGtk4(application)) this.#roleless.name(snapshot);
    if (isOffice(application)) this.#panes.move(snapshot, root);
    if (webFactsOf(application)?.fillsOnDemand) this.#early.correct(snapshot);
    return snapshot;
  }

  /** The pages in a snapshot with attributes have told all that they tell on demand. */
  filled(snapshot: Snapshot): void {
    this.#early.learn(snapshot);
  }

  /** The application left. */
  forget(bus: string): void {
    this.#roleless.forget(bus);
    this.#panes.forget(bus);
    this.#early.forget(bus);
    this.tabs.forget(bus);
  }
}
