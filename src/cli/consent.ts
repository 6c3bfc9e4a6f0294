import process from "node:process";
import { BackstepError } from "../base/error.ts";
import type { Act, PolicyPort } from "../contract/gate.ts";
import { destructiveWord, HARMLESS } from "../policy/destructive-words.ts";
import type { SecurityMode } from "../policy/security.ts";
import { Settings } from "../policy/settings.ts";
import { SETTINGS } from "../policy/table.ts";

/**
 * What stands at the acts of a command and of a workflow file: in normal mode nothing, since who wrote it has agreed to what
 * it does. In safe mode what destroys is refused, and scripts; in sandboxed mode every act is. Throws `usage` for settings
 * that cannot be.
 */
export function consent(environment = process.env): readonly PolicyPort[] {
  const mode = new Settings({ environment }).get(SETTINGS.mode);
  return mode === "normal" ? [] : [{ admit: (act) => judge(act, mode) }];
}

function judge({ operation, resolved }: Act, mode: Exclude<SecurityMode, "normal">): void {
  const { name } = operation;
  if (operation.hints.readOnly) return;
  if (mode === "sandboxed") throw refused(name, "sandboxed mode only looks");
  if (name === "run-script") throw refused(name, "scripts are blocked in safe mode");
  if (HARMLESS.has(name) || resolved.effect === "read" || resolved.effect === "restorable") return;
  for (const element of resolved.elements) {
    const word = destructiveWord(element.name) ?? destructiveWord(element.description);
    if (word === undefined) continue;
    throw refused(
      name,
      `"${element.name.slice(0, 80)}" destroys, and in safe mode nobody has agreed to that`,
    );
  }
}

function refused(operation: string, why: string): BackstepError {
  return new BackstepError("policy", `Cannot ${operation}: ${why}`, {
    hint: "Set BACKSTEP_SECURITY_MODE=normal for this command, if it is meant.",
  });
}
