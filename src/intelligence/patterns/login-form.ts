import { type Detector, ideas, LIKELY, reasons, SURE, WEAK } from "../detector.ts";
import { buttonSaying, buttonsOf, fieldsOf, inputsOf, sendingButton, titleOf } from "../parts.ts";
import type { Scene } from "../scene.ts";
import { says } from "../words.ts";

/** More fields than that make a registration, or settings that have a password among them. */
const MOST_FIELDS = 3;
/** The same of all that can be filled in or switched, where no button says that it signs in. */
const MOST_INPUTS = 5;

function parts(scene: Scene) {
  const [password, another] = scene.of("password");
  if (password === undefined || another !== undefined) return undefined;
  const fields = fieldsOf(scene);
  if (fields.length > MOST_FIELDS) return undefined;
  const user = fields.find((row) => says(scene.label(row), "user")) ??
    fields.findLast((row) => row < password) ??
    fields[0];
  const enter = buttonSaying(scene, "signIn");
  return { password, user, enter };
}

/** One password field, a text field beside it, and a button that signs in. */
export const loginForm: Detector = {
  name: "login_form",
  detect(scene) {
    const found = parts(scene);
    if (found === undefined) return undefined;
    const { password, user, enter } = found;
    const because = reasons([password, "the only password field"], [user, "the field beside it"], [
      enter,
      "signs in",
    ]);
    if (enter !== undefined) return { confidence: user === undefined ? LIKELY : SURE, reasons: because };
    if (inputsOf(scene).length > MOST_INPUTS) return undefined;
    if (buttonSaying(scene, "signUp") !== undefined || says(titleOf(scene), "signUp")) return undefined;
    const [button] = buttonsOf(scene);
    // A page may send the form with the Return key; a window of a desktop needs a button.
    if (user === undefined || (button === undefined && scene.page < 0)) return undefined;
    const confidence = says(titleOf(scene), "signIn") || says(scene.label(user), "user") ? LIKELY : WEAK;
    return { confidence, reasons: because };
  },
  suggest(scene) {
    const found = parts(scene);
    return ideas(
      [found?.user, "ax_type", "Type the user name"],
      [found?.password, "ax_type", "Type the password"],
      [found?.enter ?? sendingButton(scene), "ax_click", "Sign in"],
    );
  },
};
