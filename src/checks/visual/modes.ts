/** How pixels are judged; see docs/reference/visual-diff.md. */
export const VISUAL_MODES = ["pixel", "perceptual", "pixelmatch"] as const;

/** How pixels are judged. */
export type VisualMode = "pixel" | "perceptual" | "pixelmatch";
