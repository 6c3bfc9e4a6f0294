import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { endianness } from "node:os";
import { StandIn } from "../../wm/_server.ts";

const LITTLE = endianness() === "LE";

/** What sway 1.7 offers of what attaching asks for. */
export const SWAY_OFFERS = [
  "wl_compositor",
  "wl_seat",
  "zwlr_virtual_pointer_manager_v1",
  "zwp_virtual_keyboard_manager_v1",
];
/** GNOME offers neither. */
export const GNOME_OFFERS = ["wl_compositor", "wl_seat", "xdg_wm_base", "gtk_shell1"];

/** A compositor that says what it offers, in the wire format of Wayland, and knows nothing else. */
export function compositorStandIn(path: string, offers: readonly string[]): StandIn {
  return new StandIn(path, (socket: Socket) =>
    void socket.once("data", () => {
      const globals = offers.map((name, k) => message(2, 0, number(k + 1), text(name), number(1)));
      const all = Buffer.concat([...globals, message(3, 0, number(0))]);
      // In two pieces, cut inside of a message.
      socket.write(all.subarray(0, 30));
      setImmediate(() => socket.write(all.subarray(30)));
    }));
}

/** A message of the protocol. */
export function message(object: number, event: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const size = parts.reduce((sum, { length }) => sum + length, 8);
  return Buffer.concat([number(object), number(size << 16 | event), ...parts]);
}

export function number(value: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, value, LITTLE);
  return new Uint8Array(view.buffer);
}

export function text(value: string): Uint8Array {
  const bytes = Buffer.from(`${value}\0`);
  return Buffer.concat([number(bytes.length), bytes, Buffer.alloc(-bytes.length & 3)]);
}
