import { PROTOCOL } from "./authority.ts";
import { padded, text, u16 } from "./bytes.ts";
import { bytesOf, utf8 } from "./requests.ts";

/** A screen of a display. */
export interface XScreen {
  readonly root: number;
  /** Pixels, as they were when the connection was made. */
  readonly width: number;
  readonly height: number;
}

/** Little-endian, protocol 11.0, and the cookie of the authority file; without one, nothing is shown. */
export function greeting(cookie: Uint8Array | undefined): Uint8Array {
  const name = text(cookie === undefined ? "" : PROTOCOL), shown = cookie ?? new Uint8Array(0);
  const bytes = new Uint8Array(12 + padded(name.length) + padded(shown.length));
  bytes.set([0x6c, 0, 11, 0, 0, 0, ...u16(name.length), ...u16(shown.length)]);
  bytes.set(name, 12);
  bytes.set(shown, 12 + padded(name.length));
  return bytes;
}

/** The screen of this number, from the answer to the greeting. Throws why there is none. */
export function screenOf(answer: DataView, number: number): XScreen {
  const status = answer.getUint8(0);
  if (status !== 1) {
    const reason = status === 0 ? utf8(bytesOf(answer, 8, answer.getUint8(1))).trim() : "it asks for more";
    throw new Error(`it refused the connection: ${reason.slice(0, 200)}`);
  }
  // Behind the vendor's name and the pixmap formats; a screen is followed by its depths, and a depth by its visuals.
  let at = 40 + padded(answer.getUint16(24, true)) + 8 * answer.getUint8(29);
  const screens = answer.getUint8(28);
  if (number >= screens) throw new Error(`it has ${screens} screens`);
  for (let screen = 0; screen < number; screen++) {
    const depths = answer.getUint8(at + 39);
    at += 40;
    for (let depth = 0; depth < depths; depth++) at += 8 + 24 * answer.getUint16(at + 2, true);
  }
  return {
    root: answer.getUint32(at, true),
    width: answer.getUint16(at + 20, true),
    height: answer.getUint16(at + 22, true),
  };
}
