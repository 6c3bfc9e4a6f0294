import type { Json } from "../base/error.ts";
import { isList, isMap } from "../base/json.ts";

/** What an operation answered, or a part of it. */
type Answer = { readonly [key: string]: Json };

/** As the operation answers it: the specification says nothing else. */
export function same(output: Json): Json {
  return output;
}

/** `ax_find`: the first element, and how many there are. */
export function found(output: Json): Json {
  const { found = false, app, count, strategy, elements } = asMap(output);
  const [first] = asList(elements);
  if (first === undefined) return kept({ found: false, app, count, strategy });
  const { ax_role: role, name: title, value, position, size, enabled, focused, visible, id, path, ref } =
    asMap(
      first,
    );
  return kept({
    found,
    method: "accessibility",
    strategy,
    role,
    title,
    value: text(value),
    position,
    size,
    enabled,
    focused,
    element_ref: ref,
    app,
    count,
    visible,
    identifier: id,
    path,
  });
}

/** `ax_get_tree`: the root as one node among the rest, what was cut beside it. */
export function tree(output: Json): Json {
  const { app, nodes, cut, notation: _, ...root } = asMap(output);
  return kept({ app, nodes, cut, tree: root });
}

/** `ax_get_value`. What has no value has none here. */
export function value(output: Json): Json {
  const { value, role, name: title, app, truncated: cut } = asMap(output);
  return kept({ found: true, value: text(value), role, title, app, cut });
}

/** An act: what was done to what, by what means, and whether that was seen. */
export function done(action: string): (output: Json) => Json {
  return (output) => {
    const { target: element, app, method, verified, moved } = asMap(output);
    const verdict = method === "none" ? "already" : verified === true ? "verified" : "accepted";
    return kept({ action, app, element, method, verdict, moved });
  };
}

/** `ax_screenshot`: the picture itself goes beside it. */
export function picture(output: Json): Json {
  const { data: _, ...rest } = asMap(output);
  return rest;
}

/** `ax_list_windows`. */
export function windows(output: Json): Json {
  return kept({ windows: asMap(output)["windows"] });
}

/** `ax_assert`. */
export function asserted(output: Json): Json {
  const { passed, failures, count } = asMap(output);
  return kept({ passed, failures, count });
}

/** `ax_visual_diff`: the picture of the difference goes beside it. */
export function compared(output: Json): Json {
  const { passed, diff_percentage, diff_pixels, total_pixels, ignored_pixels, differences } = asMap(output);
  return kept({ passed, diff_percentage, diff_pixels, total_pixels, ignored_pixels, differences });
}

/** `ax_a11y_audit`. */
export function audited(output: Json): Json {
  const { passed, score, issues, summary, elements, incomplete, truncated: cut } = asMap(output);
  return kept({
    passed,
    score,
    issues: asList(issues).map((issue) => {
      const { severity, rule, element, description, suggestion, wcag } = asMap(issue);
      return kept({ severity, rule, element, description, suggestion, wcag });
    }),
    summary,
    elements,
    incomplete: asList(incomplete).length,
    cut,
  });
}

/** `ax_list_apps`; which of them are connected, only the session knows. */
export function apps(output: Json): Json {
  return {
    apps: asList(asMap(output)["apps"]).map((one) => {
      const { name, pid, id: bundle_id, accessible } = asMap(one);
      return kept({ name, pid, bundle_id, accessible });
    }),
  };
}

/** `launch_application`. */
export function launched(output: Json): Json {
  const { pid: processId, name: applicationName, was_already_running: wasAlreadyRunning } = asMap(output);
  return kept({ processId, applicationName, wasAlreadyRunning });
}

/** `quit_application`. */
export function quitted(output: Json): Json {
  return kept({ applicationName: asMap(output)["name"] });
}

/** `list_applications`. */
export function applications(output: Json): Json {
  return {
    applications: asList(asMap(output)["apps"]).map((one) => {
      const { id: bundleId, name, pid: processId, hidden: isHidden } = asMap(one);
      return kept({ bundleId, name, processId, isHidden });
    }),
  };
}

/** Every value is a text in the specification. */
function text(value: Json | undefined): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}

function asMap(value: Json | undefined): Answer {
  return isMap(value ?? null) && isMap(value) ? value : {};
}

function asList(value: Json | undefined): readonly Json[] {
  return value !== undefined && isList(value) ? value : [];
}

function kept(map: { readonly [key: string]: Json | undefined }): Answer {
  const entries: [string, Json][] = [];
  for (const [key, value] of Object.entries(map)) if (value !== undefined) entries.push([key, value]);
  return Object.fromEntries(entries);
}
