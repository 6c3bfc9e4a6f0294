import { BackstepError } from "../../base/error.ts";
import { atomName } from "../../x11/requests.ts";
import type { WmKeyboardLayouts } from "../model.ts";
import type { EwmhLink } from "./link.ts";

/** The layouts of the display's keyboard. Rejects with `unsupported`. */
export async function ewmhLayouts({ x, xkb }: EwmhLink): Promise<WmKeyboardLayouts> {
  if (xkb === undefined) {
    throw new BackstepError("unsupported", "Cannot read the keyboard layouts: the display lacks XKEYBOARD");
  }
  const [atoms, current_idx] = await Promise.all([x.ask(xkb.groupNames()), x.ask(xkb.group())]);
  return { names: await Promise.all(atoms.map((atom) => x.ask(atomName(atom)))), current_idx };
}
