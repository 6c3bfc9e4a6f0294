import { z } from "zod";
import type { Json } from "../base/error.ts";
import { isMap } from "../base/json.ts";
import * as results from "./tool-results.ts";

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
  /**
   * The input where the tool is called by itself, and not as a step: what is not there, or does not hold, is an answer then
   * and no failure. Default: `toInput`.
   */
  readonly toLook?: (args: Args) => Json;
  /** What the operation answered, as the tool answers it. */
  readonly toResult: (output: Json) => Json;
}

const app = z.string().describe("Application name or id; default: the workflow's");
const query = z.string().describe("Element query");
const mode = z.enum(["background", "focus"]);
/** Ours: which of several matches, and where to look. */
const which = {
  nth: z.int().optional().describe("Which of several matches, from 1; -1 is the last"),
  within: z.string().optional().describe("Look only inside the element that this query finds"),
};
const region = z.strictObject({ x: z.int(), y: z.int(), w: z.int(), h: z.int() });
const patience = z.int().min(0).max(600_000).optional().describe("How long it may take to come true");
const onElement = z.strictObject({ app: app.optional(), query, ...which });
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
      ...which,
    }),
    toInput: (args) => ({ target: target(args), required: true }),
    toLook: (args) => ({ target: target(args) }),
    toResult: results.found,
  },
  ax_find_visual: {
    verb: "find_visual",
    args: z.strictObject({ app: app.optional(), description: z.string(), screenshot: z.string().optional() }),
    toInput: compact,
    toResult: results.same,
  },
  ax_get_tree: {
    verb: "read_tree",
    args: z.strictObject({
      app: app.optional(),
      root_query: query.optional(),
      max_depth: z.int().min(0).max(255).optional(),
      include_invisible: z.boolean().optional(),
      compact: z.boolean().optional().describe(
        "How the tool writes its answer; a step's output is always whole",
      ),
      max_nodes: z.int().min(1).max(100_000).optional().describe("Elements shown at most"),
    }),
    toInput: ({ app, root_query: query, max_depth: depth, include_invisible: all, max_nodes: limit }) =>
      compact({ ...onElementOrApp("target", compact({ app, query })), depth, all, limit }),
    toResult: results.tree,
  },
  ax_get_attributes: {
    verb: "attributes",
    args: onElement,
    toInput: (args) => ({ target: target(args) }),
    toResult: results.same,
  },
  ax_get_value: {
    verb: "value",
    args: onElement,
    // The first of several, as the tool answers by itself.
    toInput: (args) => ({ target: target({ nth: 1, ...args }) }),
    toLook: (args) => ({ target: target(args) }),
    toResult: results.value,
  },
  ax_click: {
    verb: "click",
    args: z.strictObject({
      app: app.optional(),
      query,
      click_type: z.enum(["single", "double", "right"]).optional(),
      mode: mode.optional().describe(
        "Accepted; the operation uses what the toolkit supports and says what it was",
      ),
      ...which,
    }),
    literal: ["click_type"],
    toInput: ({ click_type, mode: _, ...args }) => compact({ target: target(args), ...clicks(click_type) }),
    toResult: results.done("click"),
  },
  ax_click_at: {
    verb: "click_at",
    args: z.strictObject({
      x: z.int(),
      y: z.int(),
      click_type: z.enum(["single", "double", "right"]).optional(),
    }),
    literal: ["click_type"],
    toInput: ({ x, y, click_type }) => compact({ x, y, ...clicks(click_type) }),
    toResult: results.done("click_at"),
  },
  ax_type: {
    verb: "type",
    args: z.strictObject({
      app: app.optional(),
      query: query.optional(),
      text: z.string(),
      clear_first: z.boolean().optional(),
      mode: mode.optional().describe("Default background: without keys and focus where the field can"),
      ...which,
    }),
    literal: ["mode"],
    toInput: ({ text, clear_first: clear, mode, ...args }) =>
      compact({
        ...onElementOrApp("into", args),
        text,
        clear,
        background: mode !== "focus",
      }),
    toResult: results.done("type"),
  },
  ax_set_value: {
    verb: "set",
    args: z.strictObject({ app: app.optional(), query, value: z.string(), ...which }),
    toInput: ({ value, ...args }) => compact({ target: target(args), value }),
    toResult: results.done("set_value"),
  },
  ax_scroll: {
    verb: "scroll",
    args: z.strictObject({
      app: app.optional(),
      query: query.optional(),
      direction: z.enum(["up", "down", "left", "right"]),
      amount: z.int().optional(),
      ...which,
    }),
    toInput: ({ direction, amount, ...args }) =>
      compact({ ...onElementOrApp("target", args), direction, amount }),
    toResult: results.done("scroll"),
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
    toResult: results.done("drag"),
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
    toResult: results.done("key_press"),
  },
  ax_screenshot: {
    verb: "screenshot",
    args: z.strictObject({
      app: app.optional(),
      window_index: z.int().min(0).optional(),
      region: region.optional(),
      query: query.optional().describe("Only this element of the application"),
      interpret: z.boolean().optional().describe("Accepted; a file has no client whose model could be asked"),
    }),
    literal: ["region"],
    toInput: ({ app, window_index: window, region, query }) => {
      const { x, y, w: width, h: height } = asMap(region);
      const part = region && compact({ x, y, width, height });
      if (query !== undefined) return compact({ target: target(compact({ app, query })), region: part });
      return compact({ app, window, region: part });
    },
    toResult: results.picture,
  },
  ax_list_windows: {
    verb: "windows",
    args: z.strictObject({ app: app.optional() }),
    toInput: compact,
    toResult: results.windows,
  },
  ax_wait_idle: {
    verb: "wait_idle",
    args: z.strictObject({
      app: app.optional(),
      timeout_ms: z.int().min(0).optional(),
      poll_ms: z.int().min(0).optional().describe("Accepted; idleness is awaited by events, not polled"),
      quiet_ms: z.int().min(1).optional().describe("How long nothing may happen"),
    }),
    toInput: ({ app, timeout_ms, quiet_ms: quiet }) => compact({ app, timeout_ms, quiet }),
    toResult: results.same,
  },
  ax_clipboard: {
    verb: "clipboard",
    args: z.strictObject({ action: z.enum(["read", "write"]), text: z.string().optional() }),
    literal: ["action"],
    toInput: compact,
    toResult: results.same,
  },
  ax_run_script: {
    verb: "run_script",
    args: z.strictObject({
      script: z.string(),
      language: z.enum(["applescript", "jxa"]).optional(),
      timeout_ms: z.int().min(1).optional(),
    }),
    literal: ["language"],
    toInput: compact,
    toResult: results.same,
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
      ...which,
      timeout_ms: patience,
    }),
    toInput: asserted,
    toLook: (args) => ({ timeout: ONCE, ...asserted(args), must_pass: false }),
    toResult: results.asserted,
  },
  ax_visual_diff: {
    verb: "visual_diff",
    args: z.strictObject({
      app: app.optional(),
      baseline: z.string().describe("Base64 PNG baseline image, or URI to a stored baseline"),
      threshold: z.number().optional().describe("Acceptable diff percentage (default: 1.0)"),
      ignore_regions: z.array(region).optional().describe(
        "Regions to ignore in comparison (e.g., timestamps, ads)",
      ),
      ignore_selectors: z.array(z.string()).optional().describe("Elements to ignore"),
      perceptual: z.boolean().optional().describe("Compare as a person sees it"),
      query: query.optional().describe("Compare only this element"),
      timeout_ms: patience,
    }),
    literal: ["ignore_regions", "perceptual"],
    toInput: compared,
    toLook: (args) => ({ timeout: ONCE, ...compared(args), must_pass: false, inline: true }),
    toResult: results.compared,
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
    toResult: results.audited,
  },
  ax_list_apps: { verb: "apps", args: z.strictObject({}), toInput: () => ({}), toResult: results.apps },
  launch_application: {
    verb: "launch",
    args: bundle,
    toInput: ({ bundleId }) => compact({ app: bundleId }),
    toResult: results.launched,
  },
  quit_application: {
    verb: "quit",
    args: bundle,
    toInput: ({ bundleId }) => compact({ app: bundleId }),
    toResult: results.quitted,
  },
  list_applications: {
    verb: "apps",
    args: z.strictObject({}),
    toInput: () => ({}),
    toResult: results.applications,
  },
};

/** Tools of the specification that are no step of a file. */
export const LATER_TOOLS: readonly string[] = [
  "ax_is_accessible",
  "ax_connect",
  "ax_session_info",
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
function target({ app, query, strategy, nth, within }: Args): Json {
  const rest = compact({ app, strategy, nth, within });
  return query !== undefined && Object.keys(rest).length === 0
    ? query
    : compact({ selector: query, ...rest });
}

function clicks(type: Json | undefined): Args {
  return compact({
    count: type === "double" ? 2 : undefined,
    button: type === "right" ? "right" : undefined,
  });
}

/** Milliseconds that a check waits which is called by itself. */
const ONCE = 1_000;

function asserted({ assertions, timeout_ms: timeout, ...args }: Args): Args {
  return compact({ target: target(args), ...asMap(assertions), timeout });
}

function compared(args: Args): Args {
  const { app, query, baseline, threshold, timeout_ms: timeout, perceptual } = args;
  const { ignore_regions: regions, ignore_selectors: selectors } = args;
  const ignore = [
    ...(Array.isArray(regions) ? regions : []).map((region) => {
      const { x, y, w: width, h: height } = asMap(region);
      return compact({ x, y, width, height });
    }),
    ...(Array.isArray(selectors) ? selectors : []),
  ];
  return compact({
    app,
    target: query === undefined ? undefined : target(compact({ app, query })),
    baseline,
    threshold,
    timeout,
    mode: perceptual === true ? "perceptual" : undefined,
    ignore: ignore.length === 0 ? undefined : ignore,
  });
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
