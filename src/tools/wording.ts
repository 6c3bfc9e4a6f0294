import type { Json } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import { isMap } from "../base/json.ts";
import type { ToolArguments } from "./tool.ts";

/** The arguments that say a target: the inverse of `target`. */
export function queryOf(target: Json | undefined): ToolArguments {
  if (!isMap(target)) return defined({ query: target });
  const { selector, app, strategy, nth, within } = target;
  return defined({ app, query: selector, strategy, nth, within });
}

/** The same, or the application alone: the inverse of `elementOrApp`. */
export function queryOrApp(target: Json | undefined, app: Json | undefined): ToolArguments {
  return target === undefined ? defined({ app }) : queryOf(target);
}

/** The inverse of `clicks`. */
export function clickTypeOf({ count, button }: ToolArguments): ToolArguments {
  return button === "right" ? { click_type: "right" } : count === 2 ? { click_type: "double" } : {};
}

/** What a tool says of an input that may take the focus. */
export function modeOf({ background }: ToolArguments): ToolArguments {
  return background === true ? {} : { mode: "focus" };
}
