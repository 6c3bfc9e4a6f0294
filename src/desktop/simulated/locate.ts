import { BackstepError, type Json } from "../../base/error.ts";
import type { ElementRef, Fingerprint } from "../element.ts";
import { inTree } from "./view.ts";
import type { Widget } from "./widget.ts";
import type { World } from "./world.ts";

/** The widget at an element's address, whatever it is by now; `stale` when there is none. */
export function locate(world: World, element: ElementRef, what: string): Widget {
  const widget = world.application(element.bus).at(element.path);
  if (widget && inTree(widget)) return widget;
  throw stale(element, what, null);
}

/** The widget at an element's address, if it is still what was seen there; `stale` with both otherwise. */
export function locateUnchanged(world: World, element: ElementRef, what: string): Widget {
  const widget = locate(world, element, what);
  const { role, name, id } = element.fingerprint;
  const same = widget.spec.role === role && widget.name === name && widget.id === id;
  if (same && element.generation >= widget.since) return widget;
  throw stale(element, what, print({ role: widget.spec.role, name: widget.name, id: widget.id }));
}

function stale(element: ElementRef, what: string, found: Json): BackstepError {
  const became = found === null ? "it is gone" : "its address means another element now";
  return new BackstepError("stale", `Cannot ${what}: ${became}`, {
    hint: "Read the tree again, and find the element again.",
    details: { expected: print(element.fingerprint), found, path: element.path, outcome: "not_sent" },
  });
}

function print(fingerprint: Fingerprint): Json {
  return { role: fingerprint.role, name: fingerprint.name.slice(0, 200), id: fingerprint.id };
}
