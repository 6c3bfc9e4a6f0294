import type { Deadline } from "../base/call.ts";
import { toBackstepError } from "../base/error.ts";
import type { Application, Desktop } from "../desktop/desktop.ts";
import { press } from "../desktop/actions/press.ts";
import { type OpenDialog, openDialogs } from "./windows-of.ts";

/** How a question about unsaved work is answered: `fail` leaves it open, and the error names its buttons. */
export type Unsaved = "discard" | "save" | "fail";

/** What the buttons say, in lower case and without marks. */
const BUTTONS: Readonly<Record<Exclude<Unsaved, "fail">, RegExp>> = {
  discard: /^(don't save|do not save|discard|discard (all|changes)|(close|quit|exit) without saving)$/,
  save: /^(save|save (all|as|and close|and quit|changes))$/,
};
/** Yes and No answer only a plain question whether to save: "Quit without saving?" means the opposite. */
const PLAIN: Readonly<Record<Exclude<Unsaved, "fail">, string>> = { discard: "no", save: "yes" };
const ASKS_TO_SAVE = /\bsave\b/i;
const ASKS_OTHERWISE = /\b(anyway|discard|lose|lost|without|really|sure)\b/i;

/** The place, among the dialog's buttons, of the one that answers so; undefined: none of them is known to. */
export function answerOf(
  dialog: Pick<OpenDialog, "says" | "buttons">,
  unsaved: Unsaved,
): number | undefined {
  if (unsaved === "fail") return undefined;
  const words = dialog.buttons.map(plain);
  const found = words.findIndex((word) => BUTTONS[unsaved].test(word));
  if (found >= 0) return found;
  if (!ASKS_TO_SAVE.test(dialog.says) || ASKS_OTHERWISE.test(dialog.says)) return undefined;
  const yesOrNo = words.indexOf(PLAIN[unsaved]);
  return yesOrNo < 0 ? undefined : yesOrNo;
}

/**
 * Answers the question about unsaved work that is open. Undefined: there is none that it knows how to answer; a dialog with a
 * field to fill in (a file chooser) is no such question.
 */
export async function answerUnsaved(
  desktop: Desktop,
  application: Application,
  unsaved: Unsaved,
  deadline: Deadline,
): Promise<OpenDialog | undefined> {
  if (unsaved === "fail") return undefined;
  for (const dialog of await openDialogs(desktop, application, deadline, ["id", "extents"])) {
    const at = dialog.takesText ? undefined : answerOf(dialog, unsaved);
    const button = at === undefined ? undefined : dialog.elements[at];
    if (button === undefined) continue;
    try {
      await press(desktop, button, {}, deadline);
    } catch (thrown) {
      // It may have closed meanwhile, or answer late: what stands afterwards is looked at in any case.
      const { code } = toBackstepError(thrown);
      if (code !== "stale" && code !== "timeout" && code !== "app_gone") throw thrown;
    }
    return dialog;
  }
  return undefined;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[_&…]|\.\.\.$/g, "").replaceAll("’", "'").trim();
}
