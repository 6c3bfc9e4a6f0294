import type { PersonRecord } from "../../ffi/records.ts";
import type { Modifier } from "../desktop.ts";
import type { ButtonInput, InputEvent } from "../input-events.ts";
import { keyNameOf } from "../keys.ts";

const BUTTONS: ReadonlyMap<number, ButtonInput["button"]> = new Map([
  [1, "left"],
  [2, "middle"],
  [3, "right"],
  [8, "back"],
  [9, "forward"],
]);
/** By the bits of the core. */
const MODIFIERS: readonly (readonly [bit: number, Modifier])[] = [
  [1, "ctrl"],
  [2, "shift"],
  [4, "alt"],
  [8, "super"],
];

/** What a record of the core says that a person did; undefined: nothing that anybody records, such as a tenth button. */
export function inputEventOf(record: PersonRecord): InputEvent | undefined {
  const { detail, time, x, y } = record;
  const modifiers = MODIFIERS.filter(([bit]) => record.modifiers & bit).map(([, name]) => name);
  const placed = { x, y, modifiers, time, ...(record.moved ? { moved: true as const } : {}) };
  switch (record.what) {
    case 1:
    case 2: {
      const button = BUTTONS.get(detail);
      return button && { what: "button", down: record.what === 1, button, ...placed };
    }
    case 3:
      return {
        what: "wheel",
        right: detail === 7 ? 1 : detail === 6 ? -1 : 0,
        down: detail === 5 ? 1 : detail === 4 ? -1 : 0,
        ...placed,
      };
    case 4: {
      const name = keyNameOf(detail);
      return { what: "key", keysym: detail, ...(name === undefined ? {} : { name }), modifiers, time };
    }
    case 5:
      return { what: "text", time };
    case 6:
      return { what: "rest", ...placed };
    default:
      return undefined;
  }
}
