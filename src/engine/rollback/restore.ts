import { type BackstepError, toBackstepError } from "../../base/error.ts";
import type { Conflict, RollbackStep } from "../../contract/events.ts";
import { differences, equalJson, type Image, type PartlyRestored } from "../../contract/participant.ts";
import { RecordingDesktop } from "../../contract/recording-desktop.ts";
import { inputMethod } from "../../desktop/actions/input-method.ts";
import type { Desktop, Gesture } from "../../desktop/desktop.ts";
import { conflictIn, conflictText } from "./conflicts.ts";
import { goneWith } from "./gone.ts";
import type { BeforeImage, UndoEntry } from "./undo-log.ts";
import type { LastWrite } from "./last-write.ts";
import type { Patience } from "./patience.ts";
import { settled } from "../model/settle.ts";

/** What writing back works with. */
export interface RestoreContext {
  readonly desktop: Desktop;
  readonly patience: Patience;
  /** Hears of each write, when it is over. */
  readonly lastWrite: LastWrite;
  /** Hears that a participant is about to be written to. */
  writing?(what: string): void;
  /** Hears of what reads as before without being known to be: by its participant's key. */
  unproved?(key: string): void;
  /** What somebody else changed and was left so: how it was before the step that found that, by its participant's key. */
  readonly conflicts: Map<string, Image>;
  /** Whether what somebody else changed is overwritten. */
  overwrite(what: string, conflict: Conflict): Promise<boolean>;
}

/** Why what reads as before is not known to be so. */
const NO_PROOF =
  "nothing came of the action by now, and what answers may answer from a copy that is older: it may still come";

/** Milliseconds that a write is given to show in what is read back. */
const SHOWS = 1_000;

/** One participant: looks, leaves it alone when it is as before or was changed by somebody else, writes, reads back. */
export async function restore(
  beforeImage: BeforeImage,
  outcome: UndoEntry["outcome"],
  context: RestoreContext,
): Promise<Omit<RollbackStep, "path">> {
  const { participant, before } = beforeImage;
  const { desktop, patience } = context;
  const what = participant.label;
  const cannot = Object.entries(before.unrestorable ?? {}).map(([property, why]) => `${property}: ${why}`);
  let forced: { readonly conflict: Conflict; readonly reason: string } | undefined;
  const blind = blindTo(before).length > 0;
  if (blind && outcome === "failed") return { verdict: "already", what, reason: "it did not happen" };
  try {
    const gone = await goneWith(beforeImage, desktop, patience.deadline);
    if (gone !== undefined) return { verdict: "gone", what, reason: gone };
    const now = await patience.with((call) => participant.capture(desktop, call));
    if (same(before, now) && !blind) {
      if (participant.copied && outcome === "unknown") {
        context.unproved?.(participant.key);
        return { verdict: "unknown", what, reason: NO_PROOF };
      }
      return { verdict: "already", what, ...await incidentalsBack(beforeImage, now, context) };
    }
    // What was typed into a password field may not stay, whoever was there since.
    if (before.secure !== true) {
      // How a step left it that nothing was read after: as the next one found it.
      const left = evidence(beforeImage, outcome) ?? context.conflicts.get(participant.key);
      if (left !== undefined && !(participant.isAsLeft?.(left, now) ?? same(left, now))) {
        const conflict = conflictIn(before, left, now);
        const reason = conflictText(conflict);
        if (!await context.overwrite(what, conflict)) {
          context.conflicts.set(participant.key, before);
          return { verdict: "conflict", what, reason, conflict };
        }
        forced = { conflict, reason: `overwritten: ${reason}` };
      }
    }
    context.writing?.(what);
    const { method, left } = await write(beforeImage, context);
    cannot.push(...Object.entries(left).map(([property, why]) => `${property}: ${why}`));
    if (cannot.length > 0) return { verdict: "unrestorable", what, method, reason: cannot.join("; ") };
    return await readsAsBefore(beforeImage, context)
      ? { verdict: "restored", what, method, ...forced }
      : { verdict: "failed", what, method, ...forced, reason: "it was written back and reads otherwise" };
  } catch (thrown) {
    const error = toBackstepError(thrown);
    return { verdict: isSilence(error) ? "unknown" : "failed", what, reason: error.message };
  }
}

async function write({ participant, before }: BeforeImage, context: RestoreContext): Promise<PartlyRestored> {
  const pressed = new Set<string>();
  const recording = new RecordingDesktop(context.desktop, {
    about: ({ do: what, points }) => {
      if (points !== undefined && !WITHOUT_PRESS.has(what)) pressed.add(inputMethod(context.desktop, what));
      return Promise.resolve();
    },
  });
  try {
    const done = await context.patience.write((call) => participant.restore(before, recording.desktop, call));
    const { method, left } = typeof done === "string" ? { method: done, left: {} } : done;
    // What found its element anew in the middle says what worked then, and not what the pointer had pressed before.
    const input = inputMethod(context.desktop, "click").replace("click", "");
    if (method.includes(input)) return { method, left };
    const further = method === "none" && pressed.size > 0 ? [] : [method];
    return { method: [...pressed, ...further].join(", "), left };
  } finally {
    context.lastWrite.mark();
  }
}

/** What the pointer does without a press. */
const WITHOUT_PRESS: ReadonlySet<string> = new Set<Gesture["do"]>(["move", "wheel"]);

/** A text that is back already may have its caret elsewhere; one that cannot be placed changes no verdict. */
async function incidentalsBack(
  beforeImage: BeforeImage,
  now: Image,
  context: RestoreContext,
): Promise<{ readonly reason?: string }> {
  if (sameIncidentals(beforeImage.before, now)) return {};
  try {
    await write(beforeImage, context);
    return {};
  } catch (thrown) {
    return { reason: toBackstepError(thrown).message };
  }
}

/** Protects nothing that counts: the focus. It is restored as far as it goes. */
export function isIncidental(image: Image): boolean {
  return Object.keys(image.properties).length === 0 && image.unrestorable === undefined;
}

export function sameIncidentals(a: Image, b: Image): boolean {
  return equalJson(a.incidental ?? {}, b.incidental ?? {});
}

/** What cannot be restored and cannot be compared either. */
export function blindTo(image: Image): string[] {
  return Object.keys(image.unrestorable ?? {}).filter((property) =>
    !Object.hasOwn(image.properties, property)
  );
}

/** How the action left it, as far as that is known: one whose answer never came may have landed after it was looked at. */
function evidence({ before, after }: BeforeImage, outcome: UndoEntry["outcome"]): Image | undefined {
  // An action that is known not to have happened left what was there.
  if (after === undefined) return outcome === "failed" ? before : undefined;
  return outcome === "unknown" && same(before, after) ? undefined : after;
}

/** Reads until it is as before, a second at most: toolkits answer a write before its effect shows. */
async function readsAsBefore(
  { participant, before }: BeforeImage,
  context: RestoreContext,
): Promise<boolean> {
  const { desktop, patience } = context;
  const limit = patience.deadline.within(SHOWS);
  // What the write read back is read once: all of them are read again at the end.
  if (same(before, await patience.with((call) => participant.capture(desktop, { ...call, recent: true })))) {
    return true;
  }
  for (;;) {
    if (same(before, await patience.with((call) => participant.capture(desktop, call)))) return true;
    if (limit.passed) return false;
    await settled(desktop, 50, limit);
  }
}

function same(a: Image, b: Image): boolean {
  return differences("", a, b).length === 0;
}

function isSilence(error: BackstepError): boolean {
  return error.code === "timeout" || error.code === "app_gone" || error.code === "cancelled";
}
