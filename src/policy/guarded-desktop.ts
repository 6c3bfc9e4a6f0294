import type { Call } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import type {
  Application,
  Area,
  Desktop,
  DesktopEvent,
  ElementRef,
  Frame,
  Gesture,
  ReadCall,
  RefreshOptions,
  VerifyManagedOptions,
  Watch,
  Window,
} from "../desktop/desktop.ts";
import type { InputRecording } from "../desktop/input-events.ts";
import { contains } from "../desktop/rect.ts";
import { recordInput, watchInput } from "../desktop/mode.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { blackOut, decorated } from "./black-out.ts";
import { guardRecording } from "./guarded-recording.ts";
import { clipboardOwner, focusOwner, mayHaveGrabbed, NOBODY } from "./holders-judge.ts";
import { Identities, type Seen } from "./identities.ts";
import type { AppIdentity, SecurityMode } from "./security.ts";

/** What is asked of a policy at a desktop. */
export interface DesktopPolicy {
  readonly mode: SecurityMode;
  /** Does any list name an application? Where none does, nothing has to be judged. */
  readonly restricts: boolean;
  blocked(app: AppIdentity): string | undefined;
}

/** An act or a look that the policy does not let pass: details name the application and the reason. */
export function appBlocked(name: string, reason: string): BackstepError {
  const shown = name.slice(0, 80) || "unknown";
  return new BackstepError("policy", `App '${shown}' is blocked by security policy`, {
    hint: "Use another application, or ask the person who runs this server to allow it.",
    details: { app: shown, reason },
  });
}

/** Some application has the device to itself, and one that may not be used could be it. */
function grabbed(device: "keyboard" | "pointer"): BackstepError {
  return new BackstepError(
    "policy",
    `Cannot use the ${device}: an application that is blocked by security policy may have grabbed it`,
    {
      hint: "Wait until the menu or dialog that grabbed it is closed, close it, or act on elements instead.",
      details: { app: "unknown", reason: `the ${device} is grabbed` },
    },
  );
}

/**
 * The same desktop as a policy lets it be seen and touched: what is blocked is left out of lists and black in pictures, and
 * what is done to it is refused. What an act is about is judged at the moment it is sent: an element by its application, a
 * place by the window that lies there, keys by the window that has them. Stands below every interface, so that none has a way
 * around it.
 *
 * @example
 * ```ts
 * import { simulate } from "../desktop/simulated/simulate.ts";
 * import { guardDesktop } from "./guarded-desktop.ts";
 * const raw = simulate({ applications: ["sim.settings", "sim.calculator"] });
 * const blocked = ({ name }: { name: string }) => name === "Settings" ? "it is denied" : undefined;
 * const desktop = guardDesktop(raw, { mode: "normal", restricts: true, blocked });
 * const seen = await desktop.applications();
 * if (seen.map(({ name }) => name).join() !== "Calculator") throw new Error();
 * await raw.close();
 * ```
 */
export function guardDesktop(raw: Desktop, policy: DesktopPolicy): Desktop {
  const judge = new Judge(raw, policy);
  const whole = raw.wholeClipboard;
  const { verify, statesOf, refresh, verifyManaged, flushOf } = raw;
  return {
    get kind() {
      return raw.kind;
    },
    get mode() {
      return raw.mode;
    },
    get label() {
      return raw.label;
    },
    get capabilities() {
      return raw.capabilities;
    },
    applications: async (call) => policy.restricts ? await judge.allowed(call) : await raw.applications(call),
    async snapshot(application, options) {
      await judge.application(application, options);
      return await raw.snapshot(application, options);
    },
    async read(element, call) {
      await judge.element(element, call);
      return await raw.read(element, call);
    },
    ...(verify
      ? {
        async verify(element: ElementRef, call?: Call) {
          await judge.element(element, call);
          return await verify.call(raw, element, call);
        },
      }
      : {}),
    ...(statesOf
      ? {
        async statesOf(elements: readonly ElementRef[], call?: ReadCall) {
          for (const element of elements) await judge.element(element, call);
          return await statesOf.call(raw, elements, call);
        },
      }
      : {}),
    ...(refresh
      ? {
        async refresh(snapshot: Snapshot, rows: readonly number[], options?: RefreshOptions) {
          await judge.application(snapshot.origin.application, options);
          return await refresh.call(raw, snapshot, rows, options);
        },
      }
      : {}),
    ...(verifyManaged
      ? {
        async verifyManaged(snapshot: Snapshot, roles: readonly number[], options?: VerifyManagedOptions) {
          await judge.application(snapshot.origin.application, options);
          return await verifyManaged.call(raw, snapshot, roles, options);
        },
      }
      : {}),
    virtualTime: raw.virtualTime ?? false,
    ...(raw.saidAt ? { saidAt: raw.saidAt.bind(raw) } : {}),
    ...(raw.readyFor ? { readyFor: raw.readyFor.bind(raw) } : {}),
    ...(raw.undrawn ? { undrawn: raw.undrawn.bind(raw) } : {}),
    ...(raw.drawn ? { drawn: raw.drawn.bind(raw) } : {}),
    ...(raw.scrollsAtOnce ? { scrollsAtOnce: raw.scrollsAtOnce.bind(raw) } : {}),
    ...(flushOf
      ? {
        flushOf(element: ElementRef) {
          const flush = flushOf.call(raw, element);
          return flush && (async (call?: Call) => {
            await judge.element(element, call);
            await flush(call);
          });
        },
      }
      : {}),
    async act(element, action, call) {
      await judge.element(element, call);
      return await raw.act(element, action, call);
    },
    async elementAt(application, x, y, call) {
      await judge.application(application, call);
      return await raw.elementAt(application, x, y, call);
    },
    async typeText(text, call) {
      await judge.focused(call);
      await raw.typeText(text, call);
    },
    async pressKeys(keys, call) {
      await judge.focused(call);
      await raw.pressKeys(keys, call);
    },
    async pointer(gesture, call) {
      for (const { x, y } of pointsOf(gesture)) await judge.place(x, y, call);
      await raw.pointer(gesture, call);
    },
    releaseInput: (call) => raw.releaseInput(call),
    screenshot: (area, call) => policy.restricts ? judge.picture(area, call) : raw.screenshot(area, call),
    windows: async (call) => policy.restricts ? await judge.windows(call) : await raw.windows(call),
    async window(id, action, call) {
      await judge.window(id, call);
      await raw.window(id, action, call);
    },
    async readClipboard(call) {
      await judge.clipboard(call);
      const text = await raw.readClipboard(call);
      await judge.clipboard(call);
      return text;
    },
    async writeClipboard(text, call) {
      judge.clipboardMode();
      await raw.writeClipboard(text, call);
    },
    ...(whole
      ? {
        wholeClipboard: {
          async keep(limits, call) {
            await judge.clipboard(call);
            const content = await whole.keep(limits, call);
            await judge.clipboard(call);
            return content;
          },
          async restore(items, call) {
            judge.clipboardMode();
            await whole.restore(items, call);
          },
        },
      }
      : {}),
    watch: (application) => judge.watch(raw.watch(application)),
    ...(raw.watchInput ? { watchInput: (call?: Call) => watchInput(raw, call) } : {}),
    ...(raw.recordInput
      ? { recordInput: async (call?: Call) => judge.recording(await recordInput(raw, call)) }
      : {}),
    ...(raw.idle ? { idle: raw.idle.bind(raw) } : {}),
    ...(raw.stalledBy ? { stalledBy: raw.stalledBy.bind(raw) } : {}),
    close: () => raw.close(),
  };
}

function pointsOf(gesture: Gesture): readonly { readonly x: number; readonly y: number }[] {
  const { x, y } = gesture;
  return gesture.do === "drag" ? [{ x, y }, { x: gesture.toX, y: gesture.toY }] : [{ x, y }];
}

/** Judges what is on one desktop by a policy as it stands at that moment. */
class Judge {
  readonly #raw: Desktop;
  readonly #policy: DesktopPolicy;
  readonly #identities: Identities;
  /** Applications by their bus, as last seen; blocked ones too. */
  #byBus = new Map<string, Application>();
  #last: Seen = { applications: [], windows: [] };

  constructor(raw: Desktop, policy: DesktopPolicy) {
    this.#raw = raw;
    this.#policy = policy;
    this.#identities = new Identities(raw);
  }

  async allowed(call?: Call): Promise<Application[]> {
    const seen = await this.#look(call);
    return seen.applications.filter((one) =>
      this.#reason(this.#identities.application(one, seen)) === undefined
    );
  }

  async application(application: Application, call?: Call): Promise<void> {
    if (!this.#policy.restricts) return;
    this.#refuse(this.#identities.application(application, await this.#look(call)));
  }

  /** What lies in another process than its application, as web pages do, was reached through a tree that was judged. */
  async element({ bus }: ElementRef, call?: Call): Promise<void> {
    if (!this.#policy.restricts) return;
    const seen = await this.#look(call);
    const application = this.#byBus.get(bus);
    if (application) this.#refuse(this.#identities.application(application, seen));
  }

  async focused(call?: Call): Promise<void> {
    if (!this.#policy.restricts) return;
    const seen = await this.#look(call);
    const { holders } = seen;
    const window = seen.windows.find(({ active }) => active);
    if (window) this.#refuseWindow(window, seen);
    const owner = holders && focusOwner(holders.focus, this.#identities, seen);
    if (owner) this.#refuse(owner);
    else if (!window) this.#refuse(NOBODY);
    this.#refuseGrab("keyboard", seen);
  }

  /** Nothing but the bare screen may lie there, too. */
  async place(x: number, y: number, call?: Call): Promise<void> {
    if (!this.#policy.restricts) return;
    this.#needWindows();
    const seen = await this.#look(call, [{ x, y }]);
    // Whatever lies there by the display's account, also what no list of windows has.
    for (const pid of seen.holders?.places[0] ?? []) this.#refuse(this.#identities.process(pid, seen));
    this.#refuseGrab("pointer", seen);
    for (const window of seen.windows.filter(({ minimised }) => !minimised).toReversed()) {
      // What a window manager draws around a window may or may not be there: what lies below it is judged too.
      if (contains(decorated(window), x, y)) this.#refuseWindow(window, seen);
      if (contains(window.rect, x, y)) return;
    }
  }

  async window(id: number, call?: Call): Promise<void> {
    if (!this.#policy.restricts) return;
    this.#needWindows();
    const seen = await this.#look(call);
    const window = seen.windows.find((one) => one.id === id);
    if (window) this.#refuseWindow(window, seen);
  }

  async windows(call?: Call): Promise<Window[]> {
    const seen = await this.#look(call);
    return seen.windows.filter((one) => this.#isAllowed(one, seen));
  }

  async picture(area: Area, call?: Call): Promise<Frame> {
    this.#needWindows();
    if (area.what === "window") await this.window(area.window, call);
    const before = await this.#look(call);
    const frame = await this.#raw.screenshot(area, call);
    const after = await this.#look(call);
    let dark = frame;
    for (const seen of [before, after]) {
      const own = area.what === "window" ? seen.windows.findIndex(({ id }) => id === area.window) : -1;
      // A window that is covered is pictured without what covers it.
      if (area.what === "window" && (frame.covered || own < 0)) continue;
      const rect = area.what === "window"
        ? seen.windows[own]?.rect
        : area.what === "rect"
        ? area.rect
        : undefined;
      const origin = { x: Math.max(0, rect?.x ?? 0), y: Math.max(0, rect?.y ?? 0) };
      const above = area.what === "window" ? seen.windows.slice(own + 1) : seen.windows;
      dark = blackOut(
        dark,
        origin,
        above,
        (one) => !this.#isAllowed(one, seen),
      );
    }
    return dark;
  }

  clipboardMode(): void {
    if (this.#policy.mode !== "sandboxed") return;
    throw new BackstepError("policy", "Cannot use the clipboard: the server only reads applications", {
      hint: "Ask the person who runs this server for another security mode.",
    });
  }

  async clipboard(call?: Call): Promise<void> {
    this.clipboardMode();
    if (!this.#policy.restricts) return;
    const seen = await this.#look(call);
    const owner = seen.holders && clipboardOwner(seen.holders.clipboard, this.#identities, seen);
    if (owner) this.#refuse(owner);
  }

  /** Events of what is blocked do not arrive; texts of what is not known yet neither. */
  watch(watch: Watch): Watch {
    return {
      next: async (call) => {
        if (this.#policy.restricts) await this.#look(call);
        return await watch.next(call);
      },
      take: () =>
        this.#policy.restricts ? watch.take().flatMap((event) => this.#reported(event)) : watch.take(),
      close: () => watch.close(),
    };
  }

  /** What a person does to what is blocked is not told. */
  recording(recording: InputRecording): InputRecording {
    return guardRecording(recording, async (event, call) => {
      if (!this.#policy.restricts) return true;
      try {
        if ("x" in event) await this.place(event.x, event.y, call);
        else await this.focused(call);
        return true;
      } catch (thrown) {
        if (thrown instanceof BackstepError && thrown.code === "policy") return false;
        throw thrown;
      }
    });
  }

  #reported(event: DesktopEvent): DesktopEvent[] {
    const application = this.#byBus.get(event.bus);
    if (!application) return [{ ...event, text: "" }];
    return this.#reason(this.#identities.application(application, this.#last)) === undefined ? [event] : [];
  }

  async #look(call?: Call, places?: readonly { readonly x: number; readonly y: number }[]): Promise<Seen> {
    this.#last = await this.#identities.now(call, places);
    this.#byBus = new Map(this.#last.applications.map((one) => [one.bus, one]));
    return this.#last;
  }

  /** Where windows are not told, nothing tells whose a place or a picture is: then it is nobody's to touch or see. */
  #needWindows(): void {
    if (!this.#raw.capabilities.windows) this.#refuse(NOBODY);
  }

  #isAllowed(window: Window, seen: Seen): boolean {
    return this.#identities.window(window, seen).every((one) => this.#reason(one) === undefined);
  }

  #refuseWindow(window: Window, seen: Seen): void {
    for (const identity of this.#identities.window(window, seen)) this.#refuse(identity);
  }

  /** Who has grabbed keyboard or pointer gets what is sent, wherever the focus is and whatever lies there. */
  #refuseGrab(device: "keyboard" | "pointer", seen: Seen): void {
    const { holders } = seen;
    if (!holders?.grabbed[device]) return;
    const blocked = (one: AppIdentity) => this.#reason(one);
    if (mayHaveGrabbed(device, holders.clients, this.#identities, seen, blocked)) throw grabbed(device);
  }

  #reason(identity: AppIdentity): string | undefined {
    return this.#policy.blocked(identity);
  }

  #refuse(identity: AppIdentity): void {
    const reason = this.#reason(identity);
    if (reason !== undefined) throw appBlocked(identity.name, reason);
  }
}
