import { type Detector, ideas, LIKELY, reasons, SURE } from "../detector.ts";
import { buttonsOf, inputsOf, messagesOf, titleOf } from "../parts.ts";
import type { Scene } from "../scene.ts";
import { says } from "../words.ts";

/** "Details" beside the one that closes. */
const MOST_BUTTONS = 2;

function parts(scene: Scene) {
  const buttons = buttonsOf(scene);
  const dismiss = buttons.find((row) => says(scene.name(row), "dismiss")) ??
    (buttons.length === 1 ? buttons[0] : undefined);
  const message = messagesOf(scene).find((row) => says(scene.text(row), "failure"));
  return { buttons, dismiss, message };
}

/** A dialog that says what went wrong, with one button that closes it. What only informs is none. */
export const errorAlert: Detector = {
  name: "error_alert",
  detect(scene) {
    if (!scene.isDialog || inputsOf(scene).length > 1) return undefined;
    if (scene.of("table", "chooser", "progress").length > 0) return undefined;
    const { buttons, dismiss, message } = parts(scene);
    if (dismiss === undefined || buttons.length > MOST_BUTTONS) return undefined;
    // GTK 3 titles a message that has no title after its kind; applications write "Error" there.
    const titled = says(titleOf(scene), "fault");
    if (!titled && message === undefined) return undefined;
    // A second button that answers makes it a question.
    const asks = buttons.some((row) =>
      row !== dismiss && (says(scene.name(row), "agree") || says(scene.name(row), "refuse"))
    );
    if (asks) return undefined;
    return {
      confidence: titled || scene.of("icon").length > 0 ? SURE : LIKELY,
      reasons: reasons(
        [titled ? scene.front : undefined, "is titled so"],
        [message, "says what went wrong"],
        [dismiss, "closes it"],
      ),
    };
  },
  suggest(scene) {
    const { dismiss, message } = parts(scene);
    const [first] = messagesOf(scene);
    return ideas(
      [message ?? first, "ax_get_value", "Read what went wrong"],
      [dismiss, "ax_click", "Dismiss the alert"],
    );
  },
};
