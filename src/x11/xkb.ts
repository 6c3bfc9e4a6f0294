import { request, u16, u32 } from "./bytes.ts";
import type { XConnection } from "./connection.ts";
import { type Query, queryExtension } from "./requests.ts";

/** Requests of the X Keyboard Extension. */
const USE_EXTENSION = 0, SELECT_EVENTS = 1, GET_STATE = 4, GET_NAMES = 17;
/** The keyboard that every other one is part of. */
const CORE_KEYBOARD = 0x100;
const GROUP_NAMES = 1 << 12;
/** The kind of event of a changed state, as a bit; of the state, the group that is used. */
const STATE_NOTIFY = 1 << 2, GROUP_STATE = 1 << 4;

/** The keyboard of a display; undefined: it lacks the extension. */
export async function openXkb(connection: XConnection): Promise<Xkb | undefined> {
  const found = await connection.ask(queryExtension("XKEYBOARD"));
  if (found === undefined) return undefined;
  const fits = await connection.ask({
    bytes: request(found.opcode, USE_EXTENSION, [u16(1), u16(0)]),
    read: (reply) => reply.getUint8(1) === 1,
  });
  return fits ? new Xkb(found.opcode, found.event) : undefined;
}

/** The requests of the X Keyboard Extension on one display. */
export class Xkb {
  /** Its one type of event. */
  readonly event: number;
  readonly #opcode: number;

  constructor(opcode: number, event: number) {
    this.#opcode = opcode;
    this.event = event;
  }

  /** Has changes of the group sent as events. */
  selectGroup(): Uint8Array {
    return request(this.#opcode, SELECT_EVENTS, [
      u16(CORE_KEYBOARD),
      // Of these, none are dropped, none are taken whole, and no part of the map.
      ...[STATE_NOTIFY, 0, 0, 0, 0, GROUP_STATE, GROUP_STATE].map(u16),
    ]);
  }

  /** Which group is used; counts from 0. */
  group(): Query<number> {
    return {
      bytes: request(this.#opcode, GET_STATE, [u16(CORE_KEYBOARD), u16(0)]),
      read: (reply) => reply.getUint8(12),
    };
  }

  /** The names of the groups, as atoms. */
  groupNames(): Query<readonly number[]> {
    return {
      bytes: request(this.#opcode, GET_NAMES, [u16(CORE_KEYBOARD), u16(0), u32(GROUP_NAMES)]),
      read(reply) {
        const mask = reply.getUint8(15);
        const groups = [0, 1, 2, 3].filter((group) => mask & (1 << group));
        return groups.map((_, at) => reply.getUint32(32 + 4 * at, true));
      },
    };
  }
}
