import { z } from "zod";
import type { Json } from "../base/error.ts";

/** The arguments of a tool, checked. */
export type Args = { readonly [key: string]: Json };

/** How a tool of the tool specification is one of our operations. */
export interface ToolForm {
  /** The operation's YAML verb, or else its neutral name. */
  readonly verb: string;
  readonly args: z.ZodType;
  /** Arguments that must be written out, since they decide what the step is. */
  readonly literal?: readonly string[];
  readonly toInput: (args: Args) => Json;
}

const app = z.string().describe("Application name or id; default: the workflow's");
const query = z.string().describe("Element query");
const mode = z.enum(["background", "focus"]);
const onElement = z.strictObject({ app: app.optional(), query });

/**
 * The tools that a step may call in raw form (`tool: ax_click`, `args: …`), after sections 4.2 to 4.8 of the tool
 * specification and the launch control's three. `app` may be left out everywhere: the workflow has a default.
 */
export const TOOLS: Readonly<Record<string, ToolForm>> = {
  ax_find: {
    verb: "find",
    args: z.strictObject({
      app: app.optional(),
      query,
      strategy: z.enum(["auto", "exact", "contains", "regex", "role", "identifier", "xpath"]).optional(),
    }),
    toInput: ({ query, ...rest }) => compact({ target: query, ...rest }),
  },
  ax_get_tree: {
    verb: "tree",
    args: z.strictObject({
      app: app.optional(),
      root_query: query.optional(),
      max_depth: z.int().min(0).optional(),
      include_invisible: z.boolean().optional(),
      compact: z.boolean().optional(),
    }),
    toInput: ({ root_query, ...rest }) => compact({ target: root_query, ...rest }),
  },
  ax_get_attributes: { verb: "attributes", args: onElement, toInput: toTarget },
  ax_get_value: { verb: "value", args: onElement, toInput: toTarget },
  ax_click: {
    verb: "click",
    args: z.strictObject({
      app: app.optional(),
      query,
      click_type: z.enum(["single", "double", "right"]).optional(),
      mode: mode.optional(),
    }),
    literal: ["click_type"],
    toInput: ({ query, click_type, ...rest }) => compact({ target: query, kind: click_type, ...rest }),
  },
  ax_type: {
    verb: "type",
    args: z.strictObject({
      app: app.optional(),
      query: query.optional(),
      text: z.string(),
      clear_first: z.boolean().optional(),
      mode: mode.optional(),
    }),
    toInput: ({ query, clear_first, ...rest }) => compact({ into: query, clear: clear_first, ...rest }),
  },
  ax_set_value: {
    verb: "set",
    args: z.strictObject({ app: app.optional(), query, value: z.string() }),
    toInput: toTarget,
  },
  ax_scroll: {
    verb: "scroll",
    args: z.strictObject({
      app: app.optional(),
      query: query.optional(),
      direction: z.enum(["up", "down", "left", "right"]),
      amount: z.int().optional(),
    }),
    toInput: ({ query, ...rest }) => compact({ target: query, ...rest }),
  },
  ax_key_press: {
    verb: "press",
    args: z.strictObject({
      app: app.optional(),
      key: z.string(),
      modifiers: z.array(z.enum(["cmd", "ctrl", "opt", "shift"])).optional(),
    }),
    literal: ["modifiers"],
    toInput: ({ key, modifiers, ...rest }) => compact({ keys: chord(key, modifiers), ...rest }),
  },
  ax_screenshot: {
    verb: "screenshot",
    args: z.strictObject({
      app: app.optional(),
      window_index: z.int().min(0).optional(),
      region: z.strictObject({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }).optional(),
    }),
    toInput: compact,
  },
  ax_wait_idle: {
    verb: "wait_idle",
    args: z.strictObject({
      app: app.optional(),
      timeout_ms: z.int().min(0).optional(),
      poll_ms: z.int().min(0).optional(),
    }),
    // We wait on events; how often to poll has no meaning here.
    toInput: ({ timeout_ms, poll_ms: _, ...rest }) => compact({ timeout: timeout_ms, ...rest }),
  },
  ax_clipboard: {
    verb: "clipboard",
    args: z.strictObject({ action: z.enum(["read", "write"]), text: z.string().optional() }),
    literal: ["action"],
    toInput: compact,
  },
  ax_assert: {
    verb: "assert",
    args: z.strictObject({
      app: app.optional(),
      query,
      assertions: z.strictObject({
        exists: z.boolean().optional(),
        enabled: z.boolean().optional(),
        focused: z.boolean().optional(),
        value: z.string().optional(),
        title: z.string().optional(),
        role: z.string().optional(),
        visible: z.boolean().optional(),
        contains_text: z.string().optional(),
      }),
    }),
    literal: ["assertions"],
    toInput: ({ query, assertions, ...rest }) => compact({ target: query, ...rest, ...asMap(assertions) }),
  },
  launch_application: {
    verb: "launch",
    args: z.strictObject({ bundleId: z.string() }),
    toInput: ({ bundleId }) => compact({ app: bundleId }),
  },
  quit_application: {
    verb: "quit",
    args: z.strictObject({ bundleId: z.string() }),
    toInput: ({ bundleId }) => compact({ app: bundleId }),
  },
  list_applications: { verb: "list", args: z.strictObject({}), toInput: () => ({}) },
};

/** Tools of the specification that no file can call yet. */
export const LATER_TOOLS: readonly string[] = [
  "ax_is_accessible",
  "ax_connect",
  "ax_list_apps",
  "ax_find_visual",
  "ax_click_at",
  "ax_drag",
  "ax_list_windows",
  "ax_workflow",
  "ax_visual_diff",
  "ax_a11y_audit",
  "ax_undo",
  "ax_session_info",
  "ax_run_script",
];

const MODIFIERS: Readonly<Record<string, string>> = { cmd: "ctrl", ctrl: "ctrl", opt: "alt", shift: "shift" };

/** macOS modifiers by what they are for: `cmd` is the key of shortcuts, which elsewhere is `ctrl`. */
function chord(key: Json | undefined, modifiers: Json | undefined): string {
  const names = (Array.isArray(modifiers) ? modifiers : []).flatMap((m) =>
    typeof m === "string" ? [MODIFIERS[m] ?? m] : []
  );
  return [...new Set(names), String(key)].join("+");
}

function toTarget({ query, ...rest }: Args): Json {
  return compact({ target: query, ...rest });
}

function asMap(value: Json | undefined): Args {
  return isMap(value) ? value : {};
}

function isMap(value: Json | undefined): value is Args {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function compact(map: { readonly [key: string]: Json | undefined }): Json {
  const kept: [string, Json][] = [];
  for (const [key, value] of Object.entries(map)) if (value !== undefined) kept.push([key, value]);
  return Object.fromEntries(kept);
}
