import { destinationsOf, queryFor, WAY } from "../../intelligence/mod.ts";
import { beforeAll, reach } from "./begin.ts";
import { answer, brief, said, use } from "./compose.ts";
import { runningApps } from "./running-apps.ts";
import { completing, type Guide } from "./values.ts";
import { type AppView, linesOf, quoted, viewOf } from "./view.ts";

/** Ways that are told where none of them is the one that was asked for. */
const MOST = 25;

/** "File > New", "File → New" and "File » New" in parts. */
function partsOf(destination: string): string[] {
  return destination.split(/\s*(?:>|→|›|»)\s*/u).map((part) => part.trim()).filter((part) => part !== "");
}

/** Queries for the parts of a way, as far as their elements are there already. */
function queriesOf({ scene }: AppView, parts: readonly string[]): string[] {
  return parts.map((part) => {
    if (scene === undefined) return part;
    const wanted = part.toLowerCase();
    const rows = scene.of("menu", "tab", "button", "link", "item", "toggle").concat(
      scene.around("tab", "menu", "button"),
    );
    const row = rows.find((one) => scene.name(one).toLowerCase() === wanted);
    const query = row === undefined ? "…" : brief(queryFor(scene, row));
    return query === "…" ? part : query;
  });
}

/** Guides to a screen, a dialog or a state. */
export const navigateTo: Guide = {
  async get({ app_name = "", destination = "" }, call) {
    const view = await viewOf(app_name, await runningApps(call), call);
    const { name: app, scene } = view;
    const parts = partsOf(destination);
    const ways = scene === undefined ? [] : destinationsOf(scene);
    const way = parts.join(WAY).toLowerCase();
    const existing = ways.find((one) => one.toLowerCase() === way);
    const queries = queriesOf(view, parts);
    const clicks = queries.map((query) => use("ax_click", { app, query })).join(", then ");
    return answer({
      description: `Go to ${said(destination)} in ${said(app_name)}`,
      goal: `Bring the application ${said(app_name)} to ${said(destination)}, with as few acts as possible.`,
      steps: [
        ...reach(view),
        beforeAll(view),
        existing !== undefined
          ? `The application has this way: ${clicks}. Call ${use("ax_wait_idle", { app })} between them.`
          : `Read where it is: ${use("ax_get_tree", { app, max_depth: 8, compact: true })}. Look for ${
            parts.map(said).join(", then ")
          } among tabs, menus, lists at the side, buttons and links; follow what leads there with \`ax_click\`, and call ${
            use("ax_wait_idle", { app })
          } after each.`,
        existing === undefined
          ? `Settings are often behind a menu button, or open with ${
            use("ax_key_press", { app, key: ",", modifiers: ["cmd"] })
          }. A search field of the application may know the way.`
          : "",
        `Check that it was reached: ${use("ax_list_windows", { app })}, then ${
          use("ax_assert", { app, query: parts.at(-1) ?? "…", assertions: { exists: true, visible: true } })
        } with an element that only this place has.`,
        "Report the way that led there, or how far it went and what was there instead.",
      ],
      rules: [
        "A wrong turn is rolled back with Escape or the same control again, before another way is tried.",
        "Change nothing on the way: no setting, no text, no file.",
      ],
      shown: [
        ...linesOf(view),
        ...(existing !== undefined || ways.length === 0 ? [] : [
          `ways that it offers: ${ways.slice(0, MOST).map(quoted).join(", ")}${
            ways.length > MOST ? `, and ${ways.length - MOST} more` : ""
          }`,
        ]),
      ],
    });
  },
  complete: completing({ app_name: "apps", destination: "destinations" }),
};
