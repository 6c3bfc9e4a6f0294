import type { Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import type { Participant } from "../contract/participant.ts";
import type { Done } from "../desktop/actions/attempts.ts";
import { type Cell, cellIn } from "../desktop/actions/cells.ts";
import { checkCell, holdsCheck } from "../desktop/actions/check-cell.ts";
import { editCell } from "../desktop/actions/edit-cell.ts";
import type { Desktop } from "../desktop/desktop.ts";
import { isQt } from "../desktop/toolkits.ts";
import { cellTextOf } from "../participants/cell-text.ts";
import { checkedCellsOf } from "../participants/checked-cells.ts";
import { focusOf } from "../participants/focus.ts";
import { selectionOf } from "../participants/selection.ts";
import { kindOf } from "./kind.ts";
import { asBoolean, asText, onOff, type Value } from "./set-value.ts";
import type { Match } from "./target.ts";

/** How a cell is set. */
interface CellSetting {
  protects(): readonly Participant[];
  apply(desktop: Desktop, deadline: Deadline): Promise<Done>;
}

/** A cell that is written where it lies, by an editor that opens above it; undefined: it is none. */
export function editedCell({ snapshot, row }: Match): Cell | undefined {
  const kind = kindOf(snapshot, row);
  return kind === "item" || kind === "other" ? cellIn(snapshot, row) : undefined;
}

/** Does a reading tell whether its text or its check box is meant? */
export function readsCell(match: Match, value: Value): boolean {
  return onOff(value) !== undefined && editedCell(match) !== undefined;
}

/** The text of a cell, or its check box. To be edited or checked it is clicked, which chooses its row. */
export function settingOfCell(match: Match, cell: Cell, value: Value): CellSetting {
  const { element, snapshot } = match;
  const write = async (desktop: Desktop, deadline: Deadline) =>
    await editCell(desktop, snapshot.element(cell.view), cell.at, asText(match, value), deadline);
  if (isCheck(match, value)) {
    return {
      protects: () => [selectionOf(match), checkedCellsOf(match, cell.view), focusOf(match)],
      apply: async (desktop, deadline) =>
        await checkCell(desktop, element, asBoolean(match, value), deadline),
    };
  }
  if (mayBeCheck(match, value)) {
    const want = asBoolean(match, value);
    return {
      protects: () => [
        selectionOf(match),
        checkedCellsOf(match, cell.view),
        cellTextOf(match, cell),
        focusOf(match),
      ],
      apply: async (desktop, deadline) =>
        await checkIfThere(desktop, match, want, deadline) ?? await write(desktop, deadline),
    };
  }
  return { protects: () => [selectionOf(match), cellTextOf(match, cell), focusOf(match)], apply: write };
}

/** Is it for the check box of a cell? */
function isCheck({ application, snapshot, row, reading }: Match, value: Value): boolean {
  if (onOff(value) === undefined) return false;
  if (typeof value === "boolean" && isQt(application)) return true;
  return reading !== undefined && holdsCheck(snapshot, row, reading);
}

const CHECKS = /^(?:true|false|on|off)$/i;

/** Is it a word for on or off in a cell of Qt that shows none? It does not tell of a check box before it is checked. */
function mayBeCheck({ application, snapshot, row }: Match, value: Value): boolean {
  return isQt(application) && typeof value === "string" && CHECKS.test(value) &&
    !CHECKS.test(snapshot.name(row));
}

/** Checks a cell of Qt that may have a check box; undefined: it has none that could be checked. */
async function checkIfThere(
  desktop: Desktop,
  { element }: Match,
  want: boolean,
  deadline: Deadline,
): Promise<Done | undefined> {
  try {
    const done = await checkCell(desktop, element, want, deadline);
    return want ? done : { ...done, warning: UNCHECKED };
  } catch (thrown) {
    if (thrown instanceof BackstepError && thrown.code === "unsupported") return undefined;
    throw thrown;
  }
}

const UNCHECKED = "it is not checked; whether it has a check box is not reported, and no text was written";
