import type { Deadline } from "../../base/call.ts";
import { BackstepError, toBackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef, Reading } from "../element.ts";
import { NEEDS_FOCUS_HINT } from "../mode.ts";
import { actionMethod } from "./action.ts";
import type { Attempts, Done } from "./attempts.ts";
import { isChosen } from "./label.ts";
import { clickAction } from "./click-action.ts";
import { inputMethod } from "./input-method.ts";
import { canBeChosen } from "./items.ts";
import { requireNoPopup } from "./open-popup.ts";
import type { Place } from "./place.ts";
import { clickOn } from "./point.ts";
import { until } from "./read-back.ts";
import { sendOnce } from "./refused.ts";

/**
 * Clicks a row, a cell or an icon of a view as a person does: with the pointer, also where it is chosen already, since many
 * lists do something on each click. To choose it by accessibility would be less than a click: `row-activated` of GTK comes of
 * none. On the web its action is a click; elsewhere there is none, so that it is refused in the background. `verified`: it
 * was not chosen before, and is now; what else the application did is not known.
 */
export async function clickRow(
  desktop: Desktop,
  element: ElementRef,
  reading: Reading,
  place: Place,
  attempts: Attempts,
  deadline: Deadline,
): Promise<Done> {
  const { application, snapshot, row } = place;
  await requireNoPopup(desktop, element, place, attempts.doing, deadline);
  const tells = !isChosen(reading) && canBeChosen(snapshot, row);
  let seen = false;
  const clicked = await attempts.attempt(inputMethod(desktop, "click"), async () => {
    await clickOn(desktop, element, deadline);
    seen = tells && await becomesChosen(desktop, element, deadline);
    return true;
  });
  if (clicked) return { ...clicked, verified: seen };
  const action = clickAction(reading, application);
  if (action !== undefined) {
    const method = actionMethod(action);
    const act = () => desktop.act(element, { do: "action", name: action }, deadline.call());
    const done = await attempts.attempt(method, async () => {
      await sendOnce(attempts, method, act);
      seen = tells && await becomesChosen(desktop, element, deadline);
      return true;
    });
    if (done) return { ...done, verified: seen };
  }
  throw withHint(attempts.failure());
}

function withHint(error: BackstepError): BackstepError {
  const choose = "Choose it with `select`, which clicks nothing";
  const hint = error.code === "needs_focus" ? `${choose}. ${NEEDS_FOCUS_HINT}` : `${choose}.`;
  const { code, message, details } = error;
  return new BackstepError(code, message, { hint, ...defined({ details }) });
}

/** A click may close what the row was in: then nobody can tell whether it was chosen. */
async function becomesChosen(desktop: Desktop, element: ElementRef, deadline: Deadline): Promise<boolean> {
  try {
    return (await until(desktop, element, isChosen, deadline)).held;
  } catch (thrown) {
    const error = toBackstepError(thrown);
    if (!GONE.has(error.code)) throw error;
    return false;
  }
}

const GONE: ReadonlySet<string> = new Set(["stale", "app_gone", "not_found"]);
