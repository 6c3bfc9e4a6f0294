import type { WholeClipboard } from "../../src/desktop/whole-clipboard.ts";
import type { Desktop, ElementRef, ReadCall, Reading } from "../../src/desktop/desktop.ts";
import { instead } from "../../src/desktop/_instead.ts";
import { RecentReadings } from "../../src/desktop/recent-readings.ts";
import type { Fault } from "../../src/desktop/simulated/faults.ts";
import { InMemoryDesktop } from "../../src/desktop/simulated/in-memory.ts";
import type { OwnDescription } from "../../src/desktop/simulated/application.ts";
import { ASPECTS, FORM, form, OTHER, other } from "./form.ts";

/** What is true of everything that can be protected, as JSON text by key: "alpha", "clipboard", "process". */
export type Truth = ReadonlyMap<string, string>;

/** A simulated desktop whose inside its judge may see. */
export class TrueDesktop extends InMemoryDesktop {
  constructor(faults: readonly Fault[], catalogue: readonly OwnDescription[] = [form, other]) {
    super({ catalogue, clock: "virtual" });
    for (const fault of faults) this.inject(fault);
    this.launch(FORM);
  }

  /** Milliseconds of its virtual clock. */
  now(): number {
    return this.shared.clock.now();
  }

  /** The truth now. What does not run has none. */
  truth(): Truth {
    const truth = new Map<string, string>();
    const app = this.shared.running.find(({ id }) => id === FORM);
    for (const [key, aspect] of app ? ASPECTS : []) {
      const widget = app?.get(key);
      if (!widget) continue;
      const { text, value, checked, chosen, name } = widget;
      const held = { text, value: value?.current, checked, chosen: [...chosen ?? []], name }[aspect];
      truth.set(key, JSON.stringify(held ?? null));
    }
    truth.set("clipboard", JSON.stringify(this.shared.clipboard ?? null));
    truth.set("process", JSON.stringify(this.shared.running.some(({ id }) => id === OTHER)));
    truth.set("dialog", JSON.stringify(app?.isOpen("question") ?? null));
    truth.set("popup", JSON.stringify(app?.popup !== undefined));
    return truth;
  }

  /** Where the carets are, of what shows one; and what has the keys. */
  carets(): Truth {
    const app = this.shared.running.find(({ id }) => id === FORM);
    const keys = ["alpha", "beta", "notes"];
    const carets = keys.map((key) => [key, JSON.stringify(app?.get(key)?.caret ?? null)] as const);
    return new Map([...carets, ["focus", this.shared.focused()?.key ?? ""]]);
  }

  /** Are reads of it answered with something else than the truth? */
  lies(key: string): boolean {
    const app = this.shared.running.find(({ id }) => id === FORM);
    return app?.get(key)?.mask !== undefined;
  }

  /** The form dies. */
  die(): void {
    const app = this.shared.running.find(({ id }) => id === FORM);
    if (!app) return;
    this.shared.log.during({ by: "simulator", did: "die", app: FORM }, () => app.exit());
  }

  keyOf(element: ElementRef): string | undefined {
    return this.shared.running.find(({ bus }) => bus === element.bus)?.at(element.path)?.key;
  }
}

/** Calls that may change the world. */
export const ACTIONS: ReadonlySet<PropertyKey> = new Set([
  "act",
  "typeText",
  "pressKeys",
  "pointer",
  "window",
  "writeClipboard",
]);

const CALLS: ReadonlySet<PropertyKey> = new Set([
  ...ACTIONS,
  "applications",
  "snapshot",
  "read",
  "elementAt",
  "windows",
  "readClipboard",
  "releaseInput",
]);

/** Somebody who hears of each call before it is made. */
export interface Listens {
  before(call: string, args: readonly unknown[]): void;
  /** Is it to be said to be accepted, and not done? Default: never. */
  swallows?(call: string): boolean;
}

/** What is put on the clipboard in all its types is heard of as the text among them. */
function heard(whole: WholeClipboard | undefined, listens: Listens): WholeClipboard | undefined {
  return whole && {
    keep: (limits, call) => whole.keep(limits, call),
    async restore(items, call) {
      const text = items.find(({ target }) => target === "UTF8_STRING");
      listens.before("writeClipboard", [text && new TextDecoder().decode(text.bytes), call]);
      if (listens.swallows?.("writeClipboard") !== true) await whole.restore(items, call);
    },
  };
}

/** The same desktop, with somebody who hears of each call. */
export function overheard<D extends Desktop>(desktop: D, listens: Listens): D {
  return new Proxy<D>(desktop, {
    get(target, property) {
      if (property === "wholeClipboard") return heard(target.wholeClipboard, listens);
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (!CALLS.has(property)) return Reflect.apply(value, target, args);
        const call = String(property);
        listens.before(call, args);
        return listens.swallows?.(call) ? Promise.resolve() : Reflect.apply(value, target, args);
      };
    },
  });
}

/**
 * The same desktop, where a reading of a moment ago does for who asks for a recent one, as on real ones: what verified an action is
 * what is kept of what it left, also where a person changes it right after.
 */
export function sharing<D extends Desktop>(desktop: D): D {
  const readings = new RecentReadings();
  const heard = overheard(desktop, {
    before(call) {
      if (ACTIONS.has(call)) readings.sent();
    },
  });
  const read = async (element: ElementRef, call: ReadCall = {}): Promise<Reading> => {
    const recent = call.recent ? readings.of(element) : undefined;
    if (recent !== undefined) return recent;
    const begun = readings.begin();
    const reading = await desktop.read(element, call);
    readings.keep(element, reading, begun);
    return reading;
  };
  return instead(heard, { read });
}
