import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef, Reading } from "../element.ts";
import type { Attempts, Done } from "./attempts.ts";
import { focus } from "./focus.ts";
import { inputMethod } from "./input-method.ts";
import { placeOf } from "./place.ts";
import { watchUntil } from "./read-back.ts";
import { holdsSource, sourceOf } from "./sheet-cell.ts";

/** Milliseconds that a cell is given to open for editing: LibreOffice takes 30 to 120. */
const OPENS = 1_500;

/**
 * Writes a cell of a spreadsheet: the cursor goes there (Component.GrabFocus), what is typed replaces the content, Delete
 * takes away what the application would complete it to, Return enters it, and the cursor comes back. `verified` is false
 * where the cell shows neither what was typed nor what was there before: a date, say.
 */
export async function setCell(
  desktop: Desktop,
  element: ElementRef,
  text: string,
  before: Reading,
  attempts: Attempts,
  deadline: Deadline,
): Promise<Done> {
  if (/[\n\r\t]/.test(text)) {
    throw new BackstepError(
      "unsupported",
      `Cannot ${attempts.doing}: a line break or a tab would leave the cell`,
    );
  }
  if (!desktop.capabilities.input) {
    throw new BackstepError("unsupported", `Cannot ${attempts.doing}: this desktop has no keyboard`);
  }
  let last: Reading = before;
  const typed = await attempts.attempt(inputMethod(desktop, "keys"), async () => {
    await focus(desktop, element, deadline);
    // Delete would empty whatever else is selected; what is typed replaces the one cell.
    if (text === "") await openCell(desktop, element, deadline);
    else await desktop.typeText(text, deadline.call());
    await desktop.pressKeys([text === "" ? "BackSpace" : "Delete"], deadline.call());
    await desktop.pressKeys(["Return"], deadline.call());
    const read = () => readCell(desktop, element, deadline);
    const changed = (now: Reading) => holdsSource(now, text) || sourceOf(now) !== sourceOf(before);
    const seen = await watchUntil(desktop, read, changed, deadline, element);
    last = seen.last;
    await desktop.act(element, { do: "focus" }, deadline.call());
    return seen.held;
  });
  if (typed === undefined) throw attempts.failure("The sheet may be protected; look with `tree`.");
  return { ...typed, verified: holdsSource(last, text) };
}

/**
 * Opens a cell with a letter in place of its content, and waits until what is written in has the focus: a BackSpace that
 * comes before it would empty the whole selection.
 */
async function openCell(desktop: Desktop, element: ElementRef, deadline: Deadline): Promise<void> {
  const watch = desktop.watch();
  try {
    await desktop.typeText("x", deadline.call());
    const opens = deadline.within(OPENS);
    while (!opens.passed) {
      await watch.next(opens.call());
      const opened = watch.take().some(({ bus, kind, detail1 }) =>
        bus === element.bus && kind === "object:state-changed:focused" && detail1 === 1
      );
      if (opened) return;
    }
  } finally {
    watch.close();
  }
}

/**
 * Reads a cell of a spreadsheet. LibreOffice makes it anew at every look, and what it made before may go on telling what
 * the cell held then.
 */
export async function readCell(desktop: Desktop, element: ElementRef, deadline: Deadline): Promise<Reading> {
  const now = await desktop.read(element, deadline.call());
  // What is scrolled away is not in a picture of the tree; the cursor brings it into view.
  if (now.rect === undefined || now.rect.width <= 0) {
    await desktop.act(element, { do: "focus" }, deadline.call());
  }
  const { snapshot, row } = await placeOf(desktop, element, deadline, ["extents"]);
  return await desktop.read(snapshot.element(row), deadline.call());
}
