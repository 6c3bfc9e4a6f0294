import type { Action, Gesture, WindowAction } from "./desktop.ts";
import type { WmAct } from "../wm/commands.ts";
import type { ElementRef } from "./element.ts";

/** One call to a desktop that changes something, as it is about to be sent. */
export type Sent =
  | { readonly to: "element"; readonly element: ElementRef; readonly action: Action }
  /** One chord. */
  | { readonly to: "keys"; readonly keys: readonly string[] }
  /** A text, typed with keys. */
  | { readonly to: "text"; readonly text: string }
  | { readonly to: "pointer"; readonly gesture: Gesture }
  | { readonly to: "window"; readonly id: number; readonly action: WindowAction }
  /** By the window manager itself. `title`: of the window that is meant; "" where it is none. */
  | { readonly to: "manager"; readonly act: WmAct; readonly title: string; readonly app: string }
  | { readonly to: "clipboard" };
