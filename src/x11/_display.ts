import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { StandIn } from "../wm/_server.ts";
import { padded, text, u16, u32, view } from "./bytes.ts";

/** A window of a display that tests make up. */
export interface MadeUpWindow {
  readonly parent: number;
  readonly x?: number;
  readonly y?: number;
  readonly width?: number;
  readonly height?: number;
  readonly viewable?: boolean;
}

interface MadeUpProperty {
  readonly type: number;
  readonly format: number;
  readonly data: Uint8Array;
}

/** A message that somebody sent to the window manager. */
export interface SentMessage {
  readonly window: number;
  readonly type: string;
  readonly data: readonly number[];
}

const BAD_WINDOW = 3, PROPERTY_NOTIFY = 28, DESTROY_NOTIFY = 17;
const PROPERTY_CHANGE = 1 << 22, STRUCTURE_NOTIFY = 1 << 17;

/** An X server without extensions that tests speak through: windows and properties alone, little-endian. */
export class DisplayStandIn {
  static readonly ROOT = 0x100;
  readonly server: StandIn;
  readonly messages: SentMessage[] = [];
  readonly #atoms = new Map<string, number>([["STRING", 31], ["WM_HINTS", 35], ["WM_NAME", 39]]);
  readonly #windows = new Map<number, MadeUpWindow>();
  readonly #properties = new Map<string, MadeUpProperty>();
  readonly #selected = new Map<Socket, Map<number, number>>();
  #sequences = new WeakMap<Socket, number>();
  /** Answers in place of it: bytes are sent as they are; undefined: it answers itself. */
  instead: (opcode: number, request: DataView, sequence: number) => Uint8Array | undefined = () => undefined;
  /** Sent in place of the answer to the greeting. */
  greeting: Uint8Array | undefined;
  /** Most bytes of one piece that it sends. */
  piece = Infinity;
  /** What each greeting showed: the protocol's name and the cookie in hexadecimal digits. */
  readonly shown: string[] = [];

  constructor(path: string) {
    this.#windows.set(DisplayStandIn.ROOT, { parent: 0, width: 640, height: 480, viewable: true });
    this.server = new StandIn(path, (socket) => this.#talk(socket));
  }

  atom(name: string): number {
    const existing = this.#atoms.get(name);
    if (existing !== undefined) return existing;
    const next = 200 + this.#atoms.size;
    this.#atoms.set(name, next);
    return next;
  }

  open(id: number, window: Partial<MadeUpWindow> = {}): void {
    this.#windows.set(id, { parent: DisplayStandIn.ROOT, viewable: true, ...window });
  }

  end(id: number): void {
    this.#windows.delete(id);
    this.#notify(id, STRUCTURE_NOTIFY, [Uint8Array.of(DESTROY_NOTIFY, 0), u16(0), u32(id), u32(id)]);
  }

  /** Sets a property of numbers of 32 bits, or of UTF-8. */
  set(window: number, name: string, value: readonly number[] | string, type = "UTF8_STRING"): void {
    const numbers = typeof value === "string" ? undefined : value;
    this.#properties.set(`${window} ${this.atom(name)}`, {
      type: this.atom(numbers ? "CARDINAL" : type),
      format: numbers ? 32 : 8,
      data: numbers ? Buffer.concat(numbers.map(u32)) : text(String(value)),
    });
    this.#notify(window, PROPERTY_CHANGE, [
      Uint8Array.of(PROPERTY_NOTIFY, 0),
      u16(0),
      u32(window),
      u32(this.atom(name)),
    ]);
  }

  /** Have all connections selected events of this window? */
  isWatched(window: number): boolean {
    return [...this.#selected.values()].some((masks) => masks.has(window));
  }

  #notify(window: number, mask: number, parts: readonly Uint8Array[]): void {
    for (const [socket, masks] of this.#selected) {
      if (((masks.get(window) ?? 0) & mask) === 0) continue;
      const event = Buffer.concat([...parts, new Uint8Array(32)]).subarray(0, 32);
      event.writeUInt16LE(this.#sequences.get(socket) ?? 0, 2);
      socket.write(event);
    }
  }

  #talk(socket: Socket): void {
    let data = Buffer.alloc(0), greeted = false, sequence = 0;
    const masks = new Map<number, number>();
    this.#selected.set(socket, masks);
    socket.on("close", () => this.#selected.delete(socket));
    socket.on("data", (chunk: Uint8Array) => {
      data = Buffer.concat([data, chunk]);
      const answers: Uint8Array[] = [];
      if (!greeted) {
        if (data.length < 12) return;
        const name = data.readUInt16LE(6), cookie = data.readUInt16LE(8);
        const size = 12 + padded(name) + padded(cookie);
        if (data.length < size) return;
        const shown = data.subarray(12 + padded(name), 12 + padded(name) + cookie);
        this.shown.push(`${data.toString("latin1", 12, 12 + name)} ${shown.toString("hex")}`.trim());
        data = data.subarray(size);
        greeted = true;
        answers.push(this.greeting ?? accepted());
      }
      while (data.length >= 4) {
        const size = 4 * data.readUInt16LE(2);
        if (data.length < size) break;
        const request = view(Buffer.from(data.subarray(0, size)));
        data = data.subarray(size);
        sequence = (sequence + 1) & 0xffff;
        this.#sequences.set(socket, sequence);
        const opcode = request.getUint8(0);
        const answer = this.instead(opcode, request, sequence) ??
          this.#answer(opcode, request, sequence, masks);
        if (answer !== undefined) answers.push(answer);
      }
      const all = Buffer.concat(answers);
      for (let at = 0; at < all.length; at += this.piece) socket.write(all.subarray(at, at + this.piece));
    });
  }

  #answer(
    opcode: number,
    request: DataView,
    sequence: number,
    masks: Map<number, number>,
  ): Uint8Array | undefined {
    const id = request.byteLength >= 8 ? request.getUint32(4, true) : 0;
    const window = this.#windows.get(id);
    if ([2, 3, 14, 15, 20, 40].includes(opcode) && window === undefined) {
      return fault(BAD_WINDOW, sequence, id);
    }
    switch (opcode) {
      case 2:
        masks.set(id, request.getUint32(12, true));
        return undefined;
      case 3:
        return reply(sequence, [
          new Uint8Array(18),
          Uint8Array.of(window?.viewable ? 2 : 1),
          new Uint8Array(17),
        ]);
      case 14:
        return reply(sequence, rectOf(window));
      case 15:
        return reply(sequence, [u32(DisplayStandIn.ROOT), u32(window?.parent ?? 0)]);
      case 16:
        return reply(sequence, [u32(this.atom(textIn(request)))]);
      case 17: {
        const name = text([...this.#atoms].find(([, atom]) => atom === id)?.[0] ?? "");
        return reply(sequence, [u16(name.length), new Uint8Array(22), name]);
      }
      case 20: {
        const { type, format, data } = this.#properties.get(`${id} ${request.getUint32(8, true)}`) ??
          { type: 0, format: 0, data: new Uint8Array(0) };
        const count = format === 0 ? 0 : data.length * 8 / format;
        return reply(sequence, [u32(type), u32(0), u32(count), new Uint8Array(12), data], format);
      }
      case 25:
        this.messages.push({
          window: request.getUint32(16, true),
          type: [...this.#atoms].find(([, atom]) => atom === request.getUint32(20, true))?.[0] ?? "",
          data: [0, 1, 2, 3, 4].map((at) => request.getUint32(24 + 4 * at, true)),
        });
        return undefined;
      case 40: {
        let x = 0, y = 0;
        for (let at = window; at !== undefined && at.parent !== 0; at = this.#windows.get(at.parent)) {
          x += at.x ?? 0, y += at.y ?? 0;
        }
        return reply(sequence, [u32(0), u16(x), u16(y)]);
      }
      default:
        // GetInputFocus, and QueryExtension: there is none.
        return reply(sequence, []);
    }
  }
}

/** A reply, padded as the protocol has it. */
export function reply(sequence: number, parts: readonly Uint8Array[], detail = 0): Uint8Array {
  const body = Buffer.concat(parts), more = Math.max(0, padded(body.length) - 24);
  const head = Buffer.concat([Uint8Array.of(1, detail), u16(sequence), u32(more / 4)]);
  return Buffer.concat([head, body, new Uint8Array(24 + more - body.length)]);
}

/** An error. */
export function fault(code: number, sequence: number, id: number): Uint8Array {
  return Buffer.concat([Uint8Array.of(0, code), u16(sequence), u32(id), new Uint8Array(24)]);
}

function rectOf(window: MadeUpWindow | undefined): Uint8Array[] {
  const { x = 0, y = 0, width = 1, height = 1 } = window ?? {};
  return [u32(DisplayStandIn.ROOT), ...[x, y, width, height, 0].map(u16)];
}

function textIn(request: DataView): string {
  const length = request.getUint16(4, true);
  return new TextDecoder().decode(new Uint8Array(request.buffer, request.byteOffset + 8, length));
}

/** Version 11, one screen, a vendor of five letters, no formats. */
function accepted(): Uint8Array {
  const screen = Buffer.concat([
    u32(DisplayStandIn.ROOT),
    new Uint8Array(16),
    u16(640),
    u16(480),
    new Uint8Array(16),
  ]);
  const body = Buffer.concat([
    new Uint8Array(16),
    u16(5),
    u16(65_535),
    Uint8Array.of(1, 0),
    new Uint8Array(10),
    text("Tests\0\0\0"),
    screen,
  ]);
  return Buffer.concat([Uint8Array.of(1, 0), u16(11), u16(0), u16(body.length / 4), body]);
}
