import type { Json } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { Widget } from "./widget.ts";

/** Kinds whose state is told by what they belong to. */
const IMPLIED: ReadonlySet<string> = new Set(["window", "dialog", "popup", "option", "row"]);

/** The real state of every widget that has a name of its own, by key. */
export function truthOf(widgets: Iterable<Widget>): Json {
  const truths: Record<string, Json> = {};
  for (const widget of widgets) {
    const named = widget.from.key !== undefined || widget.from.id !== undefined;
    if (named && !IMPLIED.has(widget.kind)) truths[widget.key] = truth(widget);
  }
  return truths;
}

function truth(widget: Widget): Json {
  const { text, value, chosen, checked, name, visible, sensitive, open } = widget;
  return {
    name,
    ...defined({ text }),
    ...(value === undefined ? {} : { value: value.current }),
    ...(chosen === undefined ? {} : { chosen: [...chosen] }),
    ...(widget.spec.manner === "toggle" ? { checked } : {}),
    ...(visible ? {} : { visible }),
    ...(sensitive ? {} : { sensitive }),
    ...(open ? { open } : {}),
  };
}
