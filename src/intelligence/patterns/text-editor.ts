import { type Detector, ideas, LIKELY, reasons, SURE, WEAK } from "../detector.ts";
import { buttonSaying, inputsOf } from "../parts.ts";
import type { Scene } from "../scene.ts";
import { says } from "../words.ts";

/** Of the window or page that the text must take. */
const LARGE = 0.3;
/** Of a page, where the text has the width of a column. */
const LARGE_ON_PAGE = 0.15;
/** Other things to fill in: a search bar, a zoom. */
const FEW = 3;

function textOf(scene: Scene): number | undefined {
  let best: number | undefined;
  for (const row of scene.of("area")) {
    if (best === undefined || scene.area(row) > scene.area(best)) best = row;
  }
  if (best === undefined) return undefined;
  const share = scene.share(best);
  // Where nobody tells places, the only text there is counts.
  if (share === undefined) return scene.of("area").length === 1 ? best : undefined;
  return share >= (scene.page >= 0 ? LARGE_ON_PAGE : LARGE) ? best : undefined;
}

/** A large text that can be edited, with a toolbar, a menu bar or buttons that format. */
export const textEditor: Detector = {
  name: "text_editor",
  detect(scene) {
    const text = textOf(scene);
    if (text === undefined || scene.isDialog) return undefined;
    const tools = [...scene.of("toolbar"), ...scene.of("menubar")][0] ??
      scene.of("button", "toggle").find((row) => says(scene.name(row), "format"));
    const because = reasons([text, "a large text"], [tools, "what works on it"]);
    const others = inputsOf(scene).filter((row) => row !== text && !says(scene.name(row), "format")).length;
    if (others > FEW) return { confidence: WEAK, reasons: because };
    return { confidence: tools === undefined ? LIKELY : SURE, reasons: because };
  },
  suggest(scene) {
    return ideas(
      [textOf(scene), "ax_type", "Type into the text"],
      [textOf(scene), "ax_get_value", "Read the text"],
      [buttonSaying(scene, "save"), "ax_click", "Save"],
    );
  },
};
