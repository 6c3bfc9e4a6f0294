/**
 * D-Bus messages with nothing but strings and 32-bit numbers in them: what it takes to ask a bus a question. Layout
 * and alignment as in the D-Bus Specification, "Message Format"; always written little-endian.
 */

/** A method and its arguments: numbers travel as u32. */
export interface BusMethod {
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly args?: readonly (string | number)[];
}

/** A message received. Booleans are 0 or 1; the body ends before the first argument of another kind. */
export interface BusMessage {
  readonly kind: "call" | "reply" | "error" | "signal";
  readonly replyTo: number;
  readonly member: string;
  /** Name of the error, "" when it is none. */
  readonly error: string;
  readonly body: readonly (string | number)[];
}

const KINDS = ["call", "call", "reply", "error", "signal"] as const;
const FIELD = {
  path: 1,
  interface: 2,
  member: 3,
  error: 4,
  replyTo: 5,
  destination: 6,
  signature: 8,
} as const;

/** A method call as bytes. */
export function encodeCall(serial: number, method: BusMethod): Uint8Array {
  const args = method.args ?? [];
  const body = new Writer();
  for (const arg of args) typeof arg === "string" ? body.string(arg) : body.u32(arg);
  const fields = new Writer();
  const field = (code: number, type: string, value: string) => {
    fields.align(8).u8(code).signature(type);
    type === "g" ? fields.signature(value) : fields.string(value);
  };
  field(FIELD.path, "o", method.path);
  field(FIELD.interface, "s", method.interface);
  field(FIELD.member, "s", method.member);
  field(FIELD.destination, "s", method.destination);
  if (args.length > 0) {
    field(FIELD.signature, "g", args.map((arg) => typeof arg === "string" ? "s" : "u").join(""));
  }
  const message = new Writer();
  message.u8("l".charCodeAt(0)).u8(1).u8(0).u8(1).u32(body.length).u32(serial).u32(fields.length);
  return message.bytes(fields.take()).align(8).bytes(body.take()).take();
}

/** How long the first message in these bytes is; undefined when too few are there to tell. */
export function messageSize(bytes: Uint8Array): number | undefined {
  if (bytes.length < 16) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = bytes[0] === 0x6c;
  const header = 16 + view.getUint32(12, little);
  return Math.ceil(header / 8) * 8 + view.getUint32(4, little);
}

/** One whole message. */
export function decodeMessage(bytes: Uint8Array): BusMessage {
  const reader = new Reader(bytes);
  const fieldsEnd = 16 + reader.u32At(12);
  let [replyTo, member, error, signature] = [0, "", "", ""];
  reader.at = 16;
  while (reader.at < fieldsEnd) {
    const code = reader.align(8).u8();
    const value = reader.value(reader.signature());
    if (code === FIELD.replyTo && typeof value === "number") replyTo = value;
    if (code === FIELD.member) member = String(value);
    if (code === FIELD.error) error = String(value);
    if (code === FIELD.signature) signature = String(value);
  }
  reader.align(8);
  const body: (string | number)[] = [];
  for (const type of signature) {
    const value = reader.value(type);
    if (value === undefined) break;
    body.push(value);
  }
  return { kind: KINDS[bytes[1] ?? 0] ?? "call", replyTo, member, error, body };
}

class Writer {
  readonly #bytes: number[] = [];
  get length(): number {
    return this.#bytes.length;
  }
  u8(value: number): this {
    this.#bytes.push(value);
    return this;
  }
  u32(value: number): this {
    this.align(4);
    for (let shift = 0; shift < 32; shift += 8) this.u8((value >>> shift) & 0xff);
    return this;
  }
  string(text: string): this {
    const utf8 = new TextEncoder().encode(text);
    return this.u32(utf8.length).bytes(utf8).u8(0);
  }
  signature(text: string): this {
    return this.u8(text.length).bytes(new TextEncoder().encode(text)).u8(0);
  }
  bytes(bytes: Uint8Array): this {
    for (const byte of bytes) this.#bytes.push(byte);
    return this;
  }
  align(to: number): this {
    while (this.#bytes.length % to !== 0) this.#bytes.push(0);
    return this;
  }
  take(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

class Reader {
  at = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #little: boolean;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#little = bytes[0] === 0x6c;
  }
  align(to: number): this {
    this.at = Math.ceil(this.at / to) * to;
    return this;
  }
  u8(): number {
    return this.#view.getUint8(this.at++);
  }
  u32At(at: number): number {
    return this.#view.getUint32(at, this.#little);
  }
  signature(): string {
    return this.#text(this.u8());
  }
  /** One value of a basic type; undefined: a type that is not ours to read. */
  value(type: string): string | number | undefined {
    if (type === "g") return this.signature();
    if (type !== "s" && type !== "o" && type !== "u" && type !== "i" && type !== "b") return undefined;
    const number = this.u32At(this.align(4).at);
    this.at += 4;
    return type === "s" || type === "o" ? this.#text(number) : number;
  }
  #text(length: number): string {
    const text = new TextDecoder().decode(this.#bytes.subarray(this.at, this.at + length));
    this.at += length + 1;
    return text;
  }
}
