import { toBackstepError } from "../../base/error.ts";
import { find, readSelector } from "../../desktop/selector/mod.ts";
import { queryFor } from "../../intelligence/mod.ts";
import { beforeAll, reach } from "./begin.ts";
import { answer, brief, said, use } from "./compose.ts";
import { runningApps } from "./running-apps.ts";
import { completing, type Guide } from "./values.ts";
import { type AppView, linesOf, quoted, viewOf } from "./view.ts";

/** What a description of an element finds now. */
interface Meant {
  /** Finds it alone; absent: nothing was found, or several. */
  readonly query?: string;
  readonly matches: number;
}

function meant({ scene }: AppView, element: string): Meant {
  if (scene === undefined || element.trim() === "") return { matches: 0 };
  try {
    const { rows } = find(readSelector(element), scene.snapshot);
    const [row] = rows;
    const query = row === undefined || rows.length > 1 ? "…" : brief(queryFor(scene, row));
    return { matches: rows.length, ...(query === "…" ? {} : { query }) };
  } catch (thrown) {
    const { code } = toBackstepError(thrown);
    if (code !== "selector" && code !== "invalid") throw thrown;
    return { matches: 0 };
  }
}

/** Guides through copying from one application to another. */
export const crossAppCopy: Guide = {
  async get({ source_app = "", source_element = "", target_app = "", target_element = "" }, call) {
    const existing = await runningApps(call);
    const [source, target] = await Promise.all([
      viewOf(source_app, existing, call),
      viewOf(target_app, existing, call),
    ]);
    const from = meant(source, source_element), to = meant(target, target_element);
    const query = from.query ?? source_element, into = to.query ?? target_element;
    const same = source.app !== undefined && source.app === target.app;
    const workflow = {
      name: "cross-app-copy",
      steps: [
        { tool: "ax_get_value", args: { app: source.name, query }, on_fail: "abort" },
        {
          tool: "ax_set_value",
          args: { app: target.name, query: into, value: "{{step_1.value}}" },
          on_fail: "rollback",
        },
      ],
    };
    const locate = (view: AppView, element: string, { matches, query: sure }: Meant) =>
      sure === undefined
        ? `Find ${said(element)} in ${said(view.asked)}${
          matches > 1 ? `, which ${matches} elements fit` : ""
        }: ${use("ax_find", { app: view.name, query: element })}, and ${
          use("ax_get_tree", { app: view.name, max_depth: 8, compact: true })
        } where that does not tell it. A query must find exactly one.`
        : `${said(element)} in ${said(view.asked)} is found: ${
          use("ax_find", { app: view.name, query: sure })
        }.`;
    return answer({
      description: `Copy ${said(source_element)} of ${said(source_app)} to ${said(target_element)} of ${
        said(target_app)
      }`,
      goal: `Copy ${said(source_element)} from ${said(source_app)} to ${said(target_element)} in ${
        said(target_app)
      }.`,
      steps: [
        ...reach(source),
        beforeAll(source),
        ...(same ? [] : [...reach(target), beforeAll(target)]),
        locate(source, source_element, from),
        locate(target, target_element, to),
        `Read what is to be copied: ${
          use("ax_get_value", { app: source.name, query })
        }. If it is empty, say so and stop.`,
        `Read what the target holds now: ${
          use("ax_get_value", { app: target.name, query: into })
        }; what is there is replaced, so ask where that would lose something.`,
        `Carry it over in one transaction: ${
          use("ax_workflow", workflow)
        }. \`{{step_1.value}}\` is what the first step answered.`,
        `Where a value cannot be set, or more than plain text is to be kept, use the clipboard: select in the source and press ${
          use("ax_key_press", { app: source.name, key: "c", modifiers: ["cmd"] })
        }, check ${use("ax_clipboard", { action: "read" })}, click the target and press ${
          use("ax_key_press", { app: target.name, key: "v", modifiers: ["cmd"] })
        }. The clipboard's own content is lost then: read it before, write it back after.`,
        `Check that it arrived: ${
          use("ax_get_value", { app: target.name, query: into })
        } equals what was read.`,
        "Report what was copied (its length, and the first words), where it is now, and what stood there before.",
      ],
      rules: ["Passwords are never copied.", "The source stays as it is."],
      shown: [
        ...linesOf(source),
        ...(same ? [] : linesOf(target)),
        `${quoted(source_element)} finds ${from.matches} in the source, ${
          quoted(target_element)
        } finds ${to.matches} in the target`,
      ],
    });
  },
  complete: completing({
    source_app: "apps",
    target_app: "apps",
    source_element: { elementsOf: "source_app" },
    target_element: { elementsOf: "target_app" },
  }),
};
