import type { Deadline } from "../../../base/call.ts";
import { BackstepError, type Json } from "../../../base/error.ts";
import type { Application, Desktop, SnapshotSource } from "../../../desktop/desktop.ts";
import { Role } from "../../../desktop/roles.ts";
import type { Snapshot } from "../../../desktop/snapshot.ts";
import { rowHas } from "../../../desktop/state-words.ts";
import { axOf } from "../../../desktop/vocabulary.ts";
import { brief } from "./brief.ts";
import type { Insight } from "./insight.ts";
import { type AppWindow, windowsOf } from "./view.ts";

/** Milliseconds after which an application that says nothing counts as busy. */
const BUSY = 500;
/** Entries of a menu bar or tool bar that are told. */
const MOST = 40;

/** An application in brief, as its state resource answers it. */
export interface AppState {
  readonly app: string;
  readonly pid: number;
  readonly windows: readonly { readonly [key: string]: Json }[];
  readonly focused_element: { readonly role: string; readonly title: string } | null;
  readonly detected_state: string;
  readonly detected_pattern: string | null;
  readonly menu_bar: readonly string[];
  readonly toolbar?: readonly { readonly [key: string]: Json }[];
  readonly suggestions?: readonly { readonly [key: string]: Json }[];
}

/** What a state is read of and with. */
export interface StateOf {
  readonly desktop: Desktop;
  readonly application: Application;
  readonly name: string;
  readonly insight: Insight | undefined;
}

/** Reads it: windows of the window system, the rest of the tree. An application that does not answer is "busy". */
export async function stateOf(
  { desktop, application, name, insight }: StateOf,
  source: SnapshotSource,
  deadline: Deadline,
): Promise<AppState> {
  const windows = windowsOf(desktop, application, deadline.call());
  const snapshot = await answers(desktop, application, deadline)
    ? await desktop.snapshot(application, {
      ...deadline.call(),
      fields: source === "held" ? ["id"] : insight?.fields ?? ["id"],
      source,
    })
    : undefined;
  const about = { app: name, pid: application.pid };
  if (snapshot === undefined) {
    const shown = (await windows).map(windowJson);
    return {
      ...about,
      windows: shown,
      focused_element: null,
      detected_state: "busy",
      detected_pattern: null,
      menu_bar: [],
    };
  }
  return { ...about, ...summaryOf(snapshot, await windows, insight) };
}

/** What a tree and its windows come to. */
export function summaryOf(
  snapshot: Snapshot,
  windows: readonly AppWindow[],
  insight: Insight | undefined,
): Omit<AppState, "app" | "pid"> {
  const focus = focusedRow(snapshot);
  const pattern = insight?.pattern(snapshot);
  const suggestions = pattern === undefined ? [] : insight?.suggestions(snapshot, pattern) ?? [];
  const toolbar = toolbarOf(snapshot);
  return {
    windows: windows.length > 0 ? windows.map(windowJson) : treeWindows(snapshot),
    focused_element: focus < 0
      ? null
      : { role: axOf(snapshot, focus).role, title: brief(snapshot.name(focus)) },
    detected_state: insight?.state(snapshot) ?? "idle",
    detected_pattern: pattern ?? null,
    menu_bar: menuBarOf(snapshot),
    ...(toolbar.length === 0 ? {} : { toolbar }),
    ...(suggestions.length === 0 ? {} : { suggestions: suggestions.map((one) => ({ ...one })) }),
  };
}

/** The element that has the keyboard: the deepest, in the active window where one says that it is. -1: none. */
export function focusedRow(snapshot: Snapshot): number {
  let found = -1, inActive = false;
  for (const top of snapshot.children(0)) {
    const active = snapshot.has(top, "active");
    if (inActive && !active) continue;
    for (let row = top; row < snapshot.end(top); row++) {
      if (!snapshot.has(row, "focused")) continue;
      found = row;
      inActive = active;
    }
  }
  return found;
}

/** Its root alone is asked: that says whether it answers at all. */
async function answers(desktop: Desktop, application: Application, deadline: Deadline): Promise<boolean> {
  try {
    const within = deadline.within(BUSY);
    await desktop.snapshot(application, { ...within.call(), fields: [], maxDepth: 0 });
    return true;
  } catch (error) {
    if (!(error instanceof BackstepError) || error.code !== "timeout") throw error;
    deadline.check("read the state of an application");
    return false;
  }
}

function windowJson({ title, focused, minimised, rect }: AppWindow): { readonly [key: string]: Json } {
  return {
    title: brief(title),
    focused,
    position: [rect.x, rect.y],
    size: [rect.width, rect.height],
    ...(minimised ? { minimized: true } : {}),
  };
}

/** Where nobody tells of windows: the top of the tree. */
function treeWindows(snapshot: Snapshot): { readonly [key: string]: Json }[] {
  return snapshot.children(0).filter((row) => rowHas(snapshot, row, "visible")).map((row) => ({
    title: brief(snapshot.name(row)),
    focused: snapshot.has(row, "active"),
  }));
}

function menuBarOf(snapshot: Snapshot): string[] {
  const bar = firstVisible(snapshot, Role.menuBar);
  if (bar < 0) return [];
  return snapshot.children(bar).map((row) => brief(snapshot.name(row))).filter((name) => name !== "")
    .slice(0, MOST);
}

function toolbarOf(snapshot: Snapshot): { readonly [key: string]: Json }[] {
  const bar = firstVisible(snapshot, Role.toolBar);
  if (bar < 0) return [];
  const buttons: { readonly [key: string]: Json }[] = [];
  for (let row = bar + 1; row < snapshot.end(bar) && buttons.length < MOST; row++) {
    const title = snapshot.name(row);
    const { role } = axOf(snapshot, row);
    if (title === "" || !/Button|CheckBox|TextField|ComboBox/.test(role)) continue;
    if (!rowHas(snapshot, row, "visible")) continue;
    const on = rowHas(snapshot, row, "checked") || rowHas(snapshot, row, "pressed");
    buttons.push({
      role,
      title: brief(title),
      enabled: rowHas(snapshot, row, "enabled"),
      ...(on ? { on } : {}),
    });
  }
  return buttons;
}

function firstVisible(snapshot: Snapshot, role: number): number {
  for (let row = 1; row < snapshot.size; row++) {
    if (snapshot.role(row) === role && rowHas(snapshot, row, "visible")) return row;
  }
  return -1;
}
