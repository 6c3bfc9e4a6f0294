import { toBackstepError } from "../../base/error.ts";
import { describeRow } from "../../desktop/describe.ts";
import { find, readSelector } from "../../desktop/selector/mod.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import { rowHas } from "../../desktop/state-words.ts";
import { queryFor, type Scene } from "../../intelligence/mod.ts";
import { beforeAll, reach } from "./begin.ts";
import { answer, said, use } from "./compose.ts";
import { runningApps } from "./running-apps.ts";
import { locatorLines } from "./sampled.ts";
import { completing, type Guide } from "./values.ts";
import { linesOf, quoted, viewOf } from "./view.ts";

/** Elements that are named. */
const MOST = 5;

/** What a query finds now, as lines of data. */
function triedLines(snapshot: Snapshot, query: string): string[] {
  try {
    const { rows, tried } = find(readSelector(query), snapshot);
    const head = `query ${quoted(query)} finds ${rows.length} now, tried as ${tried.join(", ")}`;
    const some = rows.slice(0, MOST).map((row) => {
      const hidden = rowHas(snapshot, row, "visible") ? "" : ", which does not show";
      return `  ${describeRow(snapshot, row)}${hidden}`;
    });
    return [head, ...some];
  } catch (thrown) {
    const { code, message } = toBackstepError(thrown);
    if (code !== "selector" && code !== "invalid") throw thrown;
    return [`query ${quoted(query)} cannot be read: ${quoted(message)}`];
  }
}

/** Elements that the description may mean, with queries that find them. */
function likely(scene: Scene, description: string): string[] {
  const { snapshot } = scene;
  const words = description.replace(/[^\p{L}\p{N} ]/gu, " ").trim().slice(0, 200);
  if (words === "") return [];
  // In quotes it is a title, or a part of one; else its words may stand in any order.
  const named = find(readSelector(`"${words}"`), snapshot).rows;
  const rows = named.length > 0 ? named : find(readSelector(words), snapshot).rows;
  return rows.slice(0, MOST).flatMap((row) => {
    const query = queryFor(scene, row);
    return query === undefined ? [] : [`  ${describeRow(snapshot, row)} is found by ${quoted(query)}`];
  });
}

/** Guides to why an element is not found. */
export const debugUi: Guide = {
  async get({ app_name = "", element_description = "", query_tried = "" }, call) {
    const view = await viewOf(app_name, await runningApps(call), call);
    const { name: app, scene } = view;
    const tried = query_tried.trim();
    const candidates = scene === undefined ? [] : likely(scene, element_description);
    const suggested = await locatorLines(view, element_description, tried, call);
    return answer({
      description: `Why ${said(element_description)} is not found in ${said(app_name)}`,
      goal: `Find out why the element ${said(element_description)} of ${said(app_name)} is not found${
        tried === "" ? "" : ` by the query ${said(tried)}`
      }, and how it can be.`,
      steps: [
        ...reach(view),
        beforeAll(view),
        candidates.length > 0
          ? "The data names elements that may be meant, with queries that find them now: try these first."
          : "",
        tried === ""
          ? ""
          : `Repeat what failed: ${
            use("ax_find", { app, query: tried })
          }. Read the match count and the strategies that were tried; several matches make an act fail as none does.`,
        `Read the tree: ${
          use("ax_get_tree", { app, max_depth: 15, compact: true })
        }, then with what does not show: ${
          use("ax_get_tree", { app, max_depth: 15, include_invisible: true })
        }. It may be in another window (${
          use("ax_list_windows", { app })
        }), on another tab, in a closed menu, or further down.`,
        `Look at it: ${
          use("ax_screenshot", { app })
        }. What can be seen and is not in the tree has no accessibility: ${
          use("ax_find_visual", { app, description: element_description })
        }.`,
        `Try other ways to ask: ${
          use("ax_find", { app, query: element_description, strategy: "contains" })
        }, by role (${use("ax_find", { app, query: "role:AXButton title:…" })}), by identifier (${
          use("ax_find", { app, query: "…", strategy: "identifier" })
        }), by expression (${use("ax_find", { app, query: "…", strategy: "regex" })}).`,
        `Of the right one read everything: ${
          use("ax_get_attributes", { app, query: "…" })
        }: role, identifier, whether it is enabled and shows.`,
        "Report the cause (misspelt, another role, hidden, several alike, not yet there, no accessibility), the query that finds exactly " +
        "this element, and how long it will hold: an identifier lasts longer than a title, a title longer than a place.",
      ],
      rules: ["Only look; scroll or switch a tab where the element cannot be there otherwise."],
      shown: [
        ...linesOf(view),
        ...(scene === undefined || tried === "" ? [] : triedLines(scene.snapshot, tried)),
        ...(candidates.length === 0 ? [] : ["may be meant:", ...candidates]),
        ...suggested,
      ],
    });
  },
  complete: completing({ app_name: "apps", element_description: "elements" }),
};
