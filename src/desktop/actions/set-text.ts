import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import { contentOf, EMBEDDED } from "../content.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef, Reading } from "../element.ts";
import { isEmbedded } from "../embedded.ts";
import { Interface } from "../interfaces.ts";
import { requireInput } from "../mode.ts";
import { Role } from "../roles.ts";
import { Attempts, type Done } from "./attempts.ts";
import { focus } from "./focus.ts";
import { inputMethod } from "./input-method.ts";
import { hasLines, implementsAll, isEnabled, isIn, label } from "./label.ts";
import { untilArrived } from "./read-back.ts";
import { readCell, setCell } from "./set-cell.ts";
import { setInComposite } from "./set-composite.ts";
import { isSheetCell, sourceOf } from "./sheet-cell.ts";
import { heard, READ_BACK, typeAndHear, UNREAD } from "./type-and-hear.ts";
import { command } from "./shortcuts.ts";

/**
 * Replaces the whole text of a field: EditableText.SetTextContents; where that is not offered or changes nothing
 * (Chromium), focus, select all and keys; into a cell of a spreadsheet, keys and Return. Reads back that the text is exactly this one, but for a password field, whose
 * content is never read: then `verified` is false.
 */
export async function setText(
  desktop: Desktop,
  element: ElementRef,
  text: string,
  deadline: Deadline,
): Promise<Done> {
  const seen = await desktop.read(element, { ...deadline.call(), recent: true, place: false });
  const before = isSheetCell(seen) ? await readCell(desktop, element, deadline) : seen;
  const attempts = new Attempts(`set the text of ${label(element, before)}`);
  const secure = isSecure(before);
  const verified = !secure;
  if (isSheetCell(before)) {
    if (sourceOf(before) === text) return attempts.done("none", true);
    requireWritable(before, attempts.doing);
    return await setCell(desktop, element, text, before, attempts, deadline);
  }
  if (!secure && contentOf(before) === text) return attempts.done("none", true);
  requireWritable(before, attempts.doing);
  requireWritten(text, attempts.doing);
  const inBox = secure ? undefined : await setInComposite(desktop, element, text, attempts, deadline);
  if (inBox) return inBox;
  const holds = async () =>
    secure || (await untilArrived(desktop, element, {
      from: contentOf(before),
      whole: (now) => contentOf(now) === text,
      begun: (now) => begins(text, contentOf(now)),
    }, deadline)).held;

  if (implementsAll(before, Interface.editableText)) {
    const set = await attempts.attempt("EditableText.SetTextContents", async () => {
      await desktop.act(element, { do: "setText", text }, deadline.call());
      return await holds();
    }, { verified });
    if (set) return set;
    // Refused and done all the same: keys typed now would read as arrived before they are, and land where the focus goes next.
    if (!secure && contentOf(await desktop.read(element, deadline.call())) === text) {
      return attempts.done("EditableText.SetTextContents", true);
    }
  } else {
    requireTypeable(before, text, attempts.doing);
    attempts.refuse("EditableText.SetTextContents", "unsupported", "it does not implement EditableText");
  }
  const typed = await attempts.attempt(inputMethod(desktop, "keys"), async () => {
    requireInput(desktop, attempts.doing, "keyboard");
    requireTypeable(before, text, attempts.doing);
    await focus(desktop, element, deadline, { seen: before });
    if (secure || before.text !== "") await selectAll(desktop, element, deadline);
    if (text === "") await desktop.pressKeys(["Delete"], deadline.call());
    else {
      const type = () => desktop.typeText(text, deadline.call());
      const expected = heard(text, hasLines(before), before.text);
      await typeAndHear(desktop, element, type, expected, secure ? UNREAD : READ_BACK, deadline);
    }
    return await holds();
  }, { verified });
  if (typed) return typed;
  throw attempts.failure("The field may format or refuse what is written into it; look with `tree`.");
}

/** Beyond the end of any text. */
const TO_THE_END = 0x7fffffff;

/**
 * Selects everything in a focused field with the keyboard. In a page of WebKitGTK its window handles the keys for that, which may
 * not have heard yet that the field has the focus: there the page selects it, whatever it holds by then.
 */
export async function selectAll(desktop: Desktop, element: ElementRef, deadline: Deadline): Promise<void> {
  requireInput(desktop, `type into ${label(element)}`, "keyboard");
  if (isEmbedded(element)) {
    await desktop.act(element, { do: "selectText", start: 0, end: TO_THE_END }, deadline.call());
    return;
  }
  await desktop.pressKeys([command(desktop), "a"], deadline.call());
}

function begins(text: string, now: string | undefined): boolean {
  return now !== undefined && now !== "" && text.startsWith(now.replace(/\n$/, ""));
}

/** A field whose content is never read. */
export function isSecure(reading: Reading): boolean {
  return reading.role === Role.passwordText;
}

/** Throws `not_actionable` for what is disabled or read-only. */
export function requireWritable(reading: Reading, doing: string): void {
  if (!isEnabled(reading)) throw new BackstepError("not_actionable", `Cannot ${doing}: it is disabled`);
  if (isIn(reading, "readOnly")) {
    throw new BackstepError("not_actionable", `Cannot ${doing}: it is read-only`);
  }
}

/** Nobody can write what is embedded: its mark would be a character among others. */
function requireWritten(text: string, doing: string): void {
  if (!text.includes(EMBEDDED)) return;
  throw new BackstepError(
    "unsupported",
    `Cannot ${doing}: something is embedded in the text that is no text, such as a picture`,
    { hint: "Write what it holds as text, or undo it with `undo:`." },
  );
}

/** In a field of one line, Return sends the form and Tab leaves the field: that is no text. */
function requireTypeable(reading: Reading, text: string, doing: string): void {
  if (hasLines(reading) || !/[\n\r\t]/.test(text)) return;
  throw new BackstepError(
    "unsupported",
    `Cannot ${doing}: a line break or a tab typed into a field of one line would leave it`,
    {
      hint:
        "Type the text without it, and press the key in a separate step. A field of several lines that does not say so takes them by `type`.",
    },
  );
}
