import type { Desktop } from "../desktop.ts";

/**
 * The name of a method that is synthetic input: "XTEST click" on an X display, "Wayland click" by a virtual pointer of
 * Wayland's, "CGEvent click" on macOS, "simulated click" on the simulated desktop, where no server takes part.
 *
 * @example
 * ```ts
 * import { inputMethod } from "./input-method.ts";
 * const none = { accessibility: true, input: true, pictures: true, clipboard: true, windows: true };
 * if (inputMethod({ kind: "simulated", capabilities: none }, "keys") !== "simulated keys") throw new Error();
 * ```
 */
export function inputMethod<What extends string>(
  { kind, capabilities }: Pick<Desktop, "kind" | "capabilities">,
  what: What,
): `XTEST ${What}` | `Wayland ${What}` | `CGEvent ${What}` | `simulated ${What}` {
  if (kind === "simulated") return `simulated ${what}`;
  if (capabilities.display === "macos") return `CGEvent ${what}`;
  return capabilities.display === "wayland" ? `Wayland ${what}` : `XTEST ${what}`;
}
