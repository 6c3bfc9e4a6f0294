import { type Detector, ideas, LIKELY, reasons, SURE, WEAK } from "../detector.ts";
import { buttonSaying, fieldsOf } from "../parts.ts";
import type { Scene } from "../scene.ts";
import { says } from "../words.ts";

/** Is it a field for what is looked for: by what its toolkit says, its name, or the glass in it? */
function isSearch(scene: Scene, row: number): boolean {
  const { snapshot } = scene;
  if (snapshot.name(row) === "GtkSearchEntry" || says(scene.label(row), "search")) return true;
  const attributes = snapshot.attributes(row);
  if (attributes["text-input-type"] === "search" || attributes["xml-roles"] === "searchbox") return true;
  if (says(attributes["placeholder-text"] ?? attributes["placeholder"] ?? "", "search")) return true;
  return snapshot.children(row).some((child) => snapshot.name(child) === "edit-find-symbolic");
}

/** What shows what was found: the largest list or table that has something in it. */
function resultsOf(scene: Scene): number | undefined {
  const lists = scene.of("list", "table").filter((row) => scene.snapshot.end(row) > row + 1);
  const named = lists.find((row) => says(scene.name(row), "results"));
  if (named !== undefined) return named;
  let best: number | undefined;
  for (const row of lists) if (best === undefined || scene.area(row) > scene.area(best)) best = row;
  return best;
}

function parts(scene: Scene) {
  const search = fieldsOf(scene).find((row) => isSearch(scene, row));
  return search === undefined ? undefined : { search, results: resultsOf(scene) };
}

/** A field to search in, and a list or table of what was found. */
export const searchInterface: Detector = {
  name: "search_interface",
  detect(scene) {
    const found = parts(scene);
    if (found?.results === undefined) return undefined;
    const { search, results } = found;
    const used = scene.snapshot.has(search, "focused") || (scene.snapshot.text(search) ?? "") !== "";
    const named = says(scene.name(results), "results");
    // Many windows have a search field somewhere and a list elsewhere.
    const alone = fieldsOf(scene).length === 1 && scene.of("list", "table").length <= 2;
    return {
      confidence: used || named ? SURE : alone ? LIKELY : WEAK,
      reasons: reasons([search, "the search field"], [results, "what was found"]),
    };
  },
  suggest(scene) {
    const found = parts(scene);
    const first = found?.results === undefined
      ? undefined
      : scene.of("item", "row", "link").find((row) =>
        row > (found.results ?? 0) && row < scene.snapshot.end(found.results ?? 0)
      );
    return ideas(
      [found?.search, "ax_set_value", "Enter what to search for"],
      [buttonSaying(scene, "search"), "ax_click", "Start the search"],
      [first, "ax_click", "Open the first result"],
    );
  },
};
