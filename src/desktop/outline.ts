import { cut, describeRow, isScaffolding, plainText } from "./describe.ts";
import { quote } from "./quote.ts";
import type { Snapshot } from "./snapshot.ts";
import { bearer, notableStates, rowHas } from "./state-words.ts";

/** How much of a tree to show. */
export interface OutlineOptions {
  /** Row to start at; default: the root. */
  readonly root?: number;
  /** Lines; default 500. */
  readonly maxLines?: number;
  /** Levels of shown elements below the first; default: all. */
  readonly maxDepth?: number;
  /** Also what does not show; default: all is shown, hidden elements marked. */
  readonly visibleOnly?: boolean;
  /** Unnamed boxes with one child are left out; default true. */
  readonly collapse?: boolean;
  /** Adds to each line, for example a reference; "" adds nothing. */
  readonly annotate?: (row: number) => string;
}

/**
 * A tree for people, a line an element: `button "Save" [focused]`, text and numbers after a colon, indented by two
 * spaces a level. Unnamed boxes that hold one thing only are left out. What is cut, and why, is the last line.
 *
 * @example
 * ```ts
 * import { buildSnapshot } from "./build.ts";
 * import { outline } from "./outline.ts";
 * const snapshot = buildSnapshot(
 *   { role: "frame", name: "Editor", children: [{ role: "pushButton", name: "Save", also: ["focused"] }] },
 *   { bus: ":1.5", name: "editor", pid: 42, toolkit: "gtk", toolkitVersion: "3.24" },
 * );
 * if (outline(snapshot) !== 'window "Editor"\n  button "Save" [focused]') throw new Error(outline(snapshot));
 * ```
 */
export function outline(snapshot: Snapshot, options: OutlineOptions = {}): string {
  const { maxLines = 500, maxDepth = Infinity, visibleOnly = false, collapse = true, annotate } = options;
  const lines: string[] = [];
  const missing = { lines: 0, depth: 0, hidden: 0 };

  const visit = (row: number, depth: number): void => {
    if (visibleOnly && depth > 0 && !rowHas(snapshot, row, "visible") && hidesAll(snapshot, row)) {
      missing.hidden += snapshot.end(row) - row;
      return;
    }
    if (depth > maxDepth) {
      missing.depth += snapshot.end(row) - row;
      return;
    }
    const end = snapshot.end(row);
    const only = row + 1 < end && snapshot.end(row + 1) === end;
    if (collapse && only && isScaffolding(snapshot, row)) return visit(row + 1, depth);
    if (lines.length >= maxLines) {
      missing.lines += end - row;
      return;
    }
    const note = annotate?.(row) ?? "";
    lines.push("  ".repeat(depth) + outlineRow(snapshot, row) + (note === "" ? "" : ` ${note}`));
    for (let child = row + 1; child < end; child = snapshot.end(child)) visit(child, depth + 1);
  };

  if (snapshot.size > 0) visit(options.root ?? 0, 0);
  const cuts = [
    missing.lines > 0 ? `${missing.lines} more elements after ${maxLines} lines` : "",
    missing.depth > 0 ? `${missing.depth} elements deeper than ${maxDepth} levels` : "",
    missing.hidden > 0 ? `${missing.hidden} elements that are hidden` : "",
    snapshot.origin.cut.length > 0 ? `what the reading left out (${snapshot.origin.cut.join(", ")})` : "",
  ].filter((part) => part !== "");
  if (cuts.length > 0) lines.push(`… not shown: ${cuts.join("; ")}`);
  return lines.join("\n");
}

/** One element in one line: role, name, states, and its text or number. */
function outlineRow(snapshot: Snapshot, row: number): string {
  const states = notableStates(bearer(snapshot, row), snapshot.origin.application);
  const text = plainText(snapshot.text(row) ?? "");
  const value = snapshot.value(row);
  const name = snapshot.name(row);
  return describeRow(snapshot, row, 80) +
    (states.length > 0 ? ` [${states.join(" ")}]` : "") +
    (value !== undefined
      ? `: ${value.current}`
      : text !== "" && text !== name
      ? `: ${quote(cut(text, 80))}`
      : "");
}

function hidesAll(snapshot: Snapshot, row: number): boolean {
  for (let r = row + 1; r < snapshot.end(row); r++) if (rowHas(snapshot, r, "visible")) return false;
  return true;
}
