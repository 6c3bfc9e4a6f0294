import type { Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import type { Application, Desktop, ElementRef, Reading } from "../desktop/desktop.ts";
import { actionMethod } from "../desktop/actions/action.ts";
import { focus } from "../desktop/actions/focus.ts";
import { applicationOf } from "../desktop/actions/place.ts";
import { untilDeadline } from "../desktop/actions/read-back.ts";
import { Role } from "../desktop/roles.ts";
import { hasState, State } from "../desktop/states.ts";
import { isGtk, isGtk4, isQt } from "../desktop/toolkits.ts";

/** Steps of an application's own undo that are tried at most: it goes back word by word, or paste by paste. */
const MOST = 50;
/** Milliseconds that one step is given to show. */
const SHOWS = 1_000;

/** How one step is undone and redone, and what results call it. */
interface Undo {
  /** It is a key, which goes to whatever has the keyboard. */
  readonly keyed: boolean;
  readonly undo: string;
  readonly redo: string;
  step(which: "undo" | "redo"): Promise<void>;
}

/** What came of it: the text reads as wanted, or is to be written; and what was sent for it, for the result. */
export interface Undone {
  readonly exact: boolean;
  /** "Ctrl+Z ×2, Ctrl+Shift+Z ×2"; "": nothing was sent. */
  readonly sent: string;
}

const NOTHING: Undone = { exact: false, sent: "" };

/**
 * GTK 3 has no undo of its own, and gives its keys to a window's accelerators first: only applications of which it is known
 * that Ctrl+Z there is the undo of the text that has the focus, by what they call themselves on the bus.
 */
const GTK3_EDITORS: ReadonlySet<string> = new Set(["gedit", "mousepad"]);

/**
 * Takes a text back with the application's own undo, which clears the mark of a modified document too: step by step until it
 * reads exactly as it is to be. Only where lines can be broken, and where the widget is known to own an undo: GTK 4's text
 * views by their own action `text.undo` (a key could be an accelerator of the window), Qt's text areas, which take Ctrl+Z
 * before any shortcut, and the GTK 3 editors that are known. Not in a web page, where one history serves all fields. When a
 * step is answered by anything else than this text, or it never reads as wanted, what was undone is redone.
 */
export async function undoTo(
  desktop: Desktop,
  element: ElementRef,
  text: string,
  deadline: Deadline,
): Promise<Undone> {
  const before = await desktop.read(element, { ...deadline.call(), recent: true, place: false });
  if (!hasState(before.statesLow, before.statesHigh, State.multiLine) || before.text === undefined) {
    return NOTHING;
  }
  const application = await applicationOf(desktop, element, deadline);
  const own = ownUndoOf(desktop, element, before, application, deadline);
  if (own === undefined || before.text === text) return NOTHING;
  let undone = 0;
  let last = before.text;
  try {
    if (own.keyed) await focus(desktop, element, deadline);
    while (last !== text && undone < MOST && !deadline.passed) {
      await own.step("undo");
      undone += 1;
      const next = await change(desktop, element, last, deadline);
      if (next === undefined) break;
      last = next;
      if (!isBetween(before.text, next, text)) break;
    }
    if (last === text) return { exact: true, sent: reported(own.undo, undone) };
  } catch (thrown) {
    // It cannot have the focus or the keys, or does not undo any more: then it is written.
    if (!(thrown instanceof BackstepError) || !PERMITS.has(thrown.code)) throw thrown;
  }
  const redone = await redo(desktop, element, own, undone, before.text, deadline);
  return {
    exact: false,
    sent: [reported(own.undo, undone), reported(own.redo, redone)].filter(Boolean).join(", "),
  };
}

/**
 * Can a text be a step from one to another? What both begin and end with was not written since, so that no step back touches
 * it: another answer comes of another history.
 */
function isBetween(from: string, step: string, to: string): boolean {
  const most = Math.min(from.length, to.length);
  let head = 0;
  while (head < most && from[head] === to[head]) head += 1;
  let tail = 0;
  while (tail < most - head && from.at(-1 - tail) === to.at(-1 - tail)) tail += 1;
  return step.length >= head + tail && step.startsWith(to.slice(0, head)) &&
    step.endsWith(to.slice(to.length - tail));
}

/** What permits the absolute write after all. */
const PERMITS: ReadonlySet<string> = new Set(["unsupported", "refused", "no_effect", "not_actionable"]);

function ownUndoOf(
  desktop: Desktop,
  element: ElementRef,
  reading: Reading,
  application: Application,
  deadline: Deadline,
): Undo | undefined {
  if (isGtk4(application)) {
    if (!reading.actions.includes("text.undo")) return undefined;
    return {
      keyed: false,
      undo: actionMethod("text.undo"),
      redo: actionMethod("text.redo"),
      async step(which) {
        await desktop.act(element, { do: "action", name: `text.${which}` }, deadline.call());
      },
    };
  }
  if (!ownsCtrlZ(application, reading)) return undefined;
  if (!desktop.capabilities.input || desktop.mode === "background") return undefined;
  return {
    keyed: true,
    undo: "Ctrl+Z",
    redo: "Ctrl+Shift+Z",
    step: (which) =>
      desktop.pressKeys(which === "undo" ? ["ctrl", "z"] : ["ctrl", "shift", "z"], deadline.call()),
  };
}

function ownsCtrlZ(application: Application, { role }: Reading): boolean {
  if (role !== Role.text) return false;
  if (isQt(application)) return true;
  return isGtk(application) && GTK3_EDITORS.has(application.name.toLowerCase());
}

/** What it reads once it reads otherwise; undefined: it did not answer. */
async function change(
  desktop: Desktop,
  element: ElementRef,
  was: string,
  deadline: Deadline,
): Promise<string | undefined> {
  const seen = await untilDeadline(
    desktop,
    async () => (await desktop.read(element, deadline.call())).text,
    (now) => now !== was,
    deadline.within(SHOWS),
    element,
  );
  return seen.held ? seen.last : undefined;
}

/**
 * Redoes what was undone. One step that nothing answered was an undo of somebody else's if there is one to redo: it is redone
 * like the others. Answers how many steps were sent.
 */
async function redo(
  desktop: Desktop,
  element: ElementRef,
  own: Undo,
  undone: number,
  was: string,
  deadline: Deadline,
): Promise<number> {
  let redone = 0;
  try {
    for (; redone < undone && !deadline.passed; redone++) {
      await own.step("redo");
      const { text } = await desktop.read(element, deadline.call());
      if (text !== undefined && text !== was) await change(desktop, element, text, deadline);
    }
  } catch (thrown) {
    if (!(thrown instanceof BackstepError) || !PERMITS.has(thrown.code)) throw thrown;
  }
  return redone;
}

function reported(method: string, times: number): string {
  return times === 0 ? "" : times === 1 ? method : `${method} ×${times}`;
}
