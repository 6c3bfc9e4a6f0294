import { Role } from "../../desktop/roles.ts";
import { type Detector, ideas, LIKELY, reasons, SURE, WEAK } from "../detector.ts";
import { buttonSaying, fieldsOf, inputsOf, titleOf } from "../parts.ts";
import type { Scene } from "../scene.ts";
import { says } from "../words.ts";

/** Controls that make a group. */
const LEAST = 3;

function choicesOf(scene: Scene): number[] {
  const { snapshot } = scene;
  const choices = new Set(scene.of("toggle", "combo", "number"));
  return inputsOf(scene).filter((row) => {
    if (!choices.has(row) || scene.label(row) === "") return false;
    // A toggle button with a name is a key or a tool; without one it is how GTK 3 tells a switch.
    return snapshot.role(row) !== Role.toggleButton || scene.name(row) === "";
  });
}

/** Labelled switches, choices and numbers, in a window or page that is called after settings or is mostly of them. */
export const settingsPage: Detector = {
  name: "settings_page",
  detect(scene) {
    const choices = choicesOf(scene);
    const titled = says(titleOf(scene), "settings");
    if (choices.length < (titled ? 2 : LEAST)) return undefined;
    const fields = fieldsOf(scene).length + scene.of("password").length;
    if (scene.of("area").some((row) => (scene.share(row) ?? 0) > 0.3)) return undefined;
    const because = reasons(
      [titled ? scene.root : undefined, "is called so"],
      ...choices.slice(0, 4).map((row) => [row, "is a labelled choice"] as const),
    );
    if (titled) return { confidence: SURE, reasons: because };
    // What has more to press than to choose is a tool: a calculator, an editor with its tool views.
    if (choices.length <= 2 * fields || choices.length <= scene.of("button").length) return undefined;
    const grouped = scene.of("tab").length > 1;
    return { confidence: grouped && fields === 0 ? LIKELY : WEAK, reasons: because };
  },
  suggest(scene) {
    const choices = choicesOf(scene);
    const toggle = choices.find((row) => scene.of("toggle").includes(row));
    const combo = choices.find((row) => scene.of("combo").includes(row));
    const tab = scene.of("tab").find((row) => !scene.snapshot.has(row, "selected"));
    return ideas(
      [toggle, "ax_click", `Switch "${toggle === undefined ? "" : scene.label(toggle)}"`],
      [combo, "ax_set_value", `Choose another "${combo === undefined ? "" : scene.label(combo)}"`],
      [tab, "ax_click", `Show the page "${tab === undefined ? "" : scene.name(tab)}"`],
      [buttonSaying(scene, "save") ?? buttonSaying(scene, "dismiss"), "ax_click", "Confirm or close"],
    );
  },
};
