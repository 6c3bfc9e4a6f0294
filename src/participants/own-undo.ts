import type { Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import type { Desktop, ElementRef } from "../desktop/desktop.ts";
import { focus } from "../desktop/hands/focus.ts";
import { applicationOf } from "../desktop/hands/place.ts";
import { untilDeadline } from "../desktop/hands/read-back.ts";
import { hasState, State } from "../desktop/states.ts";
import { isWeb } from "../desktop/toolkits.ts";

/** Steps of an application's own undo that are tried at most: it goes back word by word, or paste by paste. */
const MOST = 50;
/** Milliseconds that one step is given to show. */
const SHOWS = 400;

/**
 * Takes a text back with the application's own undo, which clears the mark of a modified document too: Ctrl+Z in the focused
 * field until it reads exactly as it is to be. Answers whether it does; false as soon as a step changes nothing. Only where
 * lines can be broken: in a field of one line Ctrl+Z may undo what is not the field's. Not in a web page: Chromium keeps one
 * history for all fields of a page, so that Ctrl+Z in one takes back what was typed into another.
 */
export async function undoTo(
  desktop: Desktop,
  element: ElementRef,
  text: string,
  deadline: Deadline,
): Promise<boolean> {
  if (!desktop.capabilities.input || desktop.mode === "background") return false;
  const before = await desktop.read(element, deadline.call());
  const multiLine = hasState(before.statesLow, before.statesHigh, State.multiLine);
  if (!multiLine || before.text === undefined) return false;
  if (isWeb(await applicationOf(desktop, element, deadline))) return false;
  try {
    await focus(desktop, element, deadline);
    let last = before.text;
    for (let step = 0; last !== text; step++) {
      if (step === MOST || deadline.passed) return false;
      await desktop.pressKeys(["ctrl", "z"], deadline.call());
      const seen = await untilDeadline(
        desktop,
        async () => (await desktop.read(element, deadline.call())).text,
        (now) => now !== last,
        deadline.within(SHOWS),
        element.bus,
      );
      if (!seen.held || seen.last === undefined) return false;
      last = seen.last;
    }
    return true;
  } catch (thrown) {
    // It cannot have the focus or the keys: then it is written.
    if (thrown instanceof BackstepError && PERMITS.has(thrown.code)) return false;
    throw thrown;
  }
}

/** What permits the absolute write after all. */
const PERMITS: ReadonlySet<string> = new Set(["unsupported", "refused", "no_effect", "not_actionable"]);
