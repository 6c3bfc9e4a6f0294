import type { Json } from "../base/error.ts";
import { asMap } from "../base/json.ts";
import { defined } from "../base/defined.ts";
import type { ToolArguments } from "./tool.ts";

/** A target, as a text where there is nothing to say beside the query. */
export function target({ app, query, strategy, nth, within }: ToolArguments): Json {
  const rest = defined({ app, strategy, nth, within });
  return query !== undefined && Object.keys(rest).length === 0
    ? query
    : defined({ selector: query, ...rest });
}

/** The element under `key`; without a query the application alone. */
export function elementOrApp(key: string, args: ToolArguments): ToolArguments {
  if (args["query"] !== undefined) return { [key]: target(args) };
  return defined({ app: args["app"] });
}

/** How often, and with which button. */
export function clicks(type: Json | undefined): ToolArguments {
  return defined({
    count: type === "double" ? 2 : undefined,
    button: type === "right" ? "right" : undefined,
  });
}

/** A rectangle in the words of operations. */
export function area(region: Json): ToolArguments {
  const { x, y, w: width, h: height } = asMap(region);
  return defined({ x, y, width, height });
}
