import type { Deadline } from "../../base/call.ts";
import { toBackstepError } from "../../base/error.ts";
import { cut, describeRow } from "../describe.ts";
import { defined } from "../../base/defined.ts";
import type { AtPointOptions, Desktop, Hit, Window } from "../desktop.ts";
import type { Rect } from "../element.ts";
import { centre, contains } from "../rect.ts";
import { isSameItem, type Reached, reachedBy, telling } from "../reached.ts";
import { isAboveOwn, isBelowOwn, outermost, ownWindow, topWindow } from "../own-window.ts";
import { readdressesItems } from "../toolkits.ts";
import { wayOut } from "../scroll-area.ts";
import { visiblePart } from "../visible.ts";
import { quote } from "../quote.ts";
import { wordOf } from "../vocabulary.ts";
import type { Match, Unmet } from "./condition.ts";

/**
 * Would a pointer at the middle of what shows of the element reach it, which is where actions put it? First the stack of
 * windows is asked (`desktop.windows()` is bottom to top, popups above all), then the application and our own snapshot; the
 * application's answer counts against the element only where the snapshot confirms that something unrelated lies at that point, since toolkits often answer beside
 * the mark. GTK draws in the order of its tree: there the snapshot is right more often (87 of 87 leaves of the GTK 3 widget
 * factory against 85, 117 of 121 of the GTK 4 one against 97), elsewhere the application is.
 */
export async function reachable(
  desktop: Desktop,
  match: Match,
  rect: Rect,
  deadline: Deadline,
): Promise<Unmet | undefined> {
  const { x, y } = centre(visiblePart(match.snapshot, match.row) ?? rect);
  const subject = describeRow(match.snapshot, match.row);
  // As they were when its places were asked.
  const windows = desktop.capabilities.windows
    ? await desktop.windows({ ...deadline.call(), recent: true })
    : [];
  const shown = windows.filter((window) => !window.minimised);
  const root = outermost(match);
  const own = ownWindow(match, root, shown);
  const top = topWindow(shown, x, y);
  const mine = (window: Window) => window.pid === match.application.pid;
  const popup = top !== undefined && top.popup && mine(top) ? top : undefined;
  if (own !== undefined && popup === undefined && !contains(own.rect, x, y)) {
    return {
      condition: "in_view",
      sentence: `${subject} has its middle (${x}, ${y}) outside of its window ${quote(title(own))}`,
      details: { point: [x, y], window: title(own) },
    };
  }
  if (popup !== undefined && own?.id !== popup.id) {
    // Trees hang what a popup shows below the control that opened it: its window is found by other evidence.
    const inside = livesIn(match, popup) ||
      await askApplication(desktop, match, x, y, deadline.call(), popup) === "reached";
    return inside ? undefined : coveredByWindow(subject, popup, x, y);
  }
  const covered = own === undefined
    ? top !== undefined && !mine(top) && shown.some((window) => mine(window) && contains(window.rect, x, y))
    : top !== undefined && top.id !== own.id;
  const below = isBelowOwn(match, root, own, top);
  if (covered && top !== undefined && !below && !yields(desktop, own, top, match)) {
    const unmet = coveredByWindow(subject, top, x, y);
    return isAboveOwn(own, top) ? { ...unmet, ...defined({ hint: bringForward(own) }) } : unmet;
  }
  // Its own window is on top there, or will be: no other has to be asked.
  const window = own !== undefined && (top?.id === own.id || below)
    ? match.snapshot.element(root)
    : undefined;
  const answer = await askApplication(desktop, match, x, y, { ...deadline.call(), ...defined({ window }) });
  if (answer === "undecided") return undecided(subject, x, y);
  if (typeof answer === "string") return undefined;
  const cover = describeRow(match.snapshot, telling(match, answer.row));
  return {
    condition: "uncovered",
    sentence: `${subject} is covered by ${cover} at (${x}, ${y})`,
    details: { point: [x, y], coveredBy: cover },
    ...defined({ wayOut: wayOut(match.snapshot, match.row, answer.row) }),
  };
}

/**
 * Another program's window is no obstacle: whoever points brings the element's own window to the front first, and in the
 * background nobody points. What no window manager manages, a menu or a notification, stays where it is.
 */
function yields(desktop: Desktop, own: Window | undefined, top: Window, { application }: Match): boolean {
  if (top.pid === application.pid) return false;
  return desktop.mode === "background" || (own !== undefined && !top.popup);
}

function coveredByWindow(subject: string, top: Window, x: number, y: number): Unmet {
  const what = top.popup ? "popup" : "window";
  const name = title(top) || top.windowClass;
  const cover = name === "" ? `a ${what}` : `the ${what} ${quote(name)}`;
  return {
    condition: "uncovered",
    sentence: `${subject} is covered by ${cover} at (${x}, ${y})`,
    details: { point: [x, y], coveredBy: cover, window: top.id, pid: top.pid },
  };
}

/** A dialog of its window would stay above it: it is left to who knows what that window is. */
function bringForward(own: Window | undefined): string | undefined {
  if (own === undefined || own.title === "" || title(own) !== own.title) return undefined;
  return `Close or move what covers it, or bring its window to the front with \`window: { do: activate, title: ${
    quote(own.title)
  } }\`.`;
}

/** As messages show it: what an application writes there may be of any length. */
function title(window: Window): string {
  return cut(window.title, 80);
}

/** Is the element an item of a menu or drop-down, or in a box that has the popup's place? */
function livesIn(match: Match, popup: Window): boolean {
  const { snapshot } = match;
  for (let up = snapshot.parent(match.row); up >= 0; up = snapshot.parent(up)) {
    const word = wordOf(snapshot, up);
    if (word === "window" || word === "application") return false;
    if (word === "menu" || word === "popupmenu" || word === "combobox") return true;
    const rect = snapshot.rect(up);
    if (rect !== undefined && rect.width > 0 && rect.height > 0 && isInside(rect, popup.rect)) return true;
  }
  return false;
}

function isInside(rect: Rect, outer: Rect): boolean {
  return rect.x >= outer.x - 2 && rect.y >= outer.y - 2 && rect.x + rect.width <= outer.x + outer.width + 2 &&
    rect.y + rect.height <= outer.y + outer.height + 2;
}

/** Said only to who reads the tree then. */
function undecided(subject: string, x: number, y: number): Unmet {
  return {
    condition: "uncovered",
    sentence: `${subject} is not what the application says lies at (${x}, ${y})`,
  };
}

/** What the application says lies there, as far as that counts for or against the element. */
async function askApplication(
  desktop: Desktop,
  match: Match,
  x: number,
  y: number,
  options: AtPointOptions,
  popup?: Window,
): Promise<Reached> {
  let answer: Hit | undefined;
  try {
    answer = await desktop.elementAt(match.application, x, y, { ...options, seen: match.snapshot });
  } catch (thrown) {
    const { code } = toBackstepError(thrown);
    if (code === "unsupported" || code === "refused") return "unknown";
    throw thrown;
  }
  const reached = reachedBy(
    match,
    { x, y },
    answer,
    defined({ display: desktop.capabilities.display, popup }),
  );
  // To tell two addresses of one item from each other the whole tree would have to be read.
  const same = reached === "undecided" && answer !== undefined && readdressesItems(match.application) &&
    await isSameItem(desktop, match, answer, options);
  return same ? "reached" : reached;
}
