import { Request } from "../../ffi/request.ts";
import type { ElementRef } from "../element.ts";
import { answeringAddress } from "../embedded.ts";

/** A request about an element, to the process that answers for it: what follows is the operation's. */
export function requestTo(element: Pick<ElementRef, "bus" | "path">): Request {
  const { bus, path } = answeringAddress(element);
  return new Request().str(bus).str(path);
}
