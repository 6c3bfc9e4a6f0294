import { beforeAll, reach } from "./begin.ts";
import { answer, brief, isYes, said, use } from "./compose.ts";
import { completing, type Guide } from "./values.ts";
import { runningApps } from "./running-apps.ts";
import { workflowFiles } from "./folders.ts";
import { plannedLines } from "./sampled.ts";
import { linesOf, namesOf, viewOf } from "./view.ts";

/** Applications of one workflow. */
const MOST = 8;

/** Guides through automating several steps. */
export const automateWorkflow: Guide = {
  async get({ workflow = "", apps: named = "", dry_run }, call) {
    const names = named.split(",").map((name) => name.trim()).filter((name) => name !== "").slice(0, MOST);
    const existing = await runningApps(call);
    const views = await Promise.all(names.map((name) => viewOf(name, existing, call)));
    const dry = isYes(dry_run);
    const planned = dry ? await plannedLines(workflow, views, call) : [];
    const app = views[0]?.name ?? "…";
    const query = brief(views[0]?.suggestions[0]?.query);
    const example = {
      name: "…",
      steps: [
        { tool: "ax_get_value", args: { app, query }, on_fail: "abort" },
        {
          tool: "ax_set_value",
          args: { app, query, value: "{{step_1.value}}" },
          on_fail: "rollback",
          retry: 1,
        },
        { tool: "ax_wait_idle", args: { app }, on_fail: "rollback" },
      ],
    };
    return answer({
      description: `${dry ? "Plan" : "Automate"} ${said(workflow)}`,
      goal: `${dry ? "Plan, without doing any of it" : "Automate"} on this desktop: ${said(workflow)}.`,
      steps: [
        ...views.flatMap((view) => [...reach(view), beforeAll(view)]),
        views.length === 0
          ? `No application was named: choose among those in the data (${
            use("list_applications")
          } tells them afresh), and connect to each with ${use("ax_connect", { app: "…" })}.`
          : "",
        `Look at each one: ${
          use("ax_get_tree", { app, max_depth: 8, compact: true })
        }. Find every element that the steps need with ${
          use("ax_find", { app, query: "…" })
        }; a query must find exactly one.`,
        "Write the steps down as arguments of `ax_workflow`: reads first, what cannot be undone (a click that sends, deletes or " +
        'closes) last. `{{step_N.field}}` stands for what step N answered, counted from 1. `on_fail: "rollback"` undoes what ' +
        `came before. For example: ${use("ax_workflow", example)}.`,
        dry
          ? "Stop here. Show the plan as a numbered list and as the JSON for `ax_workflow`; name the steps that cannot be undone, " +
            "and what you assumed."
          : "Run it with `ax_workflow`. Read `success`, `results` and `rolled_back` in the answer: `rolled_back: true` means that the " +
            "values were read back.",
        dry
          ? ""
          : `Check the outcome with ${
            use("ax_assert", { app, query, assertions: { exists: true } })
          } for each thing that was to be reached.`,
        dry
          ? ""
          : `If it went wrong and something is left, undo it with ${
            use("ax_undo", { count: 1 })
          }, and name what that cannot undo.`,
        dry ? "" : "Report each step, what it came to, and what is left changed.",
      ],
      rules: dry
        ? [
          "This is a plan: call only tools that look (ax_connect, ax_get_tree, ax_find, ax_get_value, ax_get_attributes, ax_screenshot, ax_list_windows).",
        ]
        : ["Ask the person before a step that cannot be undone."],
      shown: [
        ...views.flatMap(linesOf),
        ...(views.length === 0 ? [`running: ${existing.length === 0 ? "nothing" : namesOf(existing)}`] : []),
        ...planned,
        ...await workflowFiles(call),
      ],
    });
  },
  complete: completing({ apps: "app list", dry_run: ["true", "false"] }),
};
