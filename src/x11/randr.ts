import { request, u16, u32 } from "./bytes.ts";
import type { XConnection } from "./connection.ts";
import { bytesOf, type Query, queryExtension, utf8, type XRect } from "./requests.ts";

/** A part of the screen that people take for one screen. */
export interface XMonitor extends XRect {
  /** An atom. */
  readonly name: number;
  readonly primary: boolean;
  /** Width and height. */
  readonly millimetres: readonly [number, number];
  /** What it is shown on; none: somebody made it up. */
  readonly outputs: readonly number[];
}

/** A mode that an output may have. */
export interface XMode {
  readonly id: number;
  readonly width: number;
  readonly height: number;
  /** Millihertz; null: the display does not say. */
  readonly refresh: number | null;
}

/** What an output could show, and what it shows. */
export interface XOutputInfo {
  readonly name: string;
  /** What it is driven by; 0: it is off. */
  readonly crtc: number;
  /** Ids, the preferred ones first. */
  readonly modes: readonly number[];
  readonly preferred: number;
}

/** What drives an output. */
export interface XCrtc extends XRect {
  readonly mode: number;
  /** Of randr.h: 1, 2, 4 and 8 are 0, 90, 180 and 270 degrees; 16 and 32 are mirrored. */
  readonly rotation: number;
}

/** Requests of RandR. */
const QUERY_VERSION = 0, SELECT_INPUT = 4, GET_OUTPUT_INFO = 9, GET_CRTC_INFO = 20;
const GET_RESOURCES_CURRENT = 25, GET_MONITORS = 42, SET_MONITOR = 43;
/** Changes of the screen, its CRTCs and its outputs. */
const ALL_CHANGES = 1 | 2 | 4;
/** Flags of a mode. */
const INTERLACED = 16, DOUBLE_SCANNED = 32;

/** RandR of a display, with at least version 1.5; undefined: it is older, or absent. */
export async function openRandr(connection: XConnection): Promise<Randr | undefined> {
  const found = await connection.ask(queryExtension("RANDR"));
  if (found === undefined) return undefined;
  const [major, minor] = await connection.ask({
    bytes: request(found.opcode, QUERY_VERSION, [u32(1), u32(5)]),
    read: (reply) => [reply.getUint32(8, true), reply.getUint32(12, true)] as const,
  });
  return major > 1 || minor >= 5 ? new Randr(found.opcode, found.event) : undefined;
}

/** The requests of RandR on one display. */
export class Randr {
  /** Its first event; it has two. */
  readonly event: number;
  readonly #opcode: number;

  constructor(opcode: number, event: number) {
    this.#opcode = opcode;
    this.event = event;
  }

  /** Has changes of monitors sent as events. */
  select(root: number): Uint8Array {
    return request(this.#opcode, SELECT_INPUT, [u32(root), u16(ALL_CHANGES), u16(0)]);
  }

  /** The monitors that are on. */
  monitors(root: number): Query<readonly XMonitor[]> {
    return {
      bytes: request(this.#opcode, GET_MONITORS, [u32(root), u32(1)]),
      read(reply) {
        const monitors: XMonitor[] = [];
        let at = 32;
        for (let left = reply.getUint32(12, true); left > 0; left--) {
          const count = reply.getUint16(at + 6, true);
          monitors.push({
            name: reply.getUint32(at, true),
            primary: reply.getUint8(at + 4) !== 0,
            x: reply.getInt16(at + 8, true),
            y: reply.getInt16(at + 10, true),
            width: reply.getUint16(at + 12, true),
            height: reply.getUint16(at + 14, true),
            millimetres: [reply.getUint32(at + 16, true), reply.getUint32(at + 20, true)],
            outputs: numbers(reply, at + 24, count),
          });
          at += 24 + 4 * count;
        }
        return monitors;
      },
    };
  }

  /** The outputs and the modes, as the display knows them without asking the hardware. */
  resources(
    root: number,
  ): Query<{ readonly outputs: readonly number[]; readonly modes: readonly XMode[]; readonly time: number }> {
    return {
      bytes: request(this.#opcode, GET_RESOURCES_CURRENT, [u32(root)]),
      read(reply) {
        const crtcs = reply.getUint16(16, true), outputs = reply.getUint16(18, true);
        const modesAt = 32 + 4 * (crtcs + outputs);
        return {
          time: reply.getUint32(12, true),
          outputs: numbers(reply, 32 + 4 * crtcs, outputs),
          modes: Array.from(
            { length: reply.getUint16(20, true) },
            (_, at) => modeOf(reply, modesAt + 32 * at),
          ),
        };
      },
    };
  }

  /** An output; `time` is that of the resources. */
  output(output: number, time: number): Query<XOutputInfo> {
    return {
      bytes: request(this.#opcode, GET_OUTPUT_INFO, [u32(output), u32(time)]),
      read(reply) {
        const crtcs = reply.getUint16(26, true), modes = reply.getUint16(28, true);
        const clones = reply.getUint16(32, true), modesAt = 36 + 4 * crtcs;
        return {
          name: utf8(bytesOf(reply, modesAt + 4 * (modes + clones), reply.getUint16(34, true))),
          crtc: reply.getUint32(12, true),
          modes: numbers(reply, modesAt, modes),
          preferred: reply.getUint16(30, true),
        };
      },
    };
  }

  crtc(crtc: number, time: number): Query<XCrtc> {
    return {
      bytes: request(this.#opcode, GET_CRTC_INFO, [u32(crtc), u32(time)]),
      read: (reply) => ({
        x: reply.getInt16(12, true),
        y: reply.getInt16(14, true),
        width: reply.getUint16(16, true),
        height: reply.getUint16(18, true),
        mode: reply.getUint32(20, true),
        rotation: reply.getUint16(24, true),
      }),
    };
  }

  /** Makes a monitor, as `xrandr --setmonitor` does. */
  setMonitor(root: number, monitor: XMonitor): Uint8Array {
    const { name, primary, x, y, width, height, millimetres, outputs } = monitor;
    return request(this.#opcode, SET_MONITOR, [
      u32(root),
      u32(name),
      // Not automatic.
      Uint8Array.of(primary ? 1 : 0, 0),
      u16(outputs.length),
      ...[x, y, width, height].map(u16),
      ...millimetres.map(u32),
      ...outputs.map(u32),
    ]);
  }
}

function modeOf(reply: DataView, at: number): XMode {
  const clock = reply.getUint32(at + 8, true), flags = reply.getUint32(at + 28, true);
  const across = reply.getUint16(at + 16, true);
  const down = reply.getUint16(at + 24, true) * (flags & DOUBLE_SCANNED ? 2 : 1) /
    (flags & INTERLACED ? 2 : 1);
  return {
    id: reply.getUint32(at, true),
    width: reply.getUint16(at + 4, true),
    height: reply.getUint16(at + 6, true),
    refresh: clock > 0 && across * down > 0 ? Math.round(1_000 * clock / (across * down)) : null,
  };
}

function numbers(reply: DataView, at: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => reply.getUint32(at + 4 * index, true));
}
