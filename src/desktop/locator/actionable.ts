import { type Deadline, pause } from "../../base/call.ts";
import { toBackstepError } from "../../base/error.ts";
import { describeRow } from "../describe.ts";
import type { Desktop } from "../desktop.ts";
import type { Reading, Rect } from "../element.ts";
import { quote } from "../quote.ts";
import { MENU_ITEMS } from "../roles.ts";
import { isGtk3 } from "../toolkits.ts";
import { defined } from "../../base/defined.ts";
import { bearer, hasWord, type StateBearer } from "../state-words.ts";
import type { Match, ResolveState, Unmet } from "./condition.ts";
import { reachable } from "./reach.ts";
import { placeText, sameRect } from "../rect.ts";
import { STILL_FOR } from "../stands-still.ts";

/** A match that is ready, or what it lacks. */
export type Readiness = { readonly match: Match } | { readonly unmet: Unmet };

/**
 * The first condition of `state` that the match does not meet, asked in the order visible, enabled, still, reachable. What is
 * asked of a match in what is kept of an application, and cannot be told by it alone, counts as not met.
 */
export async function readiness(
  desktop: Desktop,
  match: Match,
  state: ResolveState,
  deadline: Deadline,
): Promise<Readiness> {
  if (state === "attached") return { match };
  const seen = performance.now();
  const { snapshot, row } = match;
  const rect = snapshot.rect(row);
  const plain = stateUnmet(match, bearer(snapshot, row), rect, state);
  if (plain) return { unmet: plain };
  if (state === "visible" || state === "enabled") return { match };
  if (state === "reachable") {
    if (rect === undefined) return { unmet: nowhere(match) };
    const covered = await reachable(desktop, match, rect, deadline);
    return covered ? { unmet: covered } : { match };
  }

  const left = STILL_FOR - (performance.now() - seen);
  if (left > 0) await pause(left, deadline.signal);
  let reading: Reading;
  try {
    reading = await desktop.read(match.element, deadline.call());
  } catch (thrown) {
    const error = toBackstepError(thrown);
    if (error.code !== "stale") throw thrown;
    return {
      unmet: {
        condition: "same",
        sentence: `${describeRow(snapshot, row)} went away while it was looked at`,
      },
    };
  }
  const { fingerprint } = match.element;
  if (reading.role !== fingerprint.role || reading.name !== fingerprint.name) {
    return {
      unmet: {
        condition: "same",
        sentence: `${describeRow(snapshot, row)} became another element (${
          quote(reading.name)
        }) while it was looked at`,
      },
    };
  }
  const fresh = stateUnmet(match, reading, reading.rect, state);
  if (fresh) return { unmet: fresh };
  if (rect === undefined || reading.rect === undefined) {
    return { unmet: nowhere(match) };
  }
  if (!sameRect(rect, reading.rect)) {
    return {
      unmet: {
        condition: "stable",
        sentence: `${describeRow(snapshot, row)} is moving, from ${placeText(rect)} to ${
          placeText(reading.rect)
        }`,
        details: { from: placeText(rect), to: placeText(reading.rect) },
      },
    };
  }
  const covered = await reachable(desktop, match, reading.rect, deadline);
  return covered ? { unmet: covered } : { match: { ...match, reading } };
}

function nowhere({ snapshot, row }: Match): Unmet {
  return {
    condition: "in_view",
    sentence: `${describeRow(snapshot, row)} has no place on the screen: it may be scrolled away`,
  };
}

/** GTK 3 says of a menu of its menu bar that is opened as a context menu, as of one that was closed again, that it does not show. */
function inMenu({ application, snapshot, row }: Match, rect: Rect | undefined): string | undefined {
  if (!isGtk3(application) || !MENU_ITEMS.has(snapshot.role(row))) return undefined;
  if (rect === undefined || !snapshot.has(row, "visible")) return undefined;
  return "Open its menu first. If it is open as a context menu, choose with the arrow keys and Return: GTK 3 does not say " +
    "that it shows.";
}

function stateUnmet(
  match: Match,
  of: StateBearer,
  rect: Rect | undefined,
  state: ResolveState,
): Unmet | undefined {
  const subject = describeRow(match.snapshot, match.row);
  if (!hasWord("visible", of, match.application)) {
    return {
      condition: "visible",
      sentence: `${subject} is hidden`,
      ...defined({ hint: inMenu(match, rect) }),
    };
  }
  if (rect !== undefined && (rect.width === 0 || rect.height === 0)) {
    return { condition: "visible", sentence: `${subject} has no size, so that it does not show` };
  }
  if (state !== "visible" && !hasWord("enabled", of, match.application)) {
    return { condition: "enabled", sentence: `${subject} is disabled` };
  }
  return undefined;
}
