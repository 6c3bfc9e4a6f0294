import { Reply } from "../../ffi/reply.ts";
import { Request } from "../../ffi/request.ts";
import type { Bytes } from "../../ffi/binding.ts";
import type { Holder, Holders, HoldersQuery } from "../holders.ts";

/** The core's numbers of who has something. */
const WHO = ["unknown", "application", "ourselves", "manager", "nobody", "clipboard manager"] as const;
const KEYBOARD = 1;
const POINTER = 2;
const SHOWN = 1;
const MANAGER = 2;
const OWN = 4;

/** The request of a question whose things are. */
export function encodeHolders({ windows, places }: HoldersQuery): Bytes {
  const request = new Request().u32(windows.length);
  for (const window of windows) request.u32(window);
  request.u32(places.length);
  for (const { x, y } of places) request.i32(Math.round(x)).i32(Math.round(y));
  return request.bytes();
}

/** Its answer. */
export function decodeHolders(reply: Uint8Array): Holders {
  const r = new Reply(reply);
  const grabs = r.u32();
  const focus = holderIn(r), clipboard = holderIn(r);
  const clients = listIn(r, 8, () => {
    const pid = r.u32(), flags = r.u32();
    return { pid, shown: (flags & SHOWN) !== 0, manager: (flags & MANAGER) !== 0, own: (flags & OWN) !== 0 };
  });
  const windows = listIn(r, 4, () => r.u32());
  const places = listIn(r, 4, () => listIn(r, 4, () => r.u32()));
  r.end();
  const grabbed = { keyboard: (grabs & KEYBOARD) !== 0, pointer: (grabs & POINTER) !== 0 };
  return { grabbed, focus, clipboard, clients, windows, places };
}

function holderIn(r: Reply): Holder {
  const pid = r.u32();
  return { pid, who: WHO[r.u32()] ?? "unknown" };
}

function listIn<T>(r: Reply, least: number, one: () => T): T[] {
  return Array.from({ length: r.count(least) }, one);
}
