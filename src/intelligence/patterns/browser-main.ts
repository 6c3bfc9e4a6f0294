import { type Detector, ideas, LIKELY, reasons } from "../detector.ts";
import type { Scene } from "../scene.ts";
import { says } from "../words.ts";

function parts(scene: Scene) {
  if (scene.page < 0) return undefined;
  const address = scene.around("field").find((row) => says(scene.name(row), "address"));
  const [tabs] = scene.around("tabs");
  return { address, tabs };
}

/** A web page with an address bar and tabs around it. */
export const browserMain: Detector = {
  name: "browser_main",
  detect(scene) {
    const found = parts(scene);
    if (found?.address === undefined || found.tabs === undefined) return undefined;
    return {
      confidence: LIKELY,
      reasons: reasons([found.address, "the address bar"], [found.tabs, "the tabs"], [
        scene.page,
        "the page",
      ]),
    };
  },
  suggest(scene) {
    const [link] = scene.of("link").filter((row) => scene.name(row) !== "");
    return ideas(
      [parts(scene)?.address, "ax_set_value", "Enter an address or what to search for"],
      [scene.page, "ax_get_tree", "Read the page: as root_query"],
      [link, "ax_click", `Follow the link "${link === undefined ? "" : scene.name(link)}"`],
    );
  },
};
