import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";

/** A monitor of a display: a part of its screen, in pixels. */
export interface Monitor {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const QUERY_EXTENSION = 98, INTERN_ATOM = 16, GET_INPUT_FOCUS = 43;
/** Requests of RandR 1.5. */
const QUERY_VERSION = 0, GET_SCREEN_RESOURCES = 8, SET_MONITOR = 43;

/**
 * Divides the screen of a private display into monitors, as `xrandr --setmonitor` does: the first takes the display's one
 * output, so that the monitor that stood for it is gone.
 */
export async function setMonitors(
  display: string,
  authority: string,
  monitors: readonly Monitor[],
): Promise<void> {
  const socket = connect({ path: `/tmp/.X11-unix/X${display.slice(1)}` });
  const timer = setTimeout(() => socket.destroy(new Error("the display did not answer in 5 s")), 5_000);
  try {
    const read = reader(socket);
    socket.write(greeting(authority));
    const head = await read(8);
    const setup = await read(4 * view(head).getUint16(6, true));
    const root = view(setup).getUint32(
      32 + padded(view(setup).getUint16(16, true)) + 8 * view(setup).getUint8(21),
      true,
    );
    const ask = async (bytes: Uint8Array) => {
      socket.write(bytes);
      const reply = await read(32);
      if (reply[0] !== 1) throw new Error(`the display answered with error ${reply[1]}`);
      const more = await read(4 * view(reply).getUint32(4, true));
      return { reply: view(reply), more: view(more) };
    };
    const named = (opcode: number, name: string) =>
      request(opcode, 0, [...u16(name.length), 0, 0, ...new TextEncoder().encode(name)]);
    const randr = (await ask(named(QUERY_EXTENSION, "RANDR"))).reply.getUint8(9);
    await ask(request(randr, QUERY_VERSION, [...u32(1), ...u32(5)]));
    const resources = await ask(request(randr, GET_SCREEN_RESOURCES, u32(root)));
    // Behind the CRTCs.
    const output = resources.more.getUint32(4 * resources.reply.getUint16(16, true), true);
    for (const [index, monitor] of monitors.entries()) {
      const atom = (await ask(named(INTERN_ATOM, monitor.name))).reply.getUint32(8, true);
      const { x, y, width, height } = monitor;
      const millimetres = [...u32(Math.round(width / 3.78)), ...u32(Math.round(height / 3.78))];
      const place = [...u16(x), ...u16(y), ...u16(width), ...u16(height), ...millimetres];
      const outputs = index === 0 ? u32(output) : [];
      const info = [...u32(atom), index === 0 ? 1 : 0, 0, ...u16(outputs.length / 4), ...place, ...outputs];
      socket.write(request(randr, SET_MONITOR, [...u32(root), ...info]));
      // Has no reply of its own.
      await ask(request(GET_INPUT_FOCUS, 0, []));
    }
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

/** The cookie of the first entry of an authority file; the display is our own, so that there is one entry. */
function greeting(authority: string): Uint8Array {
  const file = new Uint8Array(readFileSync(authority));
  const data = view(file);
  let at = 2;
  const fields = Array.from({ length: 4 }, () => {
    const length = data.getUint16(at);
    const field = file.slice(at + 2, at + 2 + length);
    at += 2 + length;
    return field;
  });
  const [, , name = new Uint8Array(0), cookie = new Uint8Array(0)] = fields;
  const pad = (bytes: Uint8Array) => [...bytes, ...new Uint8Array(padded(bytes.length) - bytes.length)];
  return Uint8Array.from([
    ...[0x6c, 0, 11, 0, 0, 0],
    ...u16(name.length),
    ...u16(cookie.length),
    ...[0, 0],
    ...pad(name),
    ...pad(cookie),
  ]);
}

function request(opcode: number, detail: number, body: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(padded(4 + body.length));
  bytes.set([opcode, detail, ...u16(bytes.length / 4), ...body]);
  return bytes;
}

function reader(socket: Socket): (size: number) => Promise<Uint8Array> {
  let unread: number[] = [];
  let ended: Error | undefined;
  let wake = () => {};
  socket.on("data", (chunk: Uint8Array) => {
    unread.push(...chunk);
    wake();
  });
  const end = (error: Error) => {
    ended ??= error;
    wake();
  };
  socket.on("error", end);
  socket.on("close", () => end(new Error("the display closed the connection")));
  return async (size) => {
    while (unread.length < size) {
      if (ended !== undefined) throw ended;
      await new Promise<void>((resolve) => wake = resolve);
    }
    const portion = Uint8Array.from(unread.slice(0, size));
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

function u16(value: number): number[] {
  return [value & 255, (value >> 8) & 255];
}

function u32(value: number): number[] {
  return [...u16(value & 0xffff), ...u16(value >>> 16)];
}
