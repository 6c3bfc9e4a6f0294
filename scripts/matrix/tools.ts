import { rowsFor } from "./rows.ts";
import { toolkit, TOOLKITS } from "./toolkits.ts";

/** Tools that act, and have no way to a control of an application: each with what they are instead. */
const APART: ReadonlyMap<string, string> = new Map([
  ["ax_connect", "acts on nothing"],
  ["ax_run_script", "a person reads the script"],
  ["launch_application", "starts a program"],
  ["quit_application", "ends a program"],
  ["wm_focus_window", "presses nothing"],
  ["wm_move_window", "presses nothing"],
  ["wm_close_window", "closes a window"],
  ["wm_switch_workspace", "presses nothing"],
  ["wm_move_window_to_workspace", "presses nothing"],
]);

/** What the matrix does with a tool: it has rows, or the reason why it has none. Throws for a tool that nobody thought of. */
export function partOf(tool: { readonly name: string; readonly looks: boolean }): "rows" | string {
  const { name, looks } = tool;
  if (TOOLKITS.some((one) => rowsFor(toolkit(one)).some(({ by }) => by === name))) return "rows";
  if (looks) return "only looks";
  const apart = APART.get(name);
  if (apart !== undefined) return apart;
  throw new Error(`the matrix has no row for ${name}: add its ways to scripts/matrix/rows.ts`);
}
