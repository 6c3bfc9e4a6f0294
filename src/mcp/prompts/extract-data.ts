import { detect, queryFor } from "../../intelligence/mod.ts";
import { beforeAll, reach } from "./begin.ts";
import { answer, brief, said, use } from "./compose.ts";
import { runningApps } from "./running-apps.ts";
import { completing, type Guide } from "./values.ts";
import { type AppView, linesOf, viewOf } from "./view.ts";

/** How data is handed over. */
const FORMATS: Readonly<Record<string, string>> = {
  json:
    "JSON: a list of objects with the same keys, numbers as numbers, what is missing as null; nothing around it",
  csv: "CSV after RFC 4180: a header line, fields with commas, quotes or line breaks in double quotes",
  markdown: "a Markdown table: a header row, `|` inside of cells written as `\\|`",
};

/** The table, list or form that the data is most likely in; undefined: none was recognised. */
function sourceOf({ scene, pattern }: AppView): string | undefined {
  if (scene === undefined || pattern === undefined) return undefined;
  const found = detect(scene).all.find(({ name }) => /^(?:table_view|search_interface|form)$/.test(name));
  const row = found?.reasons.find(({ is }) => is === "a table" || is === "what was found" || is === "a form")
    ?.row;
  return row === undefined ? undefined : queryFor(scene, row);
}

/** Guides through reading data out of an application. */
export const extractData: Guide = {
  async get({ app_name = "", data_description = "", output_format = "" }, call) {
    const view = await viewOf(app_name, await runningApps(call), call);
    const { name: app } = view;
    const asked = output_format.trim().toLowerCase();
    const format = FORMATS[asked === "md" ? "markdown" : asked];
    const root = sourceOf(view);
    return answer({
      description: `Extract ${said(data_description)} from ${said(app_name)}`,
      goal: `Extract from the application ${said(app_name)}: ${
        said(data_description)
      }. Only read; change nothing.`,
      steps: [
        ...reach(view),
        beforeAll(view),
        root === undefined
          ? `Find where the data stands: ${use("ax_get_tree", { app, max_depth: 12, compact: true })}, and ${
            use("ax_screenshot", { app })
          } where the tree leaves a doubt.`
          : `The data is most likely here: ${
            use("ax_get_tree", { app, root_query: brief(root), max_depth: 12 })
          }. If it is not, read all of it: ${use("ax_get_tree", { app, max_depth: 12, compact: true })}.`,
        `Read single values with ${
          use("ax_get_value", { app, query: "…" })
        }. Take texts as they stand; do not guess what cannot be read.`,
        `Lists and tables often hold only what is on the screen: scroll with ${
          use("ax_scroll", {
            app,
            direction: "down",
            amount: 400,
            ...(root === undefined ? {} : { query: brief(root) }),
          })
        } and read again until nothing new comes; leave out what came twice.`,
        `Hand it over as ${format ?? FORMATS.json}.`,
        format === undefined && asked !== ""
          ? `The format ${
            said(output_format)
          } is none of json, csv and markdown, so that JSON is used: say so.`
          : "",
        "Say beside it how many records there are, what was cut (an answer tells that it was truncated) and what could not be read.",
      ],
      rules: ["Passwords are never read and never asked for."],
      shown: linesOf(view),
    });
  },
  complete: completing({ app_name: "apps", output_format: Object.keys(FORMATS) }),
};
