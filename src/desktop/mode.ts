import type { Call } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import type { ManagedDesktop } from "../wm/managed.ts";
import type { WmAct } from "../wm/commands.ts";
import { defined } from "../base/defined.ts";
import type { Action, Desktop, InputWatch, Mode, WindowAction } from "./desktop.ts";
import type { InputRecording } from "./input-events.ts";
import { readsOf } from "./reads-of.ts";

/** Both modes, for choices. */
export const MODES: readonly Mode[] = ["background", "focus"];

/** Actions on an element that take the keyboard away from whoever has it: GTK raises the window too. */
const TAKES_FOCUS: ReadonlySet<Action["do"]> = new Set(["focus"] as const);
/** Actions on a window that put it in front of what somebody looks at. */
const COMES_TO_FRONT: ReadonlySet<WindowAction["do"]> = new Set(["activate", "restore"] as const);

/**
 * The same desktop, used in the background: whatever would take the keyboard, the pointer or the place in front is refused
 * with `needs_focus` before it is sent. The only place where that is decided; nothing above can reach around it.
 *
 * @example
 * ```ts
 * import { simulate } from "./simulated/simulate.ts";
 * import { inBackground } from "./mode.ts";
 * const desktop = inBackground(simulate({ applications: ["sim.settings"] }));
 * const refused = await desktop.pressKeys(["Tab"]).catch((error) => error.code);
 * if (refused !== "needs_focus") throw new Error();
 * await desktop.close();
 * ```
 */
export function inBackground(desktop: Desktop): Desktop {
  const refuse = (doing: string) => Promise.reject(needsFocus(doing));
  return {
    ...readsOf(desktop),
    mode: "background",
    get capabilities() {
      return desktop.capabilities;
    },
    writeClipboard: (text, call) => desktop.writeClipboard(text, call),
    ...(desktop.wholeClipboard ? { wholeClipboard: desktop.wholeClipboard } : {}),
    releaseInput: (call) => desktop.releaseInput(call),
    ...(desktop.watchInput ? { watchInput: (call?: Call) => watchInput(desktop, call) } : {}),
    ...(desktop.recordInput ? { recordInput: (call?: Call) => recordInput(desktop, call) } : {}),
    close: () => desktop.close(),
    act: (element, action, call) =>
      TAKES_FOCUS.has(action.do) ? refuse("give the keyboard focus") : desktop.act(element, action, call),
    typeText: () => refuse("type with the keyboard"),
    pressKeys: (keys) => refuse(`press ${keys.join("+")}`),
    pointer: (gesture) => refuse(`${gesture.do} with the pointer`),
    window: (id, action, call) =>
      COMES_TO_FRONT.has(action.do)
        ? refuse("bring a window to the front")
        : desktop.window(id, action, call),
  };
}

/** Acts of a window manager that change what somebody looks at, or where their keys go. */
const SHOWS: ReadonlySet<WmAct["do"]> = new Set(["focus", "switch"] as const);

/** The same window manager, used in the background. */
export function managerInBackground(manager: ManagedDesktop): ManagedDesktop {
  return {
    ...manager,
    perform: (act, call) =>
      SHOWS.has(act.do)
        ? Promise.reject(needsFocus(act.do === "focus" ? "focus a window" : "switch to another workspace"))
        : manager.perform(act, call),
  };
}

/** Watches input, where a desktop can; else `unsupported`. */
export function watchInput(desktop: Desktop, call?: Call): Promise<InputWatch> {
  return desktop.watchInput?.(call) ?? Promise.reject(
    new BackstepError(
      "unsupported",
      "Cannot notice what others do with keyboard and pointer: this desktop does not report it",
    ),
  );
}

/** Records what a person does, where a desktop can; else `unsupported`. */
export function recordInput(desktop: Desktop, call?: Call): Promise<InputRecording> {
  return desktop.recordInput?.(call) ?? Promise.reject(
    new BackstepError("unsupported", "Cannot record what a person does: this desktop does not report it"),
  );
}

/** The error of what only synthetic input could do, on a desktop that is used in the background. */
export function needsFocus(doing: string): BackstepError {
  return new BackstepError(
    "needs_focus",
    `Cannot ${doing} in the background: it takes the keyboard, the pointer or the window in front`,
    { hint: NEEDS_FOCUS_HINT, details: { mode: "background", outcome: "not_sent" } },
  );
}

/**
 * Does it with the desktop as a step asked for it: `background` refuses what takes keyboard, pointer or the place in front,
 * also where the session would allow it. The hint of such a refusal names the step's own choice.
 */
export async function inOwnMode<R>(
  desktop: Desktop,
  background: boolean | undefined,
  use: (desktop: Desktop) => Promise<R>,
): Promise<R> {
  if (background !== true || desktop.mode === "background") return await use(desktop);
  try {
    return await use(inBackground(desktop));
  } catch (thrown) {
    if (!(thrown instanceof BackstepError) || thrown.code !== "needs_focus") throw thrown;
    const { message, details, hint = NEEDS_FOCUS_HINT } = thrown;
    throw new BackstepError("needs_focus", message, {
      hint: hint.replace(NEEDS_FOCUS_HINT, OWN_BACKGROUND_HINT),
      ...defined({ details }),
      cause: thrown,
    });
  }
}

/** What to try when a step asked for the background itself. */
export const OWN_BACKGROUND_HINT =
  "The step asked for the background: without `background` (a tool: with mode: focus) it may use keyboard and pointer";

/** What to try when something needs the focus. */
export const NEEDS_FOCUS_HINT =
  "Allow it with mode: focus (on the command line --mode focus), while nobody works on that desktop, or use a " +
  "private desktop: session: isolated";

/**
 * Throws `unsupported` on a desktop without keyboard and pointer, `needs_focus` on one that is used in the background.
 * `with`: "keyboard", "pointer" or "wheel".
 */
export function requireInput(
  desktop: Desktop,
  doing: string,
  device: "keyboard" | "pointer" | "wheel",
): void {
  if (!desktop.capabilities.input) {
    throw new BackstepError("unsupported", `Cannot ${doing}: this desktop has no ${device}`);
  }
  if (desktop.mode === "background") throw needsFocus(doing);
}
