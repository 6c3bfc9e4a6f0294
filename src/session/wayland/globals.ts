import { connect } from "node:net";
import { endianness } from "node:os";
import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import { before } from "../../base/within-deadline.ts";

const LITTLE = endianness() === "LE";
/** Object ids: the display is always 1, the others are ours to choose. */
const DISPLAY = 1, REGISTRY = 2, CALLBACK = 3;
const SYNC = 0, GET_REGISTRY = 1;
/** Bytes of a message's head: the object, then its size and operation. */
const HEAD = 8;
/** Most bytes that are read: compositors offer about sixty interfaces in 3 kB. */
const MOST = 1 << 20;

/**
 * What a compositor offers: the names of its interfaces. It is asked as any client asks, and nothing is made there. Rejects
 * with `no_desktop` where none answers at the path, `timeout`, `cancelled`.
 */
export async function globalsOf(path: string, deadline: Deadline): Promise<ReadonlySet<string>> {
  const doing = `ask the Wayland compositor at ${path} what it offers`;
  const { promise, resolve, reject } = Promise.withResolvers<ReadonlySet<string>>();
  const unreached = (why: string, cause?: unknown) =>
    reject(
      new BackstepError("no_desktop", `Cannot ${doing}: ${why}`, {
        cause,
        hint: "WAYLAND_DISPLAY must name the socket of a compositor that runs",
      }),
    );
  const socket = connect({ path });
  const names = new Set<string>();
  let unread: Uint8Array = new Uint8Array(0);
  socket.once("connect", () => socket.write(question()));
  socket.on("data", (chunk: Uint8Array) => {
    const bytes = new Uint8Array(unread.length + chunk.length);
    bytes.set(unread);
    bytes.set(chunk, unread.length);
    try {
      const { rest, all } = read(bytes, names);
      unread = rest;
      if (all) resolve(names);
      else if (unread.length > MOST) unreached("its reply is too long");
    } catch (error) {
      unreached(error instanceof Error ? error.message : String(error), error);
    }
  });
  socket.on("error", (error) => unreached(error.message, error));
  socket.on("close", () => unreached("it closed the connection"));
  try {
    return await before(promise, deadline, doing);
  } finally {
    socket.destroy();
  }
}

/** wl_display.get_registry and wl_display.sync. */
function question(): Uint8Array {
  const view = new DataView(new ArrayBuffer(2 * (HEAD + 4)));
  [[GET_REGISTRY, REGISTRY], [SYNC, CALLBACK]].forEach(([operation = 0, id = 0], k) => {
    const at = k * (HEAD + 4);
    view.setUint32(at, DISPLAY, LITTLE);
    view.setUint32(at + 4, ((HEAD + 4) << 16) | operation, LITTLE);
    view.setUint32(at + HEAD, id, LITTLE);
  });
  return new Uint8Array(view.buffer);
}

/** Takes each whole message; `all`: the reply to sync was among them, so that every name was told. Throws for nonsense. */
function read(bytes: Uint8Array, names: Set<string>): { rest: Uint8Array; all: boolean } {
  let rest = bytes, all = false;
  while (rest.length >= HEAD) {
    const view = new DataView(rest.buffer, rest.byteOffset, rest.byteLength);
    const object = view.getUint32(0, LITTLE), word = view.getUint32(4, LITTLE);
    const size = word >>> 16, event = word & 0xffff;
    if (size < HEAD || size % 4 !== 0) throw new Error(`it sent a message of ${size} bytes`);
    if (rest.length < size) break;
    // wl_registry.global: number, name, version.
    if (object === REGISTRY && event === 0) names.add(textIn(rest.subarray(HEAD + 4, size)));
    // wl_display.error: object, code, message.
    if (object === DISPLAY && event === 0) throw new Error(textIn(rest.subarray(HEAD + 8, size)));
    if (object === CALLBACK) all = true;
    rest = rest.subarray(size);
  }
  return { rest, all };
}

/** A text of the protocol: its length with the NUL at its end, then itself. */
function textIn(bytes: Uint8Array): string {
  if (bytes.length < 4) throw new Error("a text is cut off");
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, LITTLE);
  if (length < 1 || length > bytes.length - 4) throw new Error(`a text of ${length} bytes is cut off`);
  return new TextDecoder().decode(bytes.subarray(4, 4 + length - 1));
}
