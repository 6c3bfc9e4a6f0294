import { type Call, Deadline } from "../base/call.ts";
import { BackstepError, type Json } from "../base/error.ts";
import type { Participant } from "../contract/participant.ts";
import type { Desktop } from "../desktop/desktop.ts";
import { keysOfCells } from "../desktop/actions/cells.ts";
import { checkCell } from "../desktop/actions/check-cell.ts";
import { insideOf } from "../desktop/actions/place.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { isQt } from "../desktop/toolkits.ts";
import { chosenItemsAt } from "./chosen-items.ts";
import { copiedBy, drawnIn, labelOf } from "./element.ts";
import { selectionAt } from "./selection.ts";
import { Anchor, type Located } from "./trail.ts";

/**
 * Which cells or items of a view are checked, all of them: to check one may check those below it, or let go of another one. They
 * are told by what their rows show, since rows are sorted and inserted.
 */
export function checkedCellsOf(located: Located, view: number): Participant {
  const element = located.snapshot.element(view);
  const place = { ...located, row: view, element };
  return checkedCellsAt(Anchor.of(place), `check boxes of ${labelOf(place)}`);
}

/** The same where the view is known by its anchor only. */
export function checkedCellsAt(view: Anchor, label: string): Participant {
  const look = (desktop: Desktop, call: Call): Promise<Checks> =>
    view.with(desktop, call, async (element) => {
      const { snapshot, row } = await insideOf(desktop, element, Deadline.of(call, 5_000), ["text"]);
      return { snapshot, rows: keysOfCells(snapshot, row) };
    });
  const selection = isQt(view.application)
    ? chosenItemsAt(view, label)
    : selectionAt(view, label, { box: undefined, silent: false });
  return {
    kind: "toggle",
    key: `checks ${view.key}`,
    label,
    ...copiedBy(view.application),
    ...drawnIn(view),
    rowsIn: (snapshot) => view.rowsIn(snapshot),
    async capture(desktop, call) {
      const checks = await look(desktop, call);
      return { properties: { checked: checkedIn(checks).toSorted() } };
    },
    async restore({ properties: { checked } }, desktop, call) {
      if (!Array.isArray(checked)) return "none";
      const wanted = new Set(checked.filter((one): one is string => typeof one === "string"));
      // A click chooses its row, too: who restores what was chosen is to find it as the step left it.
      const chosen = await selection.capture(desktop, call);
      const methods = new Set<string>();
      const deadline = Deadline.of(call, 5_000);
      let checks = await look(desktop, deadline.call());
      const most = 2 * (wanted.size + checkedIn(checks).length);
      // What one click does to others is seen only after it: a parent follows what is below it.
      for (let done = 0; done <= most; done++) {
        const now = new Set(checkedIn(checks));
        const key = [...wanted].find((one) => !now.has(one)) ?? [...now].findLast((one) => !wanted.has(one));
        if (key === undefined) {
          if (methods.size > 0) await selection.restore(chosen, desktop, deadline.call());
          return [...methods].join(", ") || "none";
        }
        const row = checks.rows.get(key);
        if (row === undefined) {
          throw new BackstepError("not_found", `Cannot restore the ${label}: its rows are others now`);
        }
        const cell = checks.snapshot.element(row);
        methods.add((await checkCell(desktop, cell, wanted.has(key), deadline)).method);
        checks = await look(desktop, deadline.call());
      }
      throw new BackstepError("no_effect", `Cannot restore the ${label}: each changes others`);
    },
    describe: (): Json => ({ kind: "checks", label, anchor: view.describe() }),
  };
}

/** The cells of a view by what tells them. */
interface Checks {
  readonly snapshot: Snapshot;
  readonly rows: ReadonlyMap<string, number>;
}

function checkedIn({ snapshot, rows }: Checks): string[] {
  return [...rows].flatMap(([key, row]) => snapshot.has(row, "checked") ? [key] : []);
}
