import type { Call } from "../../../base/call.ts";
import type { Application, Desktop, DesktopEvent } from "../../../desktop/desktop.ts";
import { isGtk4 } from "../../../desktop/toolkits.ts";
import { axOf } from "../../../desktop/vocabulary.ts";
import { brief } from "../axterminator/brief.ts";
import type { Insight } from "../axterminator/insight.ts";
import { focusedRow, summaryOf } from "../axterminator/state.ts";
import { windowsOf } from "../axterminator/view.ts";
import { concernsToplevels, type Toplevel } from "../subscriptions/toplevels.ts";
import type { Heard } from "./desktop-events.ts";
import { isFocus, type LastTree } from "./last-tree.ts";
import { lookAt } from "./read-at.ts";
import type { Looks } from "./shared-reads.ts";
import { toplevelsOf } from "./toplevels.ts";
import type { Part } from "./topic.ts";
import { tellsOfStructure } from "./tree-part.ts";

/** Milliseconds that changes of a state are gathered. */
const DEBOUNCE = 100;

/** What is watched. */
export interface StateWatched {
  readonly desktop: Desktop;
  readonly application: Application;
  readonly insight: Insight | undefined;
  readonly lastTree: LastTree;
  readonly looks: Looks;
}

/**
 * What a state consists of: windows and focus, for which little has to be asked, and what the whole tree says, which not
 * every toolkit tells quickly.
 */
export function stateParts(of: StateWatched): readonly Part[] {
  const focus: Focus = { path: undefined };
  return [new Front(of, focus), wholePart(of, focus)];
}

/** The element that has the keyboard, by the last event that told of one. */
interface Focus {
  path: string | undefined;
}

class Front implements Part {
  readonly debounce = DEBOUNCE;
  readonly #of: StateWatched;
  readonly #focus: Focus;
  #toplevels: ReadonlyMap<string, Toplevel> = new Map();
  #root: string | undefined;

  constructor(of: StateWatched, focus: Focus) {
    this.#of = of;
    this.#focus = focus;
  }

  hear(heard: Heard): void {
    if (heard === "lost") return;
    for (const event of heard) if (isFocus(event)) this.#focus.path = event.path;
  }

  concerns(events: readonly DesktopEvent[]): boolean {
    return events.some((event) =>
      isFocus(event) || concernsToplevels(event, this.#toplevels, this.#root ?? "")
    );
  }

  async digest(call: Call): Promise<string> {
    const { desktop, application, looks } = this.#of;
    if (this.#root === undefined) {
      const snapshot = await looks.tree({ fields: ["id"], source: "held", polled: false }, call);
      const row = focusedRow(snapshot);
      this.#focus.path ??= row < 0 ? undefined : snapshot.path(row);
      this.#root = snapshot.path(0);
    }
    const [toplevels, windows, focused] = await Promise.all([
      toplevelsOf(desktop, application, call),
      windowsOf(desktop, application, call),
      this.#focused(call),
    ]);
    this.#toplevels = new Map(toplevels.map((toplevel) => [toplevel.path, toplevel]));
    return JSON.stringify([
      toplevels.map(({ title, role, dialog, active }) => [title, role, dialog, active]),
      windows,
      focused,
    ]);
  }

  async #focused(call: Call): Promise<readonly string[]> {
    const { path } = this.#focus;
    if (path === undefined) return [];
    const one = await lookAt(this.#of.desktop, this.#of.application, path, [], call);
    return one === undefined || !one.has(0, "focused") ? [] : [axOf(one, 0).role, brief(one.name(0))];
  }
}

function wholePart(of: StateWatched, focus: Focus): Part {
  return {
    debounce: DEBOUNCE,
    concerns: (events) => events.some((event) => tellsOfStructure(event) && !of.lastTree.says(event)),
    async digest(call, polled) {
      const { application, insight, lastTree, looks } = of;
      // Only places tell which pages of a GTK 4 window show.
      const how = isGtk4(application) && insight !== undefined
        ? { fields: insight.fields, source: "mirror" } as const
        : { fields: ["id"], source: "held" } as const;
      const snapshot = await looks.tree({ ...how, polled }, call);
      lastTree.learn(snapshot);
      if (polled) {
        const row = focusedRow(snapshot);
        focus.path = row < 0 ? undefined : snapshot.path(row);
      }
      const { windows: _windows, focused_element: _element, ...rest } = summaryOf(snapshot, [], insight);
      return JSON.stringify(rest);
    },
  };
}
