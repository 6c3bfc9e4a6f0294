import type { Deadline } from "../../base/call.ts";
import { BackstepError, type Json } from "../../base/error.ts";
import { contentOf } from "../content.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef, Reading } from "../element.ts";
import { Interface } from "../interfaces.ts";
import { requireInput } from "../mode.ts";
import { Attempts, type Done } from "./attempts.ts";
import { focus } from "./focus.ts";
import { inputMethod } from "./input-method.ts";
import { hasLines, implementsAll, label } from "./label.ts";
import { until, untilArrived } from "./read-back.ts";
import { isSecure, requireWritable } from "./set-text.ts";
import { isSheetCell } from "./sheet-cell.ts";
import { BETWEEN_RUNS, heard, type KeyPatience, READ_BACK, typeAndHear, UNREAD } from "./type-and-hear.ts";
import { typingRuns } from "./typing-runs.ts";
import { toEnd } from "./shortcuts.ts";

/** How to type. */
export interface TypeOptions {
  /**
   * Write at the caret without keys and without taking the focus, where the field can. Default: only on a desktop that is
   * used in the background, where it is the only way.
   */
  readonly background?: boolean;
  /** What the field makes of it, where that is something else: read back instead of the text. */
  readonly shows?: string;
}

/**
 * Types text as a person does: focus, caret to the end unless the field had the focus already, keys, since whoever types
 * means the keys and what they set off. In the background: EditableText.InsertText at the caret. Without an element the keys go to whatever has the focus, and nothing is read
 * back. "\n" is Return, in a field of one line too: that is how a form is sent, so that the field is not read back then.
 */
export async function typeText(
  desktop: Desktop,
  element: ElementRef | undefined,
  text: string,
  deadline: Deadline,
  options: TypeOptions = {},
): Promise<Done> {
  if (element === undefined) {
    requireInput(desktop, "type text", "keyboard");
    await desktop.typeText(text, deadline.call());
    return new Attempts("type text").done(inputMethod(desktop, "keys"), false);
  }
  const before = await desktop.read(element, { ...deadline.call(), recent: true, place: false });
  const attempts = new Attempts(`type into ${label(element, before)}`);
  requireWritable(before, attempts.doing);
  if (text === "") return attempts.done("none", true);
  const verifiable = canVerify(before, options.shows ?? text);
  let last = before;
  const holds = async () => {
    if (!verifiable) return true;
    const arrives = options.shows ?? text;
    const whole = (now: Reading) => gained(before, now, arrives);
    const begun = (now: Reading) => begins(before, now, arrives);
    const seen = await untilArrived(desktop, element, { from: contentOf(before), whole, begun }, deadline);
    last = seen.last;
    return seen.held;
  };

  if (options.background ?? desktop.mode === "background") {
    const inserted = await insert(desktop, element, before, text, attempts, verifiable, holds, deadline);
    if (inserted) return inserted;
    // It was accepted and may show late: typed as well, it would be there twice.
    if (attempts.tried.at(-1)?.code === "no_effect") {
      throw attempts.failure("It may show what is written into it later; look with `value`.");
    }
  }
  const typed = await attempts.attempt(inputMethod(desktop, "keys"), async () => {
    requireInput(desktop, attempts.doing, "keyboard");
    const focused = await focus(desktop, element, deadline, { seen: before });
    if (focused.method !== "none" && !isSheetCell(before)) await caretToEnd(desktop, element, deadline);
    // What is typed into a cell of a sheet is not in it before it is entered, and its address is another one at every look.
    if (isSheetCell(before)) await desktop.typeText(text, deadline.call());
    else {
      const lines = hasLines(before);
      await typeInRuns(desktop, element, { text, lines }, verifiable ? READ_BACK : UNREAD, deadline);
    }
    return await holds();
  }, { verified: verifiable });
  if (typed) return typed;
  if (contentOf(last) !== contentOf(before)) throw differs(attempts, before, last, text);
  throw attempts.failure(REWRITES);
}

/** On Wayland keys get other characters on the way, and who reads them late reads those: each run is heard before the next. */
async function typeInRuns(
  desktop: Desktop,
  element: ElementRef,
  { text, lines }: { readonly text: string; readonly lines: boolean },
  patience: KeyPatience,
  deadline: Deadline,
): Promise<void> {
  const runs = desktop.capabilities.display === "wayland" ? typingRuns(text) : [text];
  for (const [k, run] of runs.entries()) {
    const type = () => desktop.typeText(run, deadline.call());
    await typeAndHear(
      desktop,
      element,
      type,
      heard(run, lines),
      k < runs.length - 1 ? BETWEEN_RUNS : patience,
      deadline,
    );
  }
}

const REWRITES =
  "The field may refuse or rewrite what is typed, or somebody typed beside: look with `value`. What it is meant to make " +
  "of the text is said with `shows`.";

/** Something arrived, and not what was typed. How much is told, not what: it may be a secret. */
function differs(attempts: Attempts, before: Reading, last: Reading, text: string): BackstepError {
  const [was, is, typed] = [contentOf(before), contentOf(last), text].map((part) => [...(part ?? "")].length);
  return new BackstepError(
    "no_effect",
    `Cannot ${attempts.doing}: the field holds something else than what was typed into it`,
    {
      hint: REWRITES,
      details: {
        outcome: "unknown",
        characters: { typed: typed ?? 0, before: was ?? 0, after: is ?? 0 },
        tried: attempts.tried.map((t): Json => ({ ...t })),
      },
    },
  );
}

async function insert(
  desktop: Desktop,
  element: ElementRef,
  before: Reading,
  text: string,
  attempts: Attempts,
  verified: boolean,
  holds: () => Promise<boolean>,
  deadline: Deadline,
): Promise<Done | undefined> {
  if (!implementsAll(before, Interface.editableText)) {
    attempts.refuse("EditableText.InsertText", "unsupported", "it does not implement EditableText");
    return undefined;
  }
  if (!hasLines(before) && /[\n\r\t]/.test(text)) {
    attempts.refuse(
      "EditableText.InsertText",
      "unsupported",
      "Return and Tab are keys in a field of one line",
    );
    return undefined;
  }
  const at = before.caret >= 0 ? before.caret : [...(before.text ?? "")].length;
  return await attempts.attempt("EditableText.InsertText", async () => {
    await desktop.act(element, { do: "insertText", at, text }, deadline.call());
    return await holds();
  }, { verified });
}

/** Toolkits select a field's content when it gets the focus: typing would replace it. */
async function caretToEnd(desktop: Desktop, element: ElementRef, deadline: Deadline): Promise<void> {
  const now = await desktop.read(element, { ...deadline.call(), place: false });
  const length = [...(now.text ?? "")].length;
  // Where something is embedded, the end of the text need not be the end of what is in it.
  if (isSecure(now) || now.text === undefined || now.content !== undefined) {
    return await pressEnd(desktop, now, deadline);
  }
  if (length === 0) return;
  const attempts = new Attempts(`put the caret to the end of ${label(element, now)}`);
  const there = (reading: Reading) => reading.caret === length && reading.textSelection === undefined;
  if (there(now)) return;
  const moved = await attempts.attempt("Text.SetCaretOffset", async () => {
    await desktop.act(element, { do: "caret", at: length }, deadline.call());
    return (await until(desktop, element, there, deadline)).held;
  });
  if (!moved) await pressEnd(desktop, now, deadline);
}

async function pressEnd(desktop: Desktop, reading: Reading, deadline: Deadline): Promise<void> {
  await desktop.pressKeys(toEnd(desktop, "end", hasLines(reading)), deadline.call());
}

function canVerify(reading: Reading, text: string): boolean {
  // What is typed into a cell of a spreadsheet shows in it once it is entered.
  if (isSecure(reading) || reading.text === undefined || isSheetCell(reading)) return false;
  return hasLines(reading) || !/[\n\r\t]/.test(text);
}

/**
 * The text as a person sees it: some editors keep spaces from being broken, mark where a word may be, or write one character
 * as two, and all of these look the same.
 */
function asSeen(text: string): string {
  return text.normalize("NFC").replace(/[\u00a0\u2007\u202f]/g, " ").replace(
    /[\u00ad\u200b\u2060\ufeff\ufffc]/g,
    "",
  );
}

/** More of the text than before: typing what is there already still counts, once all of it has come. */
function gained(before: Reading, now: Reading, typed: string): boolean {
  const text = asSeen(typed);
  const [stood, stands] = [contentOf(before), contentOf(now)];
  if (stands === undefined || !asSeen(stands).includes(text)) return false;
  if (stood !== undefined && asSeen(stood).includes(text)) {
    const [start, end] = before.textSelection ?? [0, 0];
    // The first key of "aa" in "aaa" makes a text with "aa" in it that is another one.
    const [is, was] = [asSeen(stands), asSeen(stood)];
    if ([...is].length < [...was].length - (end - start) + [...text].length) return false;
  }
  return stands !== stood || before.textSelection !== undefined;
}

/** Whether what is there is what was, and behind it the beginning of what is typed. */
function begins(before: Reading, now: Reading, text: string): boolean {
  const [was, is] = [contentOf(before) ?? "", contentOf(now) ?? ""].map((part) =>
    asSeen(part).replace(/\n$/, "")
  );
  return was !== undefined && is !== undefined && is.startsWith(was) &&
    asSeen(text).startsWith(is.slice(was.length));
}
