import { Buffer } from "node:buffer";
import { request, text, u16, u32, view } from "./bytes.ts";

/** A request that has a reply, and what the reply says. `read` may throw for nonsense. */
export interface Query<T> {
  readonly bytes: Uint8Array;
  /** Takes the whole reply, with its head of 32 bytes. */
  read(reply: DataView): T;
}

/** A property of a window. */
export interface Property {
  readonly type: number;
  /** Bits of one value: 8, 16 or 32. */
  readonly format: number;
  readonly data: Uint8Array;
}

/** A rectangle in pixels. */
export interface XRect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Requests of the core protocol. */
const CHANGE_WINDOW_ATTRIBUTES = 2, GET_WINDOW_ATTRIBUTES = 3, GET_GEOMETRY = 14, QUERY_TREE = 15;
const QUERY_POINTER = 38;
const INTERN_ATOM = 16, GET_ATOM_NAME = 17, CHANGE_PROPERTY = 18, GET_PROPERTY = 20, SEND_EVENT = 25;
const TRANSLATE_COORDINATES = 40, GET_INPUT_FOCUS = 43, QUERY_EXTENSION = 98;
/** The value of ChangeWindowAttributes that holds the mask of events. */
const EVENT_MASK = 1 << 11;
const CLIENT_MESSAGE = 33;
/** Who may take a message to a window manager: SubstructureNotify and SubstructureRedirect. */
const FOR_MANAGERS = 1 << 19 | 1 << 20;
/** Predefined atoms. */
export const ATOM_STRING = 31, ATOM_WM_CLASS = 67, ATOM_WM_HINTS = 35, ATOM_WM_NAME = 39;
export const ATOM_WM_CLIENT_MACHINE = 36;

/** Does nothing: that it is answered says that what was sent before is done. */
export const nothing: Query<void> = { bytes: request(GET_INPUT_FOCUS, 0, []), read: () => {} };

/** The number of a name. */
export function internAtom(name: string): Query<number> {
  const bytes = request(INTERN_ATOM, 0, [u16(name.length), u16(0), text(name)]);
  return { bytes, read: (reply) => reply.getUint32(8, true) };
}

/** The name of a number. */
export function atomName(atom: number): Query<string> {
  return {
    bytes: request(GET_ATOM_NAME, 0, [u32(atom)]),
    read: (reply) => utf8(bytesOf(reply, 32, reply.getUint16(8, true))),
  };
}

/** A property, cut after `words` words of four bytes; undefined: the window has none of this name. */
export function getProperty(window: number, name: number, words: number): Query<Property | undefined> {
  return {
    bytes: request(GET_PROPERTY, 0, [u32(window), u32(name), u32(0), u32(0), u32(words)]),
    read(reply) {
      const format = reply.getUint8(1), type = reply.getUint32(8, true);
      if (type === 0) return undefined;
      return { type, format, data: bytesOf(reply, 32, reply.getUint32(16, true) * format / 8) };
    },
  };
}

/** Replaces a property whose values have eight bits. */
export function changeProperty(window: number, name: number, type: number, data: Uint8Array): Uint8Array {
  return request(CHANGE_PROPERTY, 0, [u32(window), u32(name), u32(type), u32(8), u32(data.length), data]);
}

/** A window's place in its parent and its size, without its border. */
export function getGeometry(window: number): Query<XRect & { readonly border: number }> {
  return {
    bytes: request(GET_GEOMETRY, 0, [u32(window)]),
    read: (reply) => ({
      x: reply.getInt16(12, true),
      y: reply.getInt16(14, true),
      width: reply.getUint16(16, true),
      height: reply.getUint16(18, true),
      border: reply.getUint16(20, true),
    }),
  };
}

/** Where a window's corner lies on another one, such as the root window. */
export function cornerOn(root: number, window: number): Query<{ readonly x: number; readonly y: number }> {
  return {
    bytes: request(TRANSLATE_COORDINATES, 0, [u32(window), u32(root), u32(0)]),
    read: (reply) => ({ x: reply.getInt16(12, true), y: reply.getInt16(14, true) }),
  };
}

/** Whether a window and all above it are mapped. */
export function isViewable(window: number): Query<boolean> {
  return {
    bytes: request(GET_WINDOW_ATTRIBUTES, 0, [u32(window)]),
    read: (reply) => reply.getUint8(26) === 2,
  };
}

/** The window that a window lies in; 0: it is the root window. */
export function parentOf(window: number): Query<number> {
  return { bytes: request(QUERY_TREE, 0, [u32(window)]), read: (reply) => reply.getUint32(12, true) };
}

/** Where the pointer is, in pixels of the screen that this root window covers; undefined: it is on another screen. */
export function pointerOn(root: number): Query<{ readonly x: number; readonly y: number } | undefined> {
  return {
    bytes: request(QUERY_POINTER, 0, [u32(root)]),
    read: (reply) =>
      reply.getUint8(1) === 0 ? undefined : { x: reply.getInt16(16, true), y: reply.getInt16(18, true) },
  };
}

/** Where an extension's requests and events begin; undefined: the display does not have it. */
export function queryExtension(
  name: string,
): Query<{ readonly opcode: number; readonly event: number } | undefined> {
  return {
    bytes: request(QUERY_EXTENSION, 0, [u16(name.length), u16(0), text(name)]),
    read: (reply) =>
      reply.getUint8(8) === 0 ? undefined : { opcode: reply.getUint8(9), event: reply.getUint8(10) },
  };
}

/** Has a window's events of these kinds sent to us. */
export function selectEvents(window: number, mask: number): Uint8Array {
  return request(CHANGE_WINDOW_ATTRIBUTES, 0, [u32(window), u32(EVENT_MASK), u32(mask)]);
}

/** A message of the ICCCM's kind to the window manager, about a window. */
export function managerMessage(
  root: number,
  window: number,
  type: number,
  data: readonly number[],
): Uint8Array {
  const values = Array.from({ length: 5 }, (_, at) => u32(data[at] ?? 0));
  const event = [Uint8Array.of(CLIENT_MESSAGE, 32), u16(0), u32(window), u32(type), ...values];
  return request(SEND_EVENT, 0, [u32(root), u32(FOR_MANAGERS), ...event]);
}

/** The numbers of a property of 32 bits; none where it is something else. */
export function numbersOf(property: Property | undefined): readonly number[] {
  if (property?.format !== 32) return [];
  const numbers = view(property.data);
  return Array.from({ length: property.data.length >> 2 }, (_, at) => numbers.getUint32(4 * at, true));
}

/** Bytes of a reply; throws a RangeError where it is shorter. */
export function bytesOf(reply: DataView, at: number, length: number): Uint8Array {
  if (at + length > reply.byteLength) throw new RangeError(`a reply has ${reply.byteLength} bytes, no more`);
  return new Uint8Array(reply.buffer, reply.byteOffset + at, length);
}

/** UTF-8 to text; what is none becomes U+FFFD. */
export function utf8(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Latin-1 to text. */
export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
