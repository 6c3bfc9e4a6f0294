import type { Desktop } from "../desktop.ts";

/**
 * The name of a method that is synthetic input: "XTEST click" on an X display, "simulated click" on the simulated desktop,
 * where no X server takes part.
 *
 * @example
 * ```ts
 * import { inputMethod } from "./input-method.ts";
 * if (inputMethod({ kind: "simulated" }, "keys") !== "simulated keys") throw new Error();
 * ```
 */
export function inputMethod<What extends string>(
  desktop: Pick<Desktop, "kind">,
  what: What,
): `XTEST ${What}` | `simulated ${What}` {
  return desktop.kind === "simulated" ? `simulated ${what}` : `XTEST ${what}`;
}
