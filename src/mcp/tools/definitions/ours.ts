/**
 * Properties that we add to published tools: all of them optional, each with its description in the schema. A place is the
 * way to it: "apps[].accessible".
 */
export const OURS: Readonly<
  Record<string, { readonly input?: readonly string[]; readonly output?: readonly string[] }>
> = {
  ax_list_apps: { output: ["apps[].accessible"] },
  ax_find: { input: ["nth", "within"], output: ["app", "count", "visible", "identifier", "path"] },
  ax_find_visual: { output: ["center", "tried"] },
  ax_get_tree: { input: ["max_nodes"] },
  ax_get_attributes: { input: ["nth", "within"] },
  ax_click: { input: ["nth", "within"] },
  ax_type: { input: ["nth", "within"] },
  ax_set_value: { input: ["nth", "within"] },
  ax_scroll: { input: ["nth", "within"] },
  ax_screenshot: { input: ["query", "interpret"] },
  ax_get_value: { input: ["nth", "within"], output: ["app", "count", "cut"] },
  ax_wait_idle: { input: ["quiet_ms"] },
  ax_workflow: { output: ["verdict", "not_rolled_back"] },
  ax_assert: { input: ["nth", "within", "timeout_ms"], output: ["count"] },
  ax_visual_diff: {
    input: ["ignore_selectors", "perceptual", "query", "timeout_ms"],
    output: ["ignored_pixels", "differences"],
  },
  ax_a11y_audit: { output: ["issues[].wcag", "elements", "incomplete", "cut"] },
  ax_session_info: { output: ["run"] },
  ax_undo: { output: ["actions[].verdict"] },
};
