import { connect, type Socket } from "node:net";
import type { Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import { cookieOf, PROTOCOL } from "./authority.ts";
import { before } from "./within-deadline.ts";

/** Where X servers listen: display ":7" at X7. */
const SOCKETS = "/tmp/.X11-unix/X";
/** Requests of the X11 core protocol. */
const INTERN_ATOM = 16, GET_INPUT_FOCUS = 43;
const REPLY = 32;

/** A reply: its fixed part and what follows it. */
export interface DisplayReply {
  readonly head: DataView;
  readonly rest: DataView;
}

/** A conversation with a display of ours in the X11 protocol, for the few requests that its start needs. */
export interface DisplayConnection {
  /** The root window of the first screen. */
  readonly root: number;
  /** Sends a request that has a reply. */
  ask(request: Uint8Array): Promise<DisplayReply>;
  /** Sends a request that has none, and has the server confirm that it did it. */
  tell(request: Uint8Array): Promise<void>;
  /** The number of a name. */
  atom(name: string): Promise<number>;
}

/**
 * Talks with a display whose authority file lets us in. Rejects with `no_desktop` or `timeout`; `doing` says what could
 * not be done.
 */
export async function onDisplay<T>(
  { display, authority, doing, deadline }: {
    readonly display: string;
    readonly authority: string;
    readonly doing: string;
    readonly deadline: Deadline;
  },
  talk: (connection: DisplayConnection) => Promise<T>,
): Promise<T> {
  const socket = connect({ path: SOCKETS + display.slice(1) });
  try {
    return await before(greet(socket, cookieOf(authority)).then(talk), deadline, doing);
  } catch (error) {
    if (error instanceof BackstepError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new BackstepError("no_desktop", `Cannot ${doing}: ${why}`, { cause: error });
  } finally {
    socket.destroy();
  }
}

async function greet(socket: Socket, cookie: Uint8Array): Promise<DisplayConnection> {
  const read = reader(socket);
  socket.write(greeting(cookie));
  const head = await read(8);
  const setup = await read(4 * view(head).getUint16(6, true));
  if (head[0] !== 1) throw new Error("it refused the connection");
  const ask = async (bytes: Uint8Array): Promise<DisplayReply> => {
    socket.write(bytes);
    const reply = await read(REPLY);
    if (reply[0] !== 1) throw new Error(`it answered with error ${reply[1]}`);
    return { head: view(reply), rest: view(await read(4 * view(reply).getUint32(4, true))) };
  };
  return {
    root: rootOf(setup),
    ask,
    async tell(bytes) {
      socket.write(bytes);
      // That the next request is answered says that this one was done.
      await ask(request(GET_INPUT_FOCUS, 0, []));
    },
    async atom(name) {
      const { head: reply } = await ask(request(INTERN_ATOM, 0, [u16(name.length), u16(0), text(name)]));
      return reply.getUint32(8, true);
    },
  };
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

/** A request: its code, the byte beside it, and its parts, padded to whole words. */
export function request(opcode: number, detail: number, parts: readonly Uint8Array[]): Uint8Array {
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
  let finished: Error | undefined;
  let wake = () => {};
  socket.on("data", (chunk: Uint8Array) => {
    const all = new Uint8Array(unread.length + chunk.length);
    all.set(unread);
    all.set(chunk, unread.length);
    unread = all;
    wake();
  });
  const end = (error: Error) => {
    finished ??= error;
    wake();
  };
  socket.on("error", end);
  socket.on("close", () => end(new Error("it closed the connection")));
  return async (size) => {
    while (unread.length < size) {
      if (finished !== undefined) throw finished;
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

/** Latin-1 or UTF-8, as the protocol has it: names are ASCII. */
export function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

/** Two bytes, little-endian. */
export function u16(value: number): Uint8Array {
  return Uint8Array.of(value & 255, value >> 8);
}

/** Four bytes, little-endian. */
export function u32(value: number): Uint8Array {
  return Uint8Array.of(value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24);
}
