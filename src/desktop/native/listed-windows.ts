import type { Call } from "../../base/call.ts";
import type { Bytes } from "../../ffi/binding.ts";
import { Op, type OpNumber } from "../../ffi/op.ts";
import type { CoreCall } from "../../ffi/session.ts";
import type { Window } from "../desktop.ts";
import type { ManagedWindows } from "./managed-windows.ts";
import { decodeWindows, type NativeWindow } from "./replies.ts";

/** The windows of a display, and since when each of them is listed. */
export class ListedWindows {
  readonly #submit: (op: OpNumber, request: Bytes, call: CoreCall) => Promise<Bytes>;
  readonly #managed: ManagedWindows | undefined;
  /** When each window was first listed, by its id and process: the server gives the ids of who has ended to others. */
  readonly #first = new Map<string, number>();

  /** `managed`: who knows the windows where the display does not. */
  constructor(
    submit: (op: OpNumber, request: Bytes, call: CoreCall) => Promise<Bytes>,
    managed: ManagedWindows | undefined,
  ) {
    this.#submit = submit;
    this.#managed = managed;
  }

  /** As they are now; bottom to top. */
  async now(call: Call): Promise<NativeWindow[]> {
    const windows = this.#managed
      ? await this.#managed.list(call)
      : decodeWindows(await this.#submit(Op.windows, new Uint8Array(0), call));
    const now = performance.now();
    const listed = new Set(windows.map(listingOf));
    for (const one of this.#first.keys()) if (!listed.has(one)) this.#first.delete(one);
    for (const one of listed) if (!this.#first.has(one)) this.#first.set(one, now);
    return windows;
  }

  /** With their ages. */
  aged(windows: readonly NativeWindow[]): Window[] {
    const now = performance.now();
    return windows.map(({ frame: _, ...window }) => ({
      ...window,
      age: now - (this.#first.get(listingOf(window)) ?? now),
    }));
  }
}

function listingOf({ id, pid }: Pick<Window, "id" | "pid">): string {
  return `${id} ${pid}`;
}
