import type { Desktop, Modifier } from "../desktop.ts";

type Display = Pick<Desktop, "capabilities">;

const isMac = ({ capabilities }: Display) => capabilities.display === "macos";

/** The key of shortcuts: Command on macOS, Control elsewhere. */
export function command(desktop: Display): "super" | "ctrl" {
  return isMac(desktop) ? "super" : "ctrl";
}

/** What is held while one more item is clicked. On macOS a click with Control opens a menu. */
export function adding(desktop: Display): readonly Modifier[] {
  return [command(desktop)];
}

/** The keys that put the caret before a text of one or several lines, or behind it. Home and End of macOS only scroll. */
export function toEnd(desktop: Display, which: "start" | "end", lines: boolean): readonly string[] {
  const start = which === "start";
  if (!isMac(desktop)) return [...(lines ? ["ctrl"] : []), start ? "Home" : "End"];
  return ["super", lines ? (start ? "Up" : "Down") : start ? "Left" : "Right"];
}
