import { Role } from "../../desktop/roles.ts";
import { type Detector, ideas, LIKELY, reasons, SURE } from "../detector.ts";
import { buttonSaying, buttonsOf, inputsOf, messagesOf } from "../parts.ts";
import type { Scene } from "../scene.ts";
import { says } from "../words.ts";

/** "Do not ask again" is an answer too. */
const MOST_INPUTS = 1;

function answers(scene: Scene) {
  const buttons = buttonsOf(scene);
  const refuse = buttonSaying(scene, "refuse", "cancel");
  const agree = buttons.filter((row) => row !== refuse && says(scene.name(row), "agree"));
  return { buttons, refuse, agree: agree.find((row) => scene.snapshot.has(row, "isDefault")) ?? agree[0] };
}

/** A dialog that asks, and two to four buttons that answer: OK and Cancel, Yes and No. */
export const confirmationDialog: Detector = {
  name: "confirmation_dialog",
  detect(scene) {
    if (!scene.isDialog) return undefined;
    const inputs = inputsOf(scene);
    if (inputs.length > MOST_INPUTS || inputs.some((row) => !scene.of("toggle").includes(row))) {
      return undefined;
    }
    if (scene.of("table", "list", "progress", "spinner", "chooser", "picker").length > 0) return undefined;
    const { buttons, refuse, agree } = answers(scene);
    if (buttons.length < 2 || buttons.length > 4) return undefined;
    const [message] = messagesOf(scene);
    const because = reasons([message, "asks"], [agree, "agrees"], [refuse, "refuses"]);
    if (agree !== undefined && refuse !== undefined) return { confidence: SURE, reasons: because };
    // In another language the role tells that it asks for an answer.
    const { snapshot, front } = scene;
    return snapshot.role(front) === Role.alert
      ? {
        confidence: LIKELY,
        reasons: reasons([front, "an alert"], ...buttons.map((row) => [row, "answers"] as const)),
      }
      : undefined;
  },
  suggest(scene) {
    const { buttons, refuse } = answers(scene);
    const others = buttons.filter((row) => row !== refuse);
    return ideas(
      ...others.map((row) => [row, "ax_click", `Answer "${scene.name(row)}"`] as const),
      [
        refuse,
        "ax_click",
        `Answer "${refuse === undefined ? "" : scene.name(refuse)}", which changes nothing`,
      ],
    );
  },
};
