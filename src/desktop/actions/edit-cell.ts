import type { Deadline } from "../../base/call.ts";
import { BackstepError, toBackstepError } from "../../base/error.ts";
import type { Desktop, DesktopEvent, Watch } from "../desktop.ts";
import type { ElementRef, Reading } from "../element.ts";
import { Interface } from "../interfaces.ts";
import { popupWindows } from "../open-popups.ts";
import { requireInput } from "../mode.ts";
import { Role } from "../roles.ts";
import { isQt } from "../toolkits.ts";
import { intersection } from "../visible.ts";
import type { Done } from "./attempts.ts";
import { cellAt, type CellPosition } from "./cells.ts";
import { hasFocus } from "./has-focus.ts";
import { inputMethod } from "./input-method.ts";
import { implementsAll, label } from "./label.ts";
import { applicationOf, insideOf, placeOf } from "./place.ts";
import { clickOn } from "./point.ts";
import { until, untilDeadline } from "./read-back.ts";
import { setText } from "./set-text.ts";

/** Milliseconds within which a view that has reported anything since has opened an editor: it does before it handles anything else. */
const OPENS = 1_000;
/** The same of one that has reported nothing, and may not have got to the click. */
const SLOW = 3_000;
/** The same of the first of two clicks in GTK 3, which lie further apart anyway, so that they are no double click. */
const OPENS_AT_ONCE = 250;
/** Milliseconds that a cell which shows something else gets to show what was written. */
const COMES = 250;
/** So often it is looked where what got the focus lies, which GTK 3 tells later, in milliseconds. */
const PLACED = 20;
/** Editors that are chosen from. */
const CHOOSERS: ReadonlySet<number> = new Set([
  Role.comboBox,
  Role.pushButton,
  Role.toggleButton,
]);
const FOCUSED = "object:state-changed:focused";

/** The cell of a view that has a position, and its text. Errors: `stale` where its row is gone or cannot be told. */
export async function cellOf(
  desktop: Desktop,
  view: ElementRef,
  at: CellPosition,
  deadline: Deadline,
): Promise<{ readonly cell: ElementRef; readonly text: string }> {
  const { snapshot, row } = await insideOf(desktop, view, deadline, ["text"]);
  const found = cellAt(snapshot, row, at);
  if (found < 0) {
    throw new BackstepError("stale", `Cannot find a cell of ${label(view)} again: its rows are others now`, {
      hint: "Find it again, by what its row shows.",
    });
  }
  const cell = snapshot.element(found);
  return { cell, text: cellText(await desktop.read(cell, { ...deadline.call(), place: false })) };
}

/** What a cell shows. Qt names it so, and offers no text. */
function cellText({ text, name }: Reading): string {
  return text ?? name;
}

/**
 * Writes a cell of a table, tree or list of GTK 3 or Qt as a person does: a click on it, F2 (Qt) or a second click (GTK 3), the
 * text in the editor that opens above it, Return. `verified` is false where the application made something else of it. Nothing is
 * written unless an editor has the focus. Errors: `unsupported` where none opens, `no_effect` where the text is not taken.
 */
export async function editCell(
  desktop: Desktop,
  view: ElementRef,
  at: CellPosition,
  text: string,
  deadline: Deadline,
): Promise<Done> {
  const { cell, text: before } = await cellOf(desktop, view, at, deadline);
  const doing = `set the text of ${label(cell)}`;
  if (before === text) return { method: "none", verified: true, tried: [] };
  if (/[\n\r\t]/.test(text)) {
    throw new BackstepError("unsupported", `Cannot ${doing}: a line break or a tab would leave the cell`);
  }
  requireInput(desktop, doing, "pointer");
  const method = inputMethod(desktop, "click and keys");
  const editor = await openEditor(desktop, cell, doing, deadline);
  const shown = await writeInto(editor);
  if (shown === text) return { method, verified: true, tried: [] };
  if (shown === before) {
    throw new BackstepError("no_effect", `Cannot ${doing}: it shows ${JSON.stringify(before)} as before`, {
      hint: "The application may take other values there only.",
    });
  }
  const warning = `the application made something else of it: the cell shows ${JSON.stringify(shown)}`;
  return { method, verified: false, tried: [], warning };

  async function writeInto(field: ElementRef): Promise<string> {
    try {
      const { method: how } = await setText(desktop, field, text, deadline);
      // It shows in another way what it holds: a sum with its currency.
      if (how === "none") return text;
      await desktop.pressKeys(["Return"], deadline.call());
      const { last } = await until(desktop, cell, (now) => cellText(now) !== before, deadline);
      if ([text, before].includes(cellText(last))) return cellText(last);
      // What it shows first need not be what it comes to show.
      const read = () => desktop.read(cell, { ...deadline.call(), place: false });
      const shows = (now: Reading) => cellText(now) === text;
      return cellText((await untilDeadline(desktop, read, shows, deadline.within(COMES), cell)).last);
    } finally {
      // One that refuses what is in it stays open, and would take the next keys.
      if (await hasFocus(desktop, field, deadline.call())) {
        await desktop.pressKeys(["Escape"], deadline.call());
      }
    }
  }
}

/** Opens the editor of a cell. Errors: `unsupported` where none opens, or one that takes no text, which is closed. */
async function openEditor(
  desktop: Desktop,
  cell: ElementRef,
  doing: string,
  deadline: Deadline,
): Promise<ElementRef> {
  const qt = isQt(await applicationOf(desktop, cell, deadline));
  const watch = desktop.watch();
  const seen = async (patience: Patience) =>
    await editorOver(desktop, cell, watch, patience, deadline) ??
      (qt ? undefined : await menuBeside(desktop, cell, deadline));
  try {
    await clickOn(desktop, cell, deadline);
    let editor = qt ? undefined : await seen({ within: OPENS_AT_ONCE });
    // What a busy application reported of the first click by now is nothing of the second.
    if (!qt) editor ??= await editorOver(desktop, cell, watch, { within: PLACED }, deadline);
    if (editor === undefined) {
      if (qt) await desktop.pressKeys(["F2"], deadline.call());
      else await clickOn(desktop, cell, deadline);
      editor = await seen({ within: OPENS, silent: SLOW });
    }
    if (editor?.field !== undefined) return editor.field;
    if (editor !== undefined) await desktop.pressKeys(["Escape"], deadline.call());
    const found = editor === undefined ? "no editor" : `a ${editor.word}, which takes no text`;
    throw new BackstepError(
      "unsupported",
      `Cannot ${doing}: ${qt ? "F2" : "clicking it twice"} opened ${found}`,
      {
        hint: editor === undefined
          ? "It may not be editable, or be edited in a dialog: open that with `click` or `double_click`."
          : "Open it with `click`, and click what it is to be.",
      },
    );
  } finally {
    watch.close();
  }
}

/** What a cell is edited with. */
interface Editor {
  /** Absent: it takes no text. */
  readonly field?: ElementRef;
  /** For people. */
  readonly word: string;
}

/** The menu that GTK 3 opened of what a cell can be. Not every display tells where it lies. */
async function menuBeside(
  desktop: Desktop,
  cell: ElementRef,
  deadline: Deadline,
): Promise<Editor | undefined> {
  const { snapshot } = await placeOf(desktop, cell, deadline, []);
  return popupWindows(snapshot).length > 0 ? { word: "menu" } : undefined;
}

/** How long an editor is waited for, in milliseconds. */
interface Patience {
  /** From the first thing that the application reports. */
  readonly within: number;
  /** While it reports nothing. Default: the same. */
  readonly silent?: number;
}

/** What got the focus and lies above a cell; undefined: nothing did in this time. */
async function editorOver(
  desktop: Desktop,
  cell: ElementRef,
  watch: Watch,
  { within, silent = within }: Patience,
  deadline: Deadline,
): Promise<Editor | undefined> {
  const isFocused = ({ bus, kind, detail1, path }: DesktopEvent) =>
    bus === cell.bus && kind === FOCUSED && detail1 === 1 && path !== cell.path;
  let opens = deadline.within(silent);
  let heard = false;
  let path: string | undefined;
  while (!opens.passed) {
    await watch.next((path === undefined ? opens : opens.within(PLACED)).call());
    const events = watch.take();
    if (!heard && events.some(({ bus }) => bus === cell.bus)) {
      heard = true;
      opens = opens.within(within);
    }
    path = events.findLast(isFocused)?.path ?? path;
    const found = path === undefined ? undefined : await editorAt(desktop, cell, path, deadline);
    if (found === undefined) path = undefined;
    else if (found !== "elsewhere") return found;
  }
  return undefined;
}

/** Undefined: it is no editor. "elsewhere": it lies beside the cell, or nowhere as yet. */
async function editorAt(
  desktop: Desktop,
  cell: ElementRef,
  path: string,
  deadline: Deadline,
): Promise<Editor | "elsewhere" | undefined> {
  const { bus, generation, fingerprint } = cell;
  try {
    const [above, below] = await Promise.all([
      desktop.read({ bus, path, generation, fingerprint }, deadline.call()),
      desktop.read(cell, deadline.call()),
    ]);
    const takesText = implementsAll(above, Interface.editableText);
    if (!takesText && !CHOOSERS.has(above.role)) return undefined;
    const { role, name, id, rect } = above;
    if (!rect || !below.rect || intersection(rect, below.rect) === undefined) return "elsewhere";
    const field = { bus, path, generation, fingerprint: { role, name, id } };
    return { word: label(field), ...(takesText ? { field } : {}) };
  } catch (thrown) {
    // What had the focus for a moment may be gone.
    if (toBackstepError(thrown).code === "stale") return undefined;
    throw thrown;
  }
}
