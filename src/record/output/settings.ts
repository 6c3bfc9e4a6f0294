import type { Settings } from "./model.ts";

/** What a file says of all its steps: each property, and its key in a file, in the order in which a file has them. */
export const KEYS: readonly (readonly [keyof Settings, string])[] = [
  ["description", "description"],
  ["tags", "tags"],
  ["app", "app"],
  ["session", "session"],
  ["mode", "mode"],
  ["desktop", "desktop"],
  ["secrets", "secrets"],
  ["files", "files"],
  ["timeout", "timeout"],
  ["onFailure", "on_failure"],
  ["onConflict", "on_conflict"],
  ["onInterference", "on_interference"],
  ["durability", "durability"],
  ["rollback", "rollback"],
  ["expect", "expect"],
  ["locks", "locks"],
  ["needs", "needs"],
  ["skip", "skip"],
];
