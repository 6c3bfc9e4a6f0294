import { BackstepError, toBackstepError } from "../base/error.ts";
import type { Context } from "../contract/operation.ts";
import { ELEMENT_REFERENCE } from "../contract/elements.ts";
import type { Application, ElementRef, SnapshotField, Window } from "../desktop/desktop.ts";
import { hitTest } from "../desktop/hit-test.ts";
import { confirm } from "../desktop/identity.ts";
import { contains } from "../desktop/rect.ts";
import { match, UI_SCHEME } from "../desktop/selector/mod.ts";
import { Scanner } from "../desktop/selector/scanner.ts";
import { parseUiPath } from "../desktop/selector/xpath.ts";
import { axOf } from "../desktop/vocabulary.ts";
import { applicationFor } from "./application.ts";
import type { Start } from "./explore-pick.ts";
import { targetText } from "./target.ts";

/** Where to look (section 5.1 of the interface explorer's specification). */
export const SCOPES = ["system", "application", "focused", "position", "element"] as const;

/** What a scope came to before anything is read. */
export type Place =
  | { readonly what: "applications"; readonly applications: readonly Application[] }
  | { readonly what: "element"; readonly application: Application; readonly element: ElementRef };

/** An application that did not answer, and why. */
export interface LeftOut {
  readonly app: string;
  readonly pid: number;
  readonly why: string;
}

/** What descriptors are made of. */
const FIELDS: readonly SnapshotField[] = [
  "extents",
  "text",
  "value",
  "id",
  "selection",
  "actions",
  "attributes",
  "keys",
];
/** Characters of a text that are read: more than are shown, so that filters find what lies behind. */
const MOST_TEXT = 1_000;
/** Milliseconds that one of many applications has to answer. */
const PATIENCE = 3_000;

/** Every application that may be seen. */
export async function everywhere(context: Context, skip: readonly number[]): Promise<Place> {
  const running = await context.desktop.applications(context.deadline.call());
  return { what: "applications", applications: running.filter(({ pid }) => !skip.includes(pid)) };
}

/** The application that has the keyboard: whose window is active. */
export async function focused(context: Context): Promise<Place> {
  const running = await context.desktop.applications(context.deadline.call());
  const windows = await context.desktop.windows(context.deadline.call());
  const active = windows.find((window) => window.active);
  const owners = new Set(windows.map(({ pid }) => pid));
  const shown = running.filter(({ pid }) => owners.has(pid));
  const [only] = shown;
  const found = running.find(({ pid }) => pid === active?.pid) ?? (shown.length === 1 ? only : undefined);
  if (found !== undefined) return { what: "applications", applications: [found] };
  throw new BackstepError(
    "not_found",
    active === undefined
      ? "Cannot explore the focused application: no window has the keyboard"
      : `Cannot explore the focused application: ${
        targetText(active.title || "its window")
      } reports nothing to accessibility`,
    {
      hint: "Name the application: scope application.",
      details: { running: running.slice(0, 20).map(({ name }) => name) },
    },
  );
}

/** The element that a pointer would reach at a point of the screen, of whatever application lies on top there. */
export async function underPoint(context: Context, x: number, y: number): Promise<Place> {
  const { desktop, deadline } = context;
  const [running, windows] = await Promise.all([
    desktop.applications(deadline.call()),
    desktop.windows(deadline.call()),
  ]);
  const window = windows.findLast(({ rect, minimised }) => !minimised && contains(rect, x, y));
  const application = window && running.find(({ pid }) => pid === window.pid);
  if (window === undefined || application === undefined) throw nothingAt(x, y, window);
  const address = await desktop.elementAt(application, x, y, deadline.call());
  const held = await desktop.snapshot(application, { ...deadline.call(), fields: ["id"], source: "held" });
  const existing = address === undefined ? -1 : held.rowOf(address);
  if (existing >= 0) return { what: "element", application, element: held.element(existing) };
  const snapshot = await desktop.snapshot(application, { ...deadline.call(), fields: ["extents", "id"] });
  const reported = address === undefined ? -1 : snapshot.rowOf(address);
  const row = reported >= 0 ? reported : hitTest(snapshot, x, y, window.popup ? window.rect : undefined);
  if (row < 0) throw nothingAt(x, y, window);
  return { what: "element", application, element: snapshot.element(row) };
}

function nothingAt(x: number, y: number, window: Window | undefined): BackstepError {
  const what = window === undefined
    ? "no window is there"
    : `what is there, of ${JSON.stringify(window.title.slice(0, 80))}, reports nothing to accessibility`;
  return new BackstepError("not_found", `Cannot explore the element at ${x},${y}: ${what}`, {
    hint:
      "Places are pixels of the screen, from its upper left corner. List the windows to see where they are.",
  });
}

/** An element by its id: a reference, a path, or its accessible id. */
export async function byId(context: Context, id: string, app: string | undefined): Promise<Place> {
  const { desktop, deadline, elements } = context;
  if (elements !== undefined && ELEMENT_REFERENCE.test(id)) return { what: "element", ...elements.get(id) };
  const path = id.startsWith(UI_SCHEME) ? id : undefined;
  const name = app ?? (path === undefined ? undefined : applicationOf(path));
  const application = await applicationFor(context, name);
  const snapshot = await desktop.snapshot(application, {
    ...deadline.call(),
    fields: ["extents", "id", "attributes"],
  });
  const rows = path === undefined
    ? Array.from({ length: snapshot.size }, (_, row) => row).filter((row) => snapshot.id(row) === id)
    : match(parseUiPath(path), snapshot);
  const [row, ...more] = rows;
  if (row === undefined || more.length > 0) {
    throw new BackstepError(
      row === undefined ? "not_found" : "ambiguous",
      row === undefined
        ? `Cannot find the element ${JSON.stringify(id.slice(0, 200))} in ${application.name}`
        : `Cannot tell which element of ${application.name} is meant: ${rows.length} have the id ${
          JSON.stringify(id.slice(0, 200))
        }`,
      {
        hint: "Ids come from an earlier result: explore its application again.",
        details: { app: application.name },
      },
    );
  }
  return { what: "element", application, element: snapshot.element(row) };
}

/** The application that a path begins at. */
export function applicationOf(path: string): string | undefined {
  const start =
    /^macos:\/\/ui\/(?:AXApplication|application)\[\s*@(?:bundleIdentifier|bundleId|AXTitle)\s*=\s*(?=["'])/
      .exec(path);
  return start === null ? undefined : new Scanner(path, start[0].length).quoted("lenient");
}

/** Reads the place: the trees to pick from, and the applications that did not answer. */
export async function readPlace(
  context: Context,
  place: Place,
  depth: number | undefined,
): Promise<{ starts: Start[]; leftOut: LeftOut[] }> {
  if (place.what === "element") return { starts: [await readElement(context, place, depth)], leftOut: [] };
  const several = place.applications.length > 1;
  const leftOut: LeftOut[] = [];
  const read = await Promise.all(place.applications.map(async (application) => {
    const deadline = several ? context.deadline.within(PATIENCE) : context.deadline;
    try {
      return await context.desktop.snapshot(application, { ...deadline.call(), ...reading(depth) });
    } catch (thrown) {
      const error = toBackstepError(thrown);
      if (!several || error.code === "cancelled") throw thrown;
      leftOut.push({ app: application.name, pid: application.pid, why: error.message.slice(0, 200) });
      return undefined;
    }
  }));
  const starts = read.filter((snapshot) => snapshot !== undefined && snapshot.size > 0)
    .flatMap((snapshot) =>
      snapshot === undefined ? [] : [{ application: snapshot.origin.application, snapshot, row: 0 }]
    );
  return { starts, leftOut };
}

function reading(depth: number | undefined) {
  return { fields: FIELDS, maxText: MOST_TEXT, ...(depth === undefined ? {} : { maxDepth: depth + 1 }) };
}

/** An element is still what it was when it was told: else `stale`. */
async function readElement(
  context: Context,
  { application, element }: Extract<Place, { what: "element" }>,
  depth: number | undefined,
): Promise<Start> {
  const { desktop, deadline } = context;
  const whole = await desktop.snapshot(application, { ...deadline.call(), fields: ["id"], source: "held" });
  const existing = whole.rowOf(element);
  // What it shows decides for an item of a list: that is told by the whole only.
  if (element.fingerprint.item !== undefined || existing < 0 || context.elements === undefined) {
    const snapshot = await desktop.snapshot(application, { ...deadline.call(), ...reading(undefined) });
    const row = snapshot.rowOf(element);
    if (row < 0) throw gone(element);
    confirm("explore the element", element, snapshot.element(row).fingerprint);
    return { application, snapshot, row };
  }
  const snapshot = await desktop.snapshot(application, {
    ...deadline.call(),
    ...reading(depth),
    root: element,
  });
  if (snapshot.size === 0) throw gone(element);
  confirm("explore the element", element, snapshot.element(0).fingerprint);
  return { application, snapshot, row: 0, role: axOf(whole, existing).role };
}

function gone({ fingerprint }: ElementRef): BackstepError {
  const name = fingerprint.name === "" ? "" : ` ${JSON.stringify(fingerprint.name.slice(0, 100))}`;
  return new BackstepError("stale", `Cannot explore the element${name}: it is gone`, {
    hint: "Explore its application again.",
  });
}
