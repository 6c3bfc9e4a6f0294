import type { Call } from "../base/call.ts";
import { toBackstepError } from "../base/error.ts";
import type { Action, Desktop, ElementRef, Gesture, WindowAction } from "../desktop/desktop.ts";
import { readsOf } from "../desktop/reads-of.ts";
import type { Sent } from "../desktop/sent.ts";
import type { WmAct } from "../wm/commands.ts";
import type { ManagedDesktop, ReachManager } from "../wm/managed.ts";
import { inPieces } from "./pieces.ts";

/** Actions that only prepare: nothing that could have to be undone has happened by them. */
const PREPARES: ReadonlySet<Action["do"] | Gesture["do"] | WindowAction["do"]> = new Set(
  [
    "focus",
    "caret",
    "selectText",
    "scrollTo",
    "scrollToPoint",
    "move",
    "wheel",
    "activate",
    "restore",
  ] as const,
);

/** One call to the desktop that changes something, as it is about to be made. */
export interface Touch {
  /** "setText", "click", "type", "press", "clipboard"… */
  readonly do: string;
  /** The element that it is made to. */
  readonly element?: ElementRef;
  /** Where the pointer goes: one place, or where a drag begins and ends. In pixels of the screen. */
  readonly points?: readonly { readonly x: number; readonly y: number }[];
}

/** Looks on before every call that changes something: it waits for the answer, so that what was there is seen. Never throws. */
export interface ObserverPort {
  about(touch: Touch): Promise<void>;
}

/** Says whether something may be sent, as everything stands at that moment: throws where it may not. */
export type SendJudge = (sent: Sent) => Promise<void>;

/**
 * One chord and one gesture end as they were begun, within their time: an interrupt in the middle would leave a key held, or
 * a drag without its drop. Whoever made the call finds the interrupt at the next one.
 */
function atomic(call: Call | undefined): Call | undefined {
  if (call?.signal === undefined || call.signal.aborted) return call;
  return call.timeout === undefined ? {} : { timeout: call.timeout };
}

/**
 * A desktop that remembers whether anything may have been done through it. An action has many calls: one that fails after
 * another was accepted may say that it was not sent itself, or that its element is gone, and the action has begun all the
 * same.
 *
 * @example
 * ```ts
 * import { simulate } from "../desktop/simulated/simulate.ts";
 * import { RecordingDesktop } from "./recording-desktop.ts";
 * const desktop = simulate({ applications: ["sim.settings"] });
 * const witness = new RecordingDesktop(desktop);
 * await witness.desktop.pressKeys(["Tab"]);
 * if (!witness.began) throw new Error();
 * await desktop.close();
 * ```
 */
export class RecordingDesktop {
  readonly desktop: Desktop;
  readonly #observer: ObserverPort | undefined;
  readonly #judges: readonly SendJudge[];
  #began = false;
  #untouched = true;

  constructor(desktop: Desktop, observer?: ObserverPort, judges: readonly SendJudge[] = []) {
    this.#observer = observer;
    this.#judges = judges;
    this.desktop = this.#watched(desktop);
  }

  /** The window manager, each act of which is seen, judged and remembered as a call to the desktop is. */
  manager(reach: ReachManager): ReachManager {
    return async (call) => {
      const manager = await reach(call);
      return {
        ...manager,
        perform: async (act, call) => {
          const { title, app } = await windowMeant(manager, act, call);
          await this.#see(
            undefined,
            { do: act.do },
            { to: "manager", act, title, app },
            () => manager.perform(act, call),
          );
        },
      };
    };
  }

  /** A call that changes something was accepted, or may have landed. */
  get began(): boolean {
    return this.#began;
  }

  /** Nothing was sent, not even what only prepares, and nothing may have been. */
  get untouched(): boolean {
    return this.#untouched;
  }

  async #see<T>(
    what: Parameters<typeof PREPARES.has>[0] | undefined,
    touch: Touch,
    sent: Sent,
    call: () => Promise<T>,
    prepares = what !== undefined && PREPARES.has(what),
  ): Promise<T> {
    const counts = !prepares;
    if (this.#observer) await this.#observer.about(touch);
    // Last: what is judged is what will be there.
    for (const judge of this.#judges) await judge(sent);
    try {
      const reported = await call();
      this.#untouched = false;
      if (counts) this.#began = true;
      return reported;
    } catch (thrown) {
      const outcome = toBackstepError(thrown).details?.outcome;
      if (outcome !== "not_sent") this.#untouched = false;
      if (counts && outcome === "unknown") this.#began = true;
      throw thrown;
    }
  }

  #watched(desktop: Desktop): Desktop {
    const { wholeClipboard: whole } = desktop;
    return {
      ...readsOf(desktop),
      mode: desktop.mode,
      capabilities: desktop.capabilities,
      ...(whole
        ? {
          wholeClipboard: {
            keep: (limits, call) => whole.keep(limits, call),
            restore: (items, call) =>
              this.#see(
                undefined,
                { do: "clipboard" },
                { to: "clipboard" },
                () => whole.restore(items, call),
              ),
          },
        }
        : {}),
      releaseInput: (call) => desktop.releaseInput(call),
      close: () => desktop.close(),
      act: (element, action, call) =>
        this.#see(
          action.do,
          { do: action.do, element },
          { to: "element", element, action },
          () => desktop.act(element, action, call),
          call?.prepares,
        ),
      typeText: async (text, call) => {
        for (const piece of this.#judges.length === 0 ? [text] : inPieces(text)) {
          await this.#see(
            undefined,
            { do: "type" },
            { to: "text", text: piece },
            () => desktop.typeText(piece, call),
          );
        }
      },
      pressKeys: (keys, call) =>
        this.#see(
          undefined,
          { do: "press" },
          { to: "keys", keys },
          () => desktop.pressKeys(keys, atomic(call)),
        ),
      pointer: async (gesture, call) => {
        await this.#pointFirst(desktop, gesture, call);
        await this.#see(
          gesture.do,
          { do: gesture.do, points: pointsOf(gesture) },
          { to: "pointer", gesture },
          () => desktop.pointer(gesture, atomic(call)),
        );
      },
      window: (id, action, call) =>
        this.#see(
          action.do,
          { do: action.do },
          { to: "window", id, action },
          () => desktop.window(id, action, call),
        ),
      writeClipboard: (text, call) =>
        this.#see(
          undefined,
          { do: "clipboard" },
          { to: "clipboard" },
          () => desktop.writeClipboard(text, call),
        ),
    };
  }

  /** What changes as the pointer comes has changed before it is judged. */
  async #pointFirst(desktop: Desktop, { do: what, x, y }: Gesture, call: Call | undefined): Promise<void> {
    if (this.#judges.length === 0 || (what !== "click" && what !== "drag")) return;
    this.#untouched = false;
    await desktop.pointer({ do: "move", x, y }, atomic(call));
  }
}

/** What the window of an act is called; "" where it is about none. */
async function windowMeant(
  manager: ManagedDesktop,
  act: WmAct,
  call: Call | undefined,
): Promise<{ readonly title: string; readonly app: string }> {
  if (act.do !== "close") return { title: "", app: "" };
  const window = (await manager.windows(call)).find(({ id }) => id === act.window);
  return { title: window?.title ?? "", app: window?.app_id ?? "" };
}

function pointsOf(gesture: Gesture): readonly { readonly x: number; readonly y: number }[] {
  const { x, y } = gesture;
  return gesture.do === "drag" ? [{ x, y }, { x: gesture.toX, y: gesture.toY }] : [{ x, y }];
}
