import { z } from "zod";
import type { Json } from "../base/error.ts";
import { isMap } from "../base/json.ts";

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
const bundle = z.strictObject({ bundleId: z.string().describe("The application's id") });

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
    toInput: (args) => ({ target: target(args) }),
  },
  ax_find_visual: {
    verb: "find_visual",
    args: z.strictObject({ app: app.optional(), description: z.string(), screenshot: z.string().optional() }),
    toInput: compact,
  },
  ax_get_tree: {
    verb: "read_tree",
    args: z.strictObject({
      app: app.optional(),
      root_query: query.optional(),
      max_depth: z.int().min(0).optional(),
      include_invisible: z.boolean().optional(),
      compact: z.boolean().optional().describe(
        "How the tool writes its answer; a step's output is always whole",
      ),
    }),
    toInput: ({ app, root_query: query, max_depth: depth, include_invisible: all }) =>
      compact({ ...onElementOrApp("target", compact({ app, query })), depth, all }),
  },
  ax_get_attributes: { verb: "attributes", args: onElement, toInput: (args) => ({ target: target(args) }) },
  ax_get_value: { verb: "value", args: onElement, toInput: (args) => ({ target: target(args) }) },
  ax_click: {
    verb: "click",
    args: z.strictObject({
      app: app.optional(),
      query,
      click_type: z.enum(["single", "double", "right"]).optional(),
      mode: mode.optional().describe(
        "Accepted; the operation uses what the toolkit supports and says what it was",
      ),
    }),
    literal: ["click_type"],
    toInput: ({ click_type, mode: _, ...args }) =>
      compact({
        target: target(args),
        count: click_type === "double" ? 2 : undefined,
        button: click_type === "right" ? "right" : undefined,
      }),
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
    literal: ["mode"],
    toInput: ({ text, clear_first: clear, mode, ...args }) =>
      compact({
        ...onElementOrApp("into", args),
        text,
        clear,
        background: mode === undefined ? undefined : mode === "background",
      }),
  },
  ax_set_value: {
    verb: "set",
    args: z.strictObject({ app: app.optional(), query, value: z.string() }),
    toInput: ({ value, ...args }) => compact({ target: target(args), value }),
  },
  ax_scroll: {
    verb: "scroll",
    args: z.strictObject({
      app: app.optional(),
      query: query.optional(),
      direction: z.enum(["up", "down", "left", "right"]),
      amount: z.int().optional(),
    }),
    toInput: ({ direction, amount, ...args }) =>
      compact({ ...onElementOrApp("target", args), direction, amount }),
  },
  ax_drag: {
    verb: "drag",
    args: z.strictObject({
      app: app.optional(),
      from_query: query.optional(),
      to_query: query.optional(),
      from_x: z.int().optional(),
      from_y: z.int().optional(),
      to_x: z.int().optional(),
      to_y: z.int().optional(),
      duration_ms: z.int().min(0).optional(),
    }),
    toInput: (args) =>
      compact({ from: end("from", args), to: end("to", args), duration: args["duration_ms"] }),
  },
  ax_key_press: {
    verb: "press",
    args: z.strictObject({
      app: app.optional(),
      key: z.string(),
      modifiers: z.array(z.enum(["cmd", "ctrl", "opt", "shift"])).optional(),
    }),
    literal: ["modifiers"],
    toInput: ({ key, modifiers, app }) => compact({ keys: chord(key, modifiers), app }),
  },
  ax_screenshot: {
    verb: "screenshot",
    args: z.strictObject({
      app: app.optional(),
      window_index: z.int().min(0).optional(),
      region: z.strictObject({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }).optional(),
    }),
    literal: ["region"],
    toInput: ({ app, window_index: window, region }) => {
      const { x, y, w: width, h: height } = asMap(region);
      return compact({ app, window, region: region && compact({ x, y, width, height }) });
    },
  },
  ax_wait_idle: {
    verb: "wait_idle",
    args: z.strictObject({
      app: app.optional(),
      timeout_ms: z.int().min(0).optional(),
      poll_ms: z.int().min(0).optional().describe("Accepted; idleness is awaited by events, not polled"),
    }),
    toInput: ({ app, timeout_ms }) => compact({ app, timeout_ms }),
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
    toInput: ({ assertions, ...args }) => ({ target: target(args), ...asMap(assertions) }),
  },
  ax_visual_diff: {
    verb: "visual_diff",
    args: z.strictObject({
      app: app.optional(),
      baseline: z.string().describe("Base64 PNG baseline image, or URI to a stored baseline"),
      threshold: z.number().optional().describe("Acceptable diff percentage (default: 1.0)"),
      ignore_regions: z.array(
        z.strictObject({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
      ).optional().describe("Regions to ignore in comparison (e.g., timestamps, ads)"),
    }),
    literal: ["ignore_regions"],
    toInput: ({ ignore_regions: regions, ...args }) =>
      compact({
        ...args,
        ignore: Array.isArray(regions)
          ? regions.map((region) => {
            const { x, y, w: width, h: height } = asMap(region);
            return compact({ x, y, width, height });
          })
          : undefined,
      }),
  },
  ax_a11y_audit: {
    verb: "audit",
    args: z.strictObject({
      app: app.optional(),
      scope: z.enum(["full", "focused_window", "element"]).optional(),
      query: query.optional().describe("Element to audit, where the scope is one"),
      standards: z.array(z.enum(["wcag_a", "wcag_aa", "wcag_aaa", "section508"])).optional(),
    }),
    literal: ["scope"],
    // The tool answers whether it passed, and does not fail.
    toInput: ({ scope, standards, app, query }) =>
      compact({ scope, standards, ...onElementOrApp("target", compact({ app, query })), must_pass: false }),
  },
  ax_list_apps: { verb: "apps", args: z.strictObject({}), toInput: () => ({}) },
  launch_application: { verb: "launch", args: bundle, toInput: ({ bundleId }) => compact({ app: bundleId }) },
  quit_application: { verb: "quit", args: bundle, toInput: ({ bundleId }) => compact({ app: bundleId }) },
  list_applications: { verb: "apps", args: z.strictObject({}), toInput: () => ({}) },
};

/** Tools of the specification that no file can call yet. */
export const LATER_TOOLS: readonly string[] = [
  "ax_is_accessible",
  "ax_connect",
  "ax_click_at",
  "ax_list_windows",
  "ax_session_info",
  "ax_run_script",
];

const MODIFIERS: Readonly<Record<string, string>> = { cmd: "ctrl", ctrl: "ctrl", opt: "alt", shift: "shift" };

/** macOS modifiers by what they are for: `cmd` is the key of shortcuts, which elsewhere is `ctrl`. */
function chord(key: Json | undefined, modifiers: Json | undefined): string {
  const names = (Array.isArray(modifiers) ? modifiers : []).flatMap((m) =>
    typeof m === "string" ? [MODIFIERS[m] ?? m] : []
  );
  // Between chords stands a space, so the key itself is named.
  return [...new Set(names), key === " " ? "space" : String(key)].join("+");
}

/** A target, as a text where there is nothing to say beside the query. */
function target({ app, query, strategy }: Args): Json {
  if (query !== undefined && app === undefined && strategy === undefined) return query;
  return compact({ selector: query, app, strategy });
}

/** One end of a drag: an element by its query, else a place of the screen. */
function end(which: "from" | "to", args: Args): Json | undefined {
  const query = args[`${which}_query`];
  if (query !== undefined) return target(compact({ app: args["app"], query }));
  return compact({ x: args[`${which}_x`], y: args[`${which}_y`] });
}

/** The element under `key`; without a query the application alone. */
function onElementOrApp(key: string, args: Args): Args {
  if (args["query"] !== undefined) return { [key]: target(args) };
  return compact({ app: args["app"] });
}

function asMap(value: Json | undefined): Args {
  return isMap(value) ? value : {};
}

function compact(map: { readonly [key: string]: Json | undefined }): Args {
  const kept: [string, Json][] = [];
  for (const [key, value] of Object.entries(map)) if (value !== undefined) kept.push([key, value]);
  return Object.fromEntries(kept);
}
