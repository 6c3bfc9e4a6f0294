import type { RunningApplication, Widget } from "./widget.ts";
import { type Call, cancelled } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Action } from "../desktop.ts";
import type { Doing } from "./doing.ts";
import { type CallFault, isAction } from "./faults.ts";
import { disguise, interfere, partOf, tellerOf, truthOf, wantedOf } from "./pretend.ts";
import type { World } from "./world.ts";

/** How long a call waits that sets no timeout of its own, in milliseconds. */
export const DEFAULT_TIMEOUT = 1_000;

type Fault<K extends CallFault["fault"]> = CallFault & { readonly fault: K };
type Perform = <T>(doing: Doing<T>, action?: Action) => T;

interface Hang {
  readonly forgets: boolean;
  readonly waiting: (() => void)[];
}

/** What becomes of a call that faults strike: first what happens around it, then what happens to it. */
export class FaultInjection {
  readonly #world: World;
  readonly #perform: Perform;
  readonly #hung = new Map<RunningApplication, Hang>();

  constructor(world: World, perform: Perform) {
    this.#world = world;
    this.#perform = perform;
  }

  /** Has this call to wait for an application that hangs? */
  holds<T>(doing: Doing<T>): boolean {
    return doing.app !== undefined && !doing.aside && this.#hung.has(doing.app);
  }

  async suffer<T>(doing: Doing<T>, call: Call | undefined, faults: readonly CallFault[]): Promise<T> {
    for (const fault of faults) this.#around(doing, fault);
    for (const fault of faults) if (fault.fault === "slow") await this.#slow(doing, call, fault.ms);
    if (this.holds(doing)) return await this.#hang(doing, call);
    const answer = await this.#itself(doing, call, faults);
    for (const fault of faults) {
      if (fault.fault === "interfere" && fault.after) this.#interfere(doing, fault);
      else if (fault.fault === "touch" && fault.after) this.#world.people.touch(fault.input, fault.ms);
    }
    return answer;
  }

  /** What happens to the world just before the call. */
  #around<T>(doing: Doing<T>, fault: CallFault): void {
    if (fault.fault === "interfere" && !fault.after) this.#interfere(doing, fault);
    else if (fault.fault === "touch" && !fault.after) this.#world.people.touch(fault.input, fault.ms);
    else if (fault.fault === "recycle") this.#recycle(doing, fault);
    else if (fault.fault === "reissue") {
      const from = this.#widget(doing, fault.app, fault.element);
      const to = from?.app.get(fault.to);
      if (from && to) this.#simulated("reissue", from, () => from.app.takePath(from, to));
    } else if (fault.fault === "replace") {
      const widget = this.#widget(doing, fault.app, fault.element);
      if (widget) {
        this.#simulated("replace", widget, () => widget.app.replace(widget, fault.by ?? 1, fault.as));
      }
    } else if (fault.fault === "hang" && doing.app && !this.#hung.has(doing.app)) {
      this.#begin(doing.app, fault);
    }
  }

  async #itself<T>(doing: Doing<T>, call: Call | undefined, faults: readonly CallFault[]): Promise<T> {
    for (const fault of faults) {
      switch (fault.fault) {
        case "die":
          return this.#die(doing, fault.landed ?? false);
        case "refuse":
          if (fault.landed) this.#perform(doing, doing.action);
          else doing.check?.();
          throw new BackstepError("refused", `Cannot ${doing.what}: the application refused it`);
        case "fail":
          throw new BackstepError(fault.code, fault.message ?? `Cannot ${doing.what}: ${fault.code}`);
        case "timeout":
          if (fault.landed) this.#perform(doing, doing.action);
          else doing.check?.();
          if (fault.waits) await this.#world.clock.sleep(call?.timeout ?? DEFAULT_TIMEOUT, call?.signal);
          throw timedOut(doing.what, call, fault.outcome ?? "unknown");
        case "no_effect":
          doing.check?.();
          if (isAccepted(doing)) return doing.accepted;
          break;
        case "partial":
          return this.#perform(doing, doing.action && partOf(doing.action, fault.characters));
        case "delay": {
          doing.check?.();
          if (!isAccepted(doing)) break;
          this.#world.schedule.add(fault, () => this.#late(doing));
          return doing.accepted;
        }
        case "lie":
          return this.#lie(doing, fault);
        default:
          break;
      }
    }
    return this.#perform(doing, doing.action);
  }

  #lie<T>(doing: Doing<T>, fault: Fault<"lie">): T {
    const { answer, reads } = fault;
    const target = fault.element === undefined ? doing.widget : this.#widget(doing, fault.app, fault.element);
    const teller = target && tellerOf(target);
    if (answer === "wanted" && target && teller && doing.action && isAccepted(doing)) {
      doing.check?.();
      const { action } = doing;
      const chosen = teller !== target && action.do === "action" ? { chosen: [target.choice()] } : undefined;
      disguise(teller, chosen ?? wantedOf(target, action), reads);
      return doing.accepted;
    }
    const before = teller && truthOf(teller);
    const done = this.#perform(doing, doing.action);
    if (teller && before && answer === "old") disguise(teller, before, reads);
    else if (teller && typeof answer === "object") disguise(teller, answer, reads);
    return done;
  }

  #die<T>(doing: Doing<T>, landed: boolean): never {
    const { app } = doing;
    if (landed) this.#perform(doing, doing.action);
    if (app) this.#world.log.during({ by: "simulator", did: "die", app: app.id }, () => app.exit());
    throw new BackstepError("app_gone", `Cannot ${doing.what}: the application died`, {
      hint: "Launch it again.",
      details: { application: app?.id ?? "" },
    });
  }

  /** Waits as long as the application takes; one that gives up before lands all the same. */
  async #slow<T>(doing: Doing<T>, call: Call | undefined, ms: number): Promise<void> {
    const timeout = call?.timeout ?? DEFAULT_TIMEOUT;
    if (ms < timeout) return await this.#world.clock.sleep(ms, call?.signal);
    if (isAction(doing.call)) this.#world.schedule.add({ ms }, () => this.#late(doing));
    await this.#world.clock.sleep(timeout, call?.signal);
    throw timedOut(doing.what, call, "unknown");
  }

  #begin(app: RunningApplication, fault: Fault<"hang">): void {
    const hang: Hang = { forgets: fault.forgets ?? false, waiting: [] };
    this.#hung.set(app, hang);
    if (fault.calls === undefined && fault.ms === undefined) return;
    this.#world.schedule.add(fault, () => {
      this.#hung.delete(app);
      for (const run of hang.waiting) run();
    });
  }

  /** A call to a hung application waits for it, and gives up at its deadline. */
  async #hang<T>(doing: Doing<T>, call: Call | undefined): Promise<T> {
    const hang = doing.app && this.#hung.get(doing.app);
    let abandoned = true;
    if (hang && isAction(doing.call) && !hang.forgets) {
      hang.waiting.push(() => {
        if (abandoned) this.#late(doing);
      });
    }
    if (doing.queued && isAccepted(doing)) return doing.accepted;
    abandoned = false;
    try {
      if (await this.#recovers(doing, call)) return this.#perform(doing, doing.action);
    } finally {
      abandoned = true;
    }
    throw timedOut(doing.what, call, "unknown");
  }

  async #recovers<T>(doing: Doing<T>, call: Call | undefined): Promise<boolean> {
    const { clock, schedule } = this.#world;
    const end = clock.now() + (call?.timeout ?? DEFAULT_TIMEOUT);
    for (;;) {
      schedule.run();
      if (!this.holds(doing)) return true;
      const left = end - clock.now();
      if (left <= 0) return false;
      if (call?.signal?.aborted) throw cancelled(doing.what, call.signal.reason);
      await clock.sleep(Math.min(left, schedule.next() ?? left), call?.signal);
    }
  }

  /** An action that comes to pass when nobody waits for it any more. */
  #late<T>(doing: Doing<T>): void {
    const { app } = doing;
    if (app && !this.#world.running.includes(app)) return;
    const happening = {
      by: "simulator" as const,
      did: `late ${doing.call}`,
      app: app?.id ?? "",
      element: doing.widget?.key ?? "",
    };
    this.#world.log.during(happening, () => {
      try {
        doing.perform(doing.action);
      } catch (error) {
        // Nobody is there to be told; the log shows an entry without changes. Only our own mistakes go on.
        if (!(error instanceof BackstepError) || error.code === "internal") throw error;
      }
    });
  }

  #interfere<T>(doing: Doing<T>, fault: Fault<"interfere">): void {
    const widget = this.#widget(doing, fault.app, fault.element);
    if (!widget) return;
    const happening = { by: "person" as const, did: "interfere", app: widget.app.id, element: widget.key };
    this.#world.log.during(happening, () => interfere(widget, fault.set));
  }

  #recycle<T>(doing: Doing<T>, fault: Fault<"recycle">): void {
    const widget = this.#widget(doing, fault.app, fault.element);
    if (!widget) return;
    this.#simulated("recycle", widget, () => {
      const { name = widget.name, id = widget.id } = fault.as;
      widget.app.changed(widget, "identity", { name: widget.name, id: widget.id }, { name, id });
      widget.name = name;
      widget.id = id;
      if (!fault.announced) return;
      widget.app.nextGeneration();
      widget.since = widget.app.generation;
      widget.app.tell(widget, "object:property-change:accessible-name", 0, name);
    });
  }

  #simulated(did: string, widget: Widget, act: () => void): void {
    this.#world.log.during({ by: "simulator", did, app: widget.app.id, element: widget.key }, act);
  }

  /** The widget of a fault. That it is not there is written to the log: a misspelt key would go unseen. */
  #widget<T>(doing: Doing<T>, app: string | undefined, key: string): Widget | undefined {
    const apps = app === undefined && doing.app
      ? [doing.app]
      : this.#world.running.filter((one) => app === undefined || one.id === app);
    const widget = apps.map((one) => one.get(key)).find((one) => one !== undefined);
    if (!widget) this.#world.log.add({ by: "simulator", did: "fault missed", app: app ?? "", element: key });
    return widget;
  }
}

/** Has the call an answer for "accepted, and not done"? All actions have. */
function isAccepted<T>(doing: Doing<T>): doing is Doing<T> & { readonly accepted: T } {
  return "accepted" in doing;
}

/** "the deadline passed". */
export function timedOut(
  what: string,
  call: Call | undefined,
  outcome: "unknown" | "not_sent",
): BackstepError {
  const timeout = call?.timeout ?? DEFAULT_TIMEOUT;
  return new BackstepError("timeout", `Cannot ${what}: no answer within ${timeout} ms`, {
    hint: outcome === "unknown"
      ? "It may have happened: read back before trying again."
      : "Nothing was sent.",
    details: { outcome, timeout },
  });
}
