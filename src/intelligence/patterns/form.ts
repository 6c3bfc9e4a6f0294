import { type Detector, ideas, LIKELY, reasons, SURE } from "../detector.ts";
import { byPlace, fieldsOf, inputsOf, sendingButton } from "../parts.ts";
import type { Scene } from "../scene.ts";

/** Labelled inputs that make a form, and how many of them take a text. */
const LEAST = 3, LEAST_TEXTS = 2;

function labelled(scene: Scene): number[] {
  return byPlace(scene, inputsOf(scene).filter((row) => scene.label(row) !== ""));
}

/** Labelled fields, choices and switches that are filled in together. */
export const form: Detector = {
  name: "form",
  detect(scene) {
    const inputs = labelled(scene);
    const texts = fieldsOf(scene).filter((row) => scene.label(row) !== "").length +
      scene.of("password").length;
    if (inputs.length < LEAST || texts < LEAST_TEXTS) return undefined;
    const send = sendingButton(scene);
    const [group] = scene.of("form");
    return {
      confidence: send !== undefined || group !== undefined ? SURE : LIKELY,
      reasons: reasons(
        [group, "a form"],
        ...inputs.slice(0, 4).map((row) => [row, "is filled in"] as const),
        [send, "sends it"],
      ),
    };
  },
  suggest(scene) {
    const inputs = labelled(scene);
    return ideas(
      ...inputs.slice(0, 3).map((row) => {
        const toggle = scene.of("toggle").includes(row);
        const action = `${toggle ? "Tick" : "Fill in"} "${scene.label(row)}"`;
        return [row, toggle ? "ax_click" : "ax_set_value", action] as const;
      }),
      [sendingButton(scene), "ax_click", "Send the form"],
    );
  },
};
