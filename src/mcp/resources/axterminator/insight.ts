import type { SnapshotField } from "../../../desktop/desktop.ts";
import type { Snapshot } from "../../../desktop/snapshot.ts";

/** What could be done next, and with which tool. */
export interface Suggestion {
  readonly action: string;
  readonly tool: string;
  readonly query?: string;
}

/** What is made of a tree beyond what stands in it. */
export interface Insight {
  /** What a snapshot should hold so that nothing is overlooked. */
  readonly fields: readonly SnapshotField[];
  /** The kind of interface below a row ("login_form"…); undefined: none that is known. */
  pattern(snapshot: Snapshot, row?: number): string | undefined;
  /** "idle", "loading", "error", "auth_required" or "modal_dialog". */
  state(snapshot: Snapshot): string;
  suggestions(snapshot: Snapshot, pattern: string): readonly Suggestion[];
}
