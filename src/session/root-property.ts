import { connect, type Socket } from "node:net";
import type { Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import { cookieOf, PROTOCOL } from "./authority.ts";
import { before } from "./before.ts";

/** Where X servers listen: display ":7" at X7. */
const SOCKETS = "/tmp/.X11-unix/X";
/** Requests of the X11 core protocol. */
const CHANGE_PROPERTY = 18, INTERN_ATOM = 16, GET_INPUT_FOCUS = 43;
/** The predefined atom STRING. */
const STRING = 31;
const REPLY = 32;

/**
 * Writes a text property on the root window of a display of ours, whose authority file lets us in, and has the
 * server confirm that it did. Rejects with `no_desktop` or `timeout`.
 */
export async function setRootProperty(
  display: string,
  authority: string,
  name: string,
  value: string,
  deadline: Deadline,
): Promise<void> {
  const doing = `set ${name} on display ${display}`;
  const socket = connect({ path: SOCKETS + display.slice(1) });
  try {
    await before(converse(socket, cookieOf(authority), name, value), deadline, doing);
  } catch (error) {
    if (error instanceof BackstepError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new BackstepError("no_desktop", `Cannot ${doing}: ${why}`, { cause: error });
  } finally {
    socket.destroy();
  }
}

async function converse(socket: Socket, cookie: Uint8Array, name: string, value: string): Promise<void> {
  const read = reader(socket);
  socket.write(greeting(cookie));
  const head = await read(8);
  const setup = await read(4 * view(head).getUint16(6, true));
  if (head[0] !== 1) throw new Error("it refused the connection");
  const root = rootOf(setup);
  socket.write(request(INTERN_ATOM, 0, [u16(name.length), u16(0), text(name)]));
  const atom = view(answered(await read(REPLY))).getUint32(8, true);
  const bytes = text(value);
  const change = [u32(root), u32(atom), u32(STRING), u32(8), u32(bytes.length), bytes];
  socket.write(request(CHANGE_PROPERTY, 0, change));
  // Has no reply of its own: that the next request is answered says that it was done.
  socket.write(request(GET_INPUT_FOCUS, 0, []));
  answered(await read(REPLY));
}

/** Little-endian, protocol 11.0, the protocol and cookie of the authority file. */
function greeting(cookie: Uint8Array): Uint8Array {
  const name = text(PROTOCOL);
  const bytes = new Uint8Array(12 + padded(name.length) + padded(cookie.length));
  bytes.set([0x6c, 0, 11, 0, 0, 0, ...u16(name.length), ...u16(cookie.length)]);
  bytes.set(name, 12);
  bytes.set(cookie, 12 + padded(name.length));
  return bytes;
}

/** The root window of the first screen: behind the vendor's name and the pixmap formats. */
function rootOf(setup: Uint8Array): number {
  const data = view(setup);
  const vendor = data.getUint16(16, true), formats = data.getUint8(21);
  return data.getUint32(32 + padded(vendor) + 8 * formats, true);
}

function answered(reply: Uint8Array): Uint8Array {
  if (reply[0] !== 1) throw new Error(`it answered with error ${reply[1]}`);
  return reply;
}

function request(opcode: number, detail: number, parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 4);
  const bytes = new Uint8Array(padded(length));
  bytes.set([opcode, detail, ...u16(bytes.length / 4)]);
  let at = 4;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Hands out what the server sends in the portions that are asked for. */
function reader(socket: Socket): (size: number) => Promise<Uint8Array> {
  let unread = new Uint8Array(0);
  let ended: Error | undefined;
  let wake = () => {};
  socket.on("data", (chunk: Uint8Array) => {
    const all = new Uint8Array(unread.length + chunk.length);
    all.set(unread);
    all.set(chunk, unread.length);
    unread = all;
    wake();
  });
  const end = (error: Error) => {
    ended ??= error;
    wake();
  };
  socket.on("error", end);
  socket.on("close", () => end(new Error("it closed the connection")));
  return async (size) => {
    while (unread.length < size) {
      if (ended !== undefined) throw ended;
      await new Promise<void>((resolve) => wake = resolve);
    }
    const portion = unread.slice(0, size);
    unread = unread.slice(size);
    return portion;
  };
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function padded(length: number): number {
  return Math.ceil(length / 4) * 4;
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

function u16(value: number): Uint8Array {
  return Uint8Array.of(value & 255, value >> 8);
}

function u32(value: number): Uint8Array {
  return Uint8Array.of(value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24);
}
