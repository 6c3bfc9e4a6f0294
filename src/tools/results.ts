import type { Json } from "../base/error.ts";
import { asMap, isList } from "../base/json.ts";
import { defined } from "../base/defined.ts";
import type { ToolArguments } from "./tool.ts";

/** An act: what was done to what, by what means, and whether that was seen. */
export function done(action: string): (output: Json) => Json {
  return (output) => {
    const { target: element, app, method, verified, moved } = asMap(output);
    const verdict = method === "none" ? "already" : verified === true ? "verified" : "accepted";
    return defined({ action, app, element, method, verdict, moved });
  };
}

/** An act through a window manager, with what it left as that was read back. */
export function managed(action: string): (output: Json) => Json {
  const acted = done(action);
  return (output) => {
    const { window, workspace } = asMap(output);
    return { ...asMap(acted(output)), ...defined({ window, workspace }) };
  };
}

/** An element and those below it, with the AX role that every tool names as its role. */
export function inAx(
  { role: _, ax_role: role, ax_subrole: subrole, children, ...rest }: ToolArguments,
): ToolArguments {
  return defined({
    role,
    subrole,
    ...rest,
    children: isList(children) ? children.map((one) => inAx(asMap(one))) : children,
  });
}

/** Every value is a text in the specification. */
export function text(value: Json | undefined): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}
