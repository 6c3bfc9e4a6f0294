import type { Deadline } from "../../base/call.ts";
import { BackstepError, type ErrorCode, toBackstepError } from "../../base/error.ts";
import type { Surface } from "../../contract/participant.ts";
import type { Desktop } from "../../desktop/desktop.ts";
import { type BeforeImage, isIrreversible, type UndoEntry, type UndoLog } from "./undo-log.ts";
import type { Journaling } from "../journal/journaling.ts";
import { writeDown } from "../journal/write-late.ts";
import type { DesktopAccess } from "../model/desktop-access.ts";
import type { Reporting } from "../model/reporting.ts";
import { settled } from "../model/settle.ts";

/** How long the desktop must be quiet before a window counts as one that stays, in milliseconds. */
const QUIET = 100;
/** Milliseconds for looking at one window. */
const LOOK = 1_000;

/** Errors by which an element says that it is no longer there. */
const GONE: ReadonlySet<ErrorCode> = new Set(["stale", "not_found"]);

/** Whose desktop is looked at, and where it is written down what went. */
type GoneContext = Pick<DesktopAccess, "session"> & Pick<Journaling, "journal"> & Reporting;

/**
 * Notes of what is enrolled that its window, dialog or menu went by a step: it cannot be read any more, and what became of
 * it is that step's to say. Only where that step says: by its `undo:`, or as irreversible. Any other leaves it unknown.
 */
export async function noteGone(
  undoLog: UndoLog,
  by: UndoEntry | undefined,
  run: GoneContext,
  deadline: Deadline,
): Promise<void> {
  if (by === undefined || !decides(by)) return;
  const standing = new Map<string, boolean>();
  const went: [begin: number, index: number][] = [];
  for (const { image, surface, begin, index } of drawnIn(undoLog)) {
    const key = `${surface.element.bus} ${surface.element.path}`;
    const stands = standing.get(key) ?? await isThere(surface, run.session.desktop, deadline);
    standing.set(key, stands);
    if (stands) continue;
    image.gone = by.path;
    went.push([begin, index]);
  }
  if (went.length > 0) writeDown({ kind: "gone", path: by.path, begin: by.intent, images: went }, run);
}

/**
 * The same for the last step that is over, at once or once the desktop is quiet: a dialog may close after the answer to
 * what closes it. Where somebody else is at the desktop, it may have been they.
 */
export async function noteGoneLate(
  undoLog: UndoLog,
  run: GoneContext,
  deadline: Deadline,
  options: { readonly wait?: boolean } = {},
): Promise<void> {
  if (run.session.kind === "attached") return;
  const by = lastIn(undoLog);
  if (by === undefined || !decides(by)) return;
  const closes = options.wait === true && drawnIn(undoLog).some(({ surface }) => surface.word === "dialog");
  if (!closes) return await noteGone(undoLog, by, run, deadline);
  try {
    await settled(run.session.desktop, QUIET, deadline);
  } catch (thrown) {
    // Called off, or the desktop is gone: what is read after this says so.
    if (!(thrown instanceof BackstepError)) throw thrown;
  }
  await noteGone(undoLog, by, run, deadline);
}

/** `gone with its dialog (step 3)`; undefined: it is there, or nobody knows where it went. */
export async function goneWith(
  { participant, gone }: BeforeImage,
  desktop: Desktop,
  deadline: Deadline,
): Promise<string | undefined> {
  const { surface } = participant;
  if (surface === undefined || gone === undefined) return undefined;
  if (await isThere(surface, desktop, deadline)) return undefined;
  // A menu is made anew whenever it is opened, and its items can be found again where they are told while it is closed.
  if (surface.word === "menu" && await isReadable(participant, desktop, deadline)) return undefined;
  return `gone with its ${surface.word} (step ${gone})`;
}

/** Does what becomes of the step itself say what became of what went with it? */
function decides(entry: UndoEntry): boolean {
  return entry.outcome !== "failed" && (entry.undo !== undefined || isIrreversible(entry));
}

/** What is drawn in something that is not known to be gone: a before-image, and where the journal has it. */
interface Drawn {
  readonly image: BeforeImage;
  readonly surface: Surface;
  readonly begin: number;
  readonly index: number;
}

function drawnIn(undoLog: UndoLog): Drawn[] {
  const all: Drawn[] = [];
  for (let one: UndoLog | undefined = undoLog; one !== undefined; one = one.parent) {
    for (const { entry, image } of one.drawn) {
      const { surface } = image.participant;
      if (entry.outcome !== "failed" && surface !== undefined && image.gone === undefined) {
        all.push({ image, surface, begin: entry.intent, index: entry.beforeImages.indexOf(image) });
      }
    }
  }
  return all;
}

function lastIn(undoLog: UndoLog): UndoEntry | undefined {
  for (let one: UndoLog | undefined = undoLog; one !== undefined; one = one.parent) {
    const last = one.entries.at(-1);
    if (last !== undefined) return last;
  }
  return undefined;
}

/** Whatever else it says, or does not say, is no proof that it went. */
async function isThere({ element }: Surface, desktop: Desktop, deadline: Deadline): Promise<boolean> {
  const call = deadline.within(LOOK).call();
  try {
    await (desktop.verify?.(element, call) ?? desktop.read(element, call));
    return true;
  } catch (thrown) {
    return !GONE.has(toBackstepError(thrown).code);
  }
}

async function isReadable(
  participant: BeforeImage["participant"],
  desktop: Desktop,
  deadline: Deadline,
): Promise<boolean> {
  try {
    await participant.capture(desktop, deadline.within(LOOK).call());
    return true;
  } catch (thrown) {
    return !GONE.has(toBackstepError(thrown).code);
  }
}
