import { BackstepError } from "../../base/error.ts";
import type { Workflow } from "../model/step.ts";

/** What a run is made for when it begins. */
const FIXED = [
  "session",
  "mode",
  "desktop",
  "secrets",
  "secretSources",
  "files",
  "onConflict",
  "onInterference",
  "durability",
] as const;

/** Throws `unsupported` where a file now says something of its run that only a new one can do. */
export function mustFit(was: Workflow, now: Workflow): void {
  const other = FIXED.find((key) => JSON.stringify(was[key]) !== JSON.stringify(now[key]));
  if (other === undefined) return;
  throw new BackstepError("unsupported", `Cannot go on with ${now.file}: its \`${KEYS[other]}\` changed`, {
    hint: "Begin a new run: that is fixed when a run begins.",
    details: { key: KEYS[other] },
  });
}

/** As files have them. */
const KEYS: Readonly<Record<typeof FIXED[number], string>> = {
  session: "session",
  mode: "mode",
  desktop: "desktop",
  secrets: "secrets",
  secretSources: "secrets",
  files: "files",
  onConflict: "on_conflict",
  onInterference: "on_interference",
  durability: "durability",
};
