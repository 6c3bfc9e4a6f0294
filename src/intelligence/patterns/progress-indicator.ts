import { type Detector, ideas, reasons, SURE, WEAK } from "../detector.ts";
import { buttonSaying, inputsOf } from "../parts.ts";
import type { Scene } from "../scene.ts";

/** Other controls that a window may have that is about nothing but its progress. */
const FEW = 3;

/** Progress bars that are not done, spinners that turn. */
export function runningOf(scene: Scene): number[] {
  const { snapshot } = scene;
  const bars = scene.of("progress").filter((row) => {
    if (scene.snapshot.has(row, "indeterminate") || snapshot.has(row, "busy")) return true;
    const value = snapshot.value(row);
    if (value === undefined) return true;
    const { current, minimum, maximum } = value;
    return !(maximum > minimum) || (current > minimum && current < maximum);
  });
  // GTK 4.8 has no role for a spinner, and names it after its class.
  const spinners = [
    ...scene.of("spinner"),
    ...scene.of("filler").filter((row) => snapshot.name(row) === "GtkSpinner"),
  ];
  return [...bars, ...spinners].sort((a, b) => a - b);
}

/** A progress bar that is between its ends, or a spinner. */
export const progressIndicator: Detector = {
  name: "progress_indicator",
  detect(scene) {
    const running = runningOf(scene);
    const [first] = running;
    if (first === undefined) return undefined;
    const others = inputsOf(scene).length + scene.of("button", "table", "list", "tabs").length;
    return {
      confidence: others <= FEW ? SURE : WEAK,
      reasons: reasons(...running.slice(0, 3).map((row) => [row, "is under way"] as const)),
    };
  },
  suggest(scene) {
    const [first] = runningOf(scene);
    return ideas(
      [first, "ax_get_value", "Read how far it is"],
      [buttonSaying(scene, "cancel"), "ax_click", "Cancel it"],
    );
  },
};
