import { queryFor, regionsOf } from "../../intelligence/mod.ts";
import { beforeAll, follow, reach } from "./begin.ts";
import { answer, brief, isYes, said, use } from "./compose.ts";
import { runningApps } from "./running-apps.ts";
import { completing, type Guide } from "./values.ts";
import { type AppView, linesOf, quoted, viewOf } from "./view.ts";

/** Where the area that is meant can be read from; undefined: it is no part that was recognised. */
function rootOf({ scene }: AppView, area: string): string | undefined {
  if (scene === undefined) return undefined;
  const wanted = area.trim().toLowerCase();
  const region = regionsOf(scene).find(({ name }) => name.toLowerCase() === wanted);
  return region && queryFor(scene, region.row);
}

/** Guides through a test of an application. */
export const testApp: Guide = {
  async get({ app_name = "", focus_area = "", include_a11y_audit }, call) {
    const view = await viewOf(app_name, await runningApps(call), call);
    const { name: app, scene, suggestions } = view;
    const area = focus_area.trim();
    const root = area === "" ? undefined : rootOf(view, area);
    const regions = scene === undefined ? [] : regionsOf(scene).map((one) => quoted(one.name));
    const tree = { app, max_depth: 8, compact: true };
    const query = brief(suggestions[0]?.query);
    return answer({
      description: `Test ${said(app_name)}`,
      goal: `Test the application ${said(app_name)}${
        area === "" ? "" : `, above all ${said(area)}`
      }, and report what works and what does not.`,
      steps: [
        `Check that accessibility works: ${use("ax_is_accessible")}.`,
        ...reach(view),
        follow(view),
        beforeAll(view),
        area === "" || root !== undefined
          ? `Read what it shows: ${
            use("ax_get_tree", root === undefined ? tree : { ...tree, root_query: brief(root) })
          }.`
          : `Read what it shows: ${use("ax_get_tree", tree)}. Find the part that is meant by ${
            said(area)
          }, and read it again with \`root_query\`.`,
        `Look at it: ${use("ax_screenshot", { app })}.`,
        "List the controls that can be used there, and try them one after another: read the value with `ax_get_value`, act with " +
        `\`ax_click\`, \`ax_set_value\` or \`ax_type\`, wait with ${
          use("ax_wait_idle", { app })
        }, and read again. Try empty, ` +
        "long and unusual values where text is entered.",
        `Assert what is expected: ${
          use("ax_assert", { app, query, assertions: { exists: true, enabled: true } })
        } and the same for every state that matters.`,
        `Undo what you changed: ${
          use("ax_undo", { count: 1 })
        }. What it does not report as undone, name in the report.`,
        isYes(include_a11y_audit)
          ? `Audit its accessibility: ${
            use("ax_a11y_audit", { app, scope: "focused_window", standards: ["wcag_aa"] })
          }.`
          : "",
        "Report: what was tested, what passed, what failed (with the query, what was expected and what was found), what could not " +
        "be tested and why.",
      ],
      rules: [
        "Leave alone what reaches outside of the application or cannot be undone: sending, deleting, paying, printing.",
      ],
      shown: [
        ...linesOf(view),
        ...(regions.length === 0 ? [] : [`parts of the window in front: ${regions.join(", ")}`]),
      ],
    });
  },
  complete: completing({
    app_name: "apps",
    focus_area: "regions",
    include_a11y_audit: ["true", "false"],
  }),
};
