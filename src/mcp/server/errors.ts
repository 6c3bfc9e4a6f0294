import { BackstepError, type ErrorCode, type Json } from "../../base/error.ts";
import { isList, isMap } from "../../base/json.ts";
import { defined } from "../../base/defined.ts";
import { NEEDS_FOCUS_HINT, OWN_BACKGROUND_HINT } from "../../desktop/mode.ts";
import { axFind } from "../../tools/find/find.ts";
import { axGetTree } from "../../tools/find/get-tree.ts";
import { type FailureKind, ToolFailure } from "./failure.ts";

/** Characters of a message, of a suggestion, of one text among the data, and of all of these. */
const MESSAGE = 1_500, SUGGESTION = 800, TEXT = 1_200, TEXTS = 12_000;
/** Entries of one list or map of the data, and levels. */
const ENTRIES = 20, LEVELS = 4;

/** What each code is to a client. */
const KINDS: Readonly<Record<ErrorCode, FailureKind>> = {
  usage: "InvalidValue",
  workflow: "InvalidValue",
  selector: "InvalidValue",
  invalid: "InvalidValue",
  limit: "InvalidValue",
  not_found: "ElementNotFound",
  ambiguous: "ElementAmbiguous",
  stale: "ElementStale",
  not_actionable: "ElementNotActionable",
  unsupported: "Unsupported",
  needs_focus: "Unsupported",
  missing: "Unsupported",
  refused: "ActionFailed",
  no_effect: "ActionFailed",
  assertion: "ActionFailed",
  rejected: "ActionFailed",
  interference: "ActionFailed",
  barrier: "ActionFailed",
  drift: "ActionFailed",
  claimed: "ActionFailed",
  io: "ActionFailed",
  timeout: "Timeout",
  cancelled: "Cancelled",
  app_not_found: "AppNotFound",
  app_not_running: "AppNotRunning",
  app_gone: "AppNotRunning",
  launch_failed: "LaunchFailed",
  quit_blocked: "QuitBlocked",
  no_desktop: "AccessibilityDenied",
  secure: "SecurityBlocked",
  policy: "SecurityBlocked",
  internal: "InternalError",
};

/** What to try, where the error itself does not say. */
const SUGGESTIONS: Readonly<Record<FailureKind, string>> = {
  AppNotConnected: "Call ax_connect first.",
  AppNotFound: "Check the id; list_applications shows what runs.",
  AppNotRunning: "Launch it with launch_application, then call ax_connect.",
  LaunchFailed: "Try again, or see why it does not start.",
  QuitBlocked: "Answer its question, for example with ax_click on one of its buttons, and quit again.",
  ElementNotFound: "Try ax_get_tree to see available elements, or ax_find_visual for vision-based search.",
  ElementAmbiguous: "Call it again with the query of one of the candidates, or with nth.",
  ElementStale: "Find the element again with ax_find.",
  ElementNotActionable: "Make it visible and enabled first; ax_screenshot shows what is in the way.",
  AccessibilityDenied: "Call ax_is_accessible to see what has to be allowed.",
  SecurityBlocked: "The security policy of this server does not allow it.",
  ConfirmationRequired: "A person has to confirm it.",
  RateLimitExceeded: "Wait before the next call.",
  VlmUnavailable: "Configure a vision backend, or search with ax_find.",
  ScriptTimeout: "Give it a longer timeout_ms, or do less in one script.",
  ScriptUnavailable: "Use the other tools: they work on every platform.",
  WorkflowFailed: "See which step failed and why.",
  InvalidValue: "Correct the arguments.",
  Timeout: "Try again, or give it more time.",
  Cancelled: "It was cancelled; call it again if it is still wanted.",
  Unsupported: "Try another way: ax_get_attributes shows what the element offers.",
  ActionFailed: "See with ax_screenshot or ax_get_tree what came of it before trying again.",
  InternalError: "This is a fault of the server; try another way.",
};

/** What to do on a server that works in the background, which no call can change. */
const ONLY_BACKGROUND =
  "This server works in the background only: use ax_set_value, or an element with an action of its own, or ask who " +
  "runs it to start it with --mode focus.";

/** The same, of codes that share their kind with others. */
const OF_CODES: Partial<Readonly<Record<ErrorCode, string>>> = {
  secure: "The content of a password field is never read; setting and typing work.",
  needs_focus: ONLY_BACKGROUND,
  no_effect:
    "The application took it and nothing changed: look with ax_screenshot before trying another way.",
  interference: "Somebody else used keyboard or pointer: look with ax_screenshot, then try again.",
  missing: "Install what is missing on the server's machine, or try another way.",
};

/**
 * Anything thrown as the failure of a tool: its kind, what to try next, and what is known beside, bounded in size. What
 * is no error of ours tells its message only.
 *
 * @example
 * ```ts
 * import { BackstepError } from "../../base/error.ts";
 * import { toolErrorOf } from "./errors.ts";
 * const failure = toolErrorOf(new BackstepError("stale", "Cannot click: it is gone"));
 * if (failure.kind !== "ElementStale") throw failure;
 * ```
 */
export function toolErrorOf(thrown: unknown): ToolFailure {
  if (thrown instanceof ToolFailure) return thrown;
  if (!(thrown instanceof BackstepError)) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return failure("InternalError", message, undefined, {}, thrown);
  }
  const { code, message, hint, details = {} } = thrown;
  const kind = kindOf(code, details);
  const data = { code, ...withoutPlaces(details) };
  if (kind === "ElementNotFound") return notFound(thrown, data);
  if (kind === "ElementAmbiguous") return ambiguous(thrown, data);
  return failure(kind, message, forModels(hint) ?? OF_CODES[code], data, thrown);
}

/** Without places in a file: calls of tools stand in none. */
function withoutPlaces(details: { readonly [key: string]: Json }): { readonly [key: string]: Json } {
  const { faults } = details;
  if (faults === undefined || !isList(faults)) return details;
  return {
    ...details,
    faults: faults.map((fault) => {
      if (!isMap(fault)) return fault;
      const { place: _, ...rest } = fault;
      return rest;
    }),
  };
}

/** One code can stand for several kinds: what was looked for, or what ran, tells. */
function kindOf(code: ErrorCode, details: { readonly [key: string]: Json }): FailureKind {
  const { script, selector, reference, elements, matches, retry_after_ms: wait, confirmation } = details;
  if (code === "limit" && wait !== undefined) return "RateLimitExceeded";
  if (code === "policy" && confirmation === true) return "ConfirmationRequired";
  if (script === true && code === "timeout") return "ScriptTimeout";
  if (script === true && code === "missing") return "ScriptUnavailable";
  if (code === "not_found" && selector === undefined && reference === undefined) return "InvalidValue";
  if (code === "ambiguous" && elements === undefined && matches === undefined) return "InvalidValue";
  return KINDS[code];
}

function notFound(error: BackstepError, details: { readonly [key: string]: Json }): ToolFailure {
  const { selector, reference, tried = [], nearest, ...rest } = details;
  const query = selector ?? reference ?? "";
  const near = isList(nearest) && nearest.length > 0 ? ` ${forModels(error.hint) ?? ""}` : "";
  const data = {
    ...rest,
    query,
    strategies_tried: tried,
    ...defined({ nearest }),
  };
  const suggestion = reference === undefined
    ? `${SUGGESTIONS.ElementNotFound}${near}`
    : SUGGESTIONS.ElementStale;
  return failure("ElementNotFound", `Element not found: '${String(query)}'`, suggestion, data, error);
}

function ambiguous(error: BackstepError, details: { readonly [key: string]: Json }): ToolFailure {
  const { selector, elements, matches, count, ...rest } = details;
  const data = {
    ...rest,
    ...defined({ query: selector }),
    count: count ?? (typeof matches === "number" ? matches : 0),
    candidates: elements ?? (isList(matches) ? matches : []),
  };
  const suggestion = `${SUGGESTIONS.ElementAmbiguous} ${forModels(error.hint) ?? ""}`;
  return failure("ElementAmbiguous", error.message, suggestion, data, error);
}

/** A hint for who has tools and no commands. */
export function forModels(hint: string | undefined): string | undefined {
  if (hint === undefined) return undefined;
  const words = hint
    .replaceAll(OWN_BACKGROUND_HINT, 'Call it again with mode: "focus", which may use keyboard and pointer')
    .replaceAll(NEEDS_FOCUS_HINT, ONLY_BACKGROUND)
    .replaceAll("Run `backstep tree`", `Call ${axGetTree.name}`)
    .replaceAll("`tree`", axGetTree.name)
    .replaceAll(
      "`find --all` without `nth` shows how many there are.",
      `${axFind.name} tells how many there are.`,
    )
    .replace(/ ?(?:Run )?`backstep [^`]*`[^.]*\./g, "")
    .trim();
  return words === "" ? undefined : words;
}

function failure(
  kind: FailureKind,
  message: string,
  suggestion: string | undefined,
  data: { readonly [key: string]: Json },
  cause: unknown,
): ToolFailure {
  const kept = bounded(data, 0, { left: TEXTS });
  return new ToolFailure(kind, cut(message, MESSAGE), {
    suggestion: cut((suggestion ?? SUGGESTIONS[kind]).trim(), SUGGESTION),
    data: isMap(kept) ? kept : {},
    cause,
  });
}

/** JSON that fits an answer: long texts and lists are cut, and say so. */
function bounded(value: Json, level: number, budget: { left: number }): Json {
  if (typeof value === "string") {
    const text = cut(value, Math.min(TEXT, Math.max(1, budget.left)));
    budget.left -= text.length;
    return text;
  }
  if (isList(value)) {
    if (level >= LEVELS) return [`… ${value.length}`];
    const kept = value.slice(0, ENTRIES).map((one) => bounded(one, level + 1, budget));
    return value.length > ENTRIES ? [...kept, `… ${value.length - ENTRIES} more`] : kept;
  }
  if (!isMap(value)) return value;
  if (level >= LEVELS) return "…";
  const entries = Object.entries(value).slice(0, ENTRIES);
  return Object.fromEntries(entries.map(([key, one]) => [cut(key, 80), bounded(one, level + 1, budget)]));
}

function cut(text: string, most: number): string {
  return (text.length > most ? `${text.slice(0, most - 1)}…` : text).toWellFormed();
}
