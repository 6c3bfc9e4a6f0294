import { BackstepError } from "../../base/error.ts";
import type { Bytes } from "../../ffi/binding.ts";
import { Op, type OpNumber } from "../../ffi/op.ts";
import { Request } from "../../ffi/request.ts";
import type { Action, Gesture, WindowAction } from "../desktop.ts";
import type { ElementRef } from "../element.ts";
import { Coordinates } from "./coordinates.ts";
import { nameOf } from "../identity.ts";
import { requestTo } from "./request-to.ts";

/** An operation of the core on an element. */
export interface Submission {
  readonly op: OpNumber;
  /** What it takes beside the element. */
  readonly rest: Bytes;
  /** To follow "Cannot". */
  readonly what: string;
}

/** AtspiScrollType ANYWHERE: as little as makes the element visible. */
const SCROLL_ANYWHERE = 6;

const selectionModes = {
  deselect: 0,
  select: 1,
  selectAll: 2,
  selectNone: 3,
  deselectRow: 4,
  selectRow: 5,
} as const;

/** An action on an element as the core takes it. */
export function encodeAction(element: ElementRef, act: Action): Submission {
  const name = nameOf(element);
  switch (act.do) {
    case "action": {
      const action = act.name === "" ? "perform the first action" : `perform ${JSON.stringify(act.name)}`;
      return { op: Op.action, rest: new Request().str(act.name).bytes(), what: `${action} on ${name}` };
    }
    case "focus":
      return { op: Op.focus, rest: new Request().bytes(), what: `focus ${name}` };
    case "setText":
      return { op: Op.setText, rest: new Request().str(act.text).bytes(), what: `set the text of ${name}` };
    case "insertText":
      return {
        op: Op.insertText,
        rest: new Request().i32(act.at).str(act.text).bytes(),
        what: `insert text into ${name}`,
      };
    case "deleteText":
      return {
        op: Op.deleteText,
        rest: new Request().i32(act.start).i32(act.end).bytes(),
        what: `delete text of ${name}`,
      };
    case "caret":
      return { op: Op.caret, rest: new Request().i32(act.at).bytes(), what: `place the caret in ${name}` };
    case "selectText":
      return {
        op: Op.selectText,
        rest: new Request().i32(act.start).i32(act.end).bytes(),
        what: `select text of ${name}`,
      };
    case "setValue":
      if (!Number.isFinite(act.value)) {
        throw new BackstepError(
          "invalid",
          `Cannot set the value of ${name}: ${act.value} is no finite number`,
        );
      }
      return {
        op: Op.setValue,
        rest: new Request().f64(act.value).bytes(),
        what: `set the value of ${name}`,
      };
    case "select":
    case "deselect":
    case "selectAll":
    case "selectNone":
    case "deselectRow":
    case "selectRow": {
      const child = "child" in act ? act.child : 0;
      const rest = new Request().i32(child).u32(selectionModes[act.do]).bytes();
      return { op: Op.select, rest, what: `change the selection of ${name}` };
    }
    case "scrollTo":
      return { op: Op.scrollTo, rest: new Request().u32(SCROLL_ANYWHERE).bytes(), what: `scroll to ${name}` };
    case "scrollToPoint":
      return {
        op: Op.scrollToPoint,
        rest: new Request().u32(Coordinates.screen).i32(act.x).i32(act.y).bytes(),
        what: `scroll ${name} to a place`,
      };
  }
}

/** The request of an operation on an element. */
export function requestOf(element: ElementRef, { rest }: Submission): Bytes {
  return requestTo(element).packed(rest).bytes();
}

/** The request of the same, to be done if the element says exactly of itself what it said when it was found. */
export function requestIfSame(element: ElementRef, { op, rest }: Submission): Bytes {
  const { role, name, id } = element.fingerprint;
  return requestTo(element).u32(role).str(name).str(id).u32(op).packed(rest).bytes();
}

const gestureKinds = { move: 0, click: 1, drag: 2, wheel: 3 } as const;
const modifiers = { ctrl: 1, shift: 2, alt: 4, super: 8 } as const;
const buttons = { left: 1, middle: 2, right: 3 } as const;

/** A gesture of the pointer as the core takes it; points are rounded to whole pixels. */
export function encodeGesture(gesture: Gesture): Bytes {
  const drag = gesture.do === "drag" ? gesture : undefined;
  const wheel = gesture.do === "wheel" ? gesture : undefined;
  return new Request()
    .u32(gestureKinds[gesture.do])
    .i32(Math.round(gesture.x)).i32(Math.round(gesture.y))
    .u32("button" in gesture ? buttons[gesture.button] : 0)
    .u32(gesture.do === "click" ? gesture.count : gesture.do === "drag" ? 1 : 0)
    .i32(Math.round(drag?.toX ?? 0)).i32(Math.round(drag?.toY ?? 0))
    .u32(Math.round(drag?.duration ?? 0))
    .i32(wheel?.right ?? 0).i32(wheel?.down ?? 0)
    .u32([...new Set(gesture.modifiers)].reduce((mask, name) => mask | modifiers[name], 0))
    .bytes();
}

const windowVerbs = { activate: 0, close: 1, minimise: 2, restore: 3, place: 4 } as const;
/** What the core reads as "leave as it is". */
const LEAVE = -1;

/** What is done to a window, as the core takes it. */
export function encodeWindowAction(id: number, act: WindowAction): Bytes {
  const place: { readonly [side in "x" | "y" | "width" | "height"]?: number } = act.do === "place" ? act : {};
  const request = new Request().u32(id).u32(windowVerbs[act.do]);
  for (const side of ["x", "y", "width", "height"] as const) {
    const wanted = place[side];
    const pixels = wanted === undefined ? LEAVE : Math.round(wanted);
    if (
      wanted !== undefined && (pixels === LEAVE || (pixels < 1 && (side === "width" || side === "height")))
    ) {
      throw new BackstepError("invalid", `Cannot place the window: its ${side} cannot be ${wanted}`);
    }
    request.i32(pixels);
  }
  return request.bytes();
}
