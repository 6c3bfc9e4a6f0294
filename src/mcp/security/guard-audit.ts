import { BackstepError, type Json, toBackstepError } from "../../base/error.ts";
import type { Act, ActOutcome } from "../../contract/gate.ts";
import { roleOf } from "../../desktop/roles.ts";
import type { AuditEntry, AuditLog } from "../../policy/audit-log.ts";
import type { Hit } from "../../policy/judgement/hit.ts";
import type { GuardSecurity } from "../../policy/policy.ts";
import type { ToolArguments } from "../../tools/tool.ts";
import { isComposed } from "../../tools/all.ts";
import type { McpCall } from "../server/call.ts";

/** Arguments that are written down; all others are only named. Never: text, value, script, steps, fields of forms. */
const KEPT: ReadonlySet<string> = new Set([
  ..."app query from_query to_query x y from_x from_y to_x to_y button click_type mode direction amount"
    .split(" "),
  ..."action count window_index strategy bundleId alias duration_ms modifiers language timeout_ms name".split(
    " ",
  ),
]);
/** Characters of one argument. */
const LONGEST = 200;
/** The part of a selector that holds what a field contains. */
const CONTENT = /\b(value|text)(\s*[*^$~|]?=\s*)("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\]\s]*)/gi;

/** What is written down of one act. */
export interface AuditLine {
  readonly tool: string;
  readonly args: ToolArguments;
  readonly act?: Act | undefined;
  readonly result: string;
  readonly flags?: readonly string[];
  /** What was seen to be hit when it was sent. */
  readonly hits?: readonly Hit[];
}

/** Writes down every act, in the audit log and to the client that made it. */
export class AuditTrail {
  readonly #log: AuditLog | undefined;
  readonly #security: GuardSecurity;
  #broken: BackstepError | undefined;

  constructor(log: AuditLog | undefined, security: GuardSecurity) {
    this.#log = log;
    this.#security = security;
  }

  /** Before an act: in safe mode it does not happen unless it can be written down. */
  begin(call: McpCall, line: Omit<AuditLine, "result">): void {
    if (this.#security.mode !== "safe") return;
    this.#write(call, this.#entry(call, { ...line, result: "begun" }));
    if (!this.#broken) return;
    throw new BackstepError("policy", "Cannot act: the audit log cannot be written", {
      cause: this.#broken,
      hint: this.#broken.hint ?? "Free its disk.",
    });
  }

  /** After an act, and for one that was refused. */
  write(call: McpCall, line: AuditLine): void {
    const entry = this.#entry(call, line);
    this.#write(call, entry);
    call.log("notice", "axterminator.audit", { ...entry });
  }

  #write(call: McpCall, entry: AuditEntry): void {
    try {
      this.#log?.append(entry);
      this.#broken = undefined;
    } catch (thrown) {
      this.#broken = toBackstepError(thrown);
      call.log("alert", "axterminator.security", {
        event: "audit_log_failed",
        message: this.#broken.message.slice(0, LONGEST),
      });
    }
  }

  #entry(call: McpCall, { tool, args, act, result, flags = [], hits = [] }: AuditLine): AuditEntry {
    return {
      timestamp: new Date().toISOString(),
      session_id: call.session.id,
      tool,
      args: argumentsOf(tool, args, act),
      target: targetOf(act, hits),
      result,
      security_flags: flags,
    };
  }
}

/** How an act came out, in one word. */
export function resultOf(outcome: ActOutcome): string {
  if (outcome.ok) return "success";
  return `failure: ${outcome.error.code}${outcome.began ? " (begun)" : ""}`;
}

function argumentsOf(tool: string, args: ToolArguments, act: Act | undefined): AuditEntry["args"] {
  // What stands in a workflow's steps may be typed, set or run.
  if (isComposed(tool)) return act ? { operation: act.operation.name } : {};
  const kept: Record<string, Json> = {};
  const left: string[] = [];
  for (const [name, value] of Object.entries(args)) {
    if (name === "key" && typeof value === "string") kept[name] = keyOf(value, args["modifiers"]);
    else if (!KEPT.has(name)) left.push(name.slice(0, LONGEST));
    else if (typeof value === "string") kept[name] = value.slice(0, LONGEST).replace(CONTENT, '$1$2"…"');
    else if (typeof value === "number" || typeof value === "boolean") kept[name] = value;
    else if (Array.isArray(value)) kept[name] = value.slice(0, 8).map((one) => String(one).slice(0, LONGEST));
  }
  return left.length > 0 ? { ...kept, left_out: left.slice(0, 20) } : kept;
}

/** A single character without a modifier may be one of a password that is typed key by key. */
function keyOf(key: string, modifiers: Json | undefined): string {
  const held = Array.isArray(modifiers) && modifiers.some((one) => one !== "shift");
  return !held && [...key].length === 1 ? "(a character)" : key.slice(0, LONGEST);
}

function targetOf(act: Act | undefined, hits: readonly Hit[]): AuditEntry["target"] {
  if (!act) return null;
  const seen = hits.filter(({ element }) => element !== undefined);
  const names = [...new Set(seen.map(({ name }) => name.slice(0, LONGEST)))].slice(0, 4);
  const [found] = act.resolved.elements;
  if (found) {
    const { ax, name, rect, application } = found;
    return {
      app: application.name.slice(0, LONGEST),
      role: ax,
      title: name.slice(0, LONGEST),
      ...(rect ? { position: [rect.x, rect.y] } : {}),
      // A pointer reaches what lies there, whatever was looked for.
      ...(names.some((one) => one !== name.slice(0, LONGEST)) ? { hit: names } : {}),
    };
  }
  const [hit] = seen;
  if (hit) {
    return {
      app: hit.app.slice(0, LONGEST),
      role: hit.ax ?? roleOf(hit.role ?? 0, 0, 0).ax,
      title: hit.name.slice(0, LONGEST),
      ...(names.length > 1 ? { hit: names } : {}),
    };
  }
  const { input } = act;
  const app = isMapOf(input) ? input["app"] ?? act.context.app : act.context.app;
  return typeof app === "string" ? { app: app.slice(0, LONGEST) } : null;
}

function isMapOf(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
