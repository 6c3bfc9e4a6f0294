import type { RunningApplication, Widget } from "./widget.ts";
import type { Action, DesktopEvent } from "../desktop.ts";
import { lengthOf } from "./characters.ts";
import { replaceText, setName, setValue } from "./changes.ts";
import {
  type CallFault,
  type CallName,
  type Fault,
  isAction,
  strikesActionsOnly,
  type When,
} from "./faults.ts";
import type { World } from "./world.ts";

/** What a call is about, as far as faults care. */
export interface Site {
  readonly call: CallName;
  readonly app?: RunningApplication | undefined;
  readonly widget?: Widget | undefined;
  readonly action?: Action | undefined;
}

interface Entry<F> {
  readonly fault: F;
  seen: number;
}

type LateFault = Fault & { readonly fault: "late" };
type DropFault = Fault & { readonly fault: "drop_events" };
type ChangingFault = Fault & { readonly fault: "changing" };

/** The faults of a desktop, with what they have seen so far. */
export class FaultBook {
  readonly #world: World;
  readonly #calls = new Set<Entry<CallFault>>();
  readonly #drops = new Set<Entry<DropFault>>();
  readonly #late = new Set<LateFault>();
  readonly #waiting = new Map<Widget, number>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Is there any fault that strikes calls? */
  get any(): boolean {
    return this.#calls.size > 0;
  }

  /** Lays a fault; the answer takes it away again. */
  add(fault: Fault): () => void {
    this.#world.log.add({ by: "simulator", did: "fault", detail: JSON.parse(JSON.stringify(fault)) });
    switch (fault.fault) {
      case "late": {
        this.#late.add(fault);
        for (const app of this.#world.running) {
          const widget = app.get(fault.element);
          if (widget) this.built(widget);
        }
        return () => this.#late.delete(fault);
      }
      case "drop_events": {
        const entry = { fault, seen: 0 };
        this.#drops.add(entry);
        this.#filter();
        return () => {
          this.#drops.delete(entry);
          this.#filter();
        };
      }
      case "changing":
        return this.#changing(fault);
      default: {
        const entry = { fault, seen: 0 };
        this.#calls.add(entry);
        return () => this.#calls.delete(entry);
      }
    }
  }

  /** The faults that strike this call. */
  strike(site: Site): CallFault[] {
    const struck: CallFault[] = [];
    for (const entry of this.#calls) {
      const { fault } = entry;
      if (strikesActionsOnly(fault.fault) && !isAction(site.call)) continue;
      const when: When = fault.when ?? {};
      if (!matches(when, fault.app, site)) continue;
      entry.seen++;
      const { at = 1, times = 1, chance = 1 } = when;
      const last = times === "always" ? Infinity : at + times - 1;
      if (entry.seen >= last) this.#calls.delete(entry);
      if (entry.seen < at || entry.seen > last) continue;
      if (chance < 1 && this.#world.random() >= chance) continue;
      struck.push(fault);
    }
    return struck;
  }

  /** A widget came into being: is it one that is to be late? */
  built(widget: Widget): void {
    for (const fault of this.#late) {
      if (fault.element !== widget.key || (fault.app !== undefined && fault.app !== widget.app.id)) continue;
      widget.absent = true;
      widget.app.touch();
      if (fault.reads !== undefined) this.#waiting.set(widget, fault.reads);
      if (fault.ms !== undefined) this.#world.schedule.add({ ms: fault.ms }, () => this.#appear(widget));
    }
  }

  /** An application was read: what is late comes nearer. */
  read(app: RunningApplication): void {
    if (this.#waiting.size === 0) return;
    for (const [widget, left] of [...this.#waiting]) {
      if (widget.app !== app) continue;
      if (left <= 1) this.#appear(widget);
      else this.#waiting.set(widget, left - 1);
    }
  }

  #appear(widget: Widget): void {
    this.#waiting.delete(widget);
    if (!widget.absent) return;
    widget.absent = false;
    widget.app.touch();
    const { parent } = widget;
    if (parent) widget.app.tell(parent, "object:children-changed:add", widget.index);
  }

  #filter(): void {
    this.#world.events.filter = this.#drops.size === 0 ? undefined : (event) => this.#passes(event);
  }

  #passes(event: DesktopEvent): boolean | "lost" {
    for (const entry of this.#drops) {
      const { fault } = entry;
      if (fault.kind !== undefined && !event.kind.startsWith(fault.kind)) continue;
      entry.seen++;
      const { at = 1, times = "always", fraction = 1 } = fault;
      const last = times === "always" ? Infinity : at + times - 1;
      if (entry.seen < at || entry.seen > last) continue;
      if (fraction < 1 && this.#world.random() >= fraction) continue;
      return fault.announced ? "lost" : false;
    }
    return true;
  }

  #changing(fault: ChangingFault): () => void {
    let left = fault.changes ?? Infinity;
    const step = () => {
      if (left-- <= 0) return;
      for (const app of this.#world.running) {
        const widget = fault.app === undefined || fault.app === app.id ? app.get(fault.element) : undefined;
        if (widget) {
          this.#world.log.during(
            { by: "application", did: "changing", app: app.id, element: widget.key },
            () => changeByItself(widget, fault.texts),
          );
        }
      }
      this.#world.schedule.add(fault.every, step);
    };
    this.#world.schedule.add(fault.every, step);
    return () => left = 0;
  }
}

function matches(when: When, faultApp: string | undefined, site: Site): boolean {
  const { call, app = faultApp, element, action } = when;
  if (call !== undefined && !(typeof call === "string" ? call === site.call : call.includes(site.call))) {
    return false;
  }
  if (app !== undefined && site.app?.id !== app) return false;
  if (element !== undefined && site.widget?.key !== element) return false;
  return action === undefined || site.action?.do === action;
}

function changeByItself(widget: Widget, texts: readonly string[] | undefined): void {
  const { value, name, text } = widget;
  if (texts !== undefined && texts.length > 0 && text !== undefined) {
    const next = texts[(texts.indexOf(text) + 1) % texts.length] ?? text;
    replaceText(widget, 0, lengthOf(text), next);
  } else if (texts !== undefined && texts.length > 0) {
    setName(widget, texts[(texts.indexOf(name) + 1) % texts.length] ?? name);
  } else if (value !== undefined) {
    setValue(widget, value.current + value.step > value.maximum ? value.minimum : value.current + value.step);
  } else setName(widget, tick(name));
}

/** A second later: "23:59:59" becomes "00:00:00"; anything else counts up at its end. */
function tick(name: string): string {
  const clock = /^(\d\d):(\d\d):(\d\d)$/.exec(name);
  if (clock) {
    const [hours, minutes, seconds] = clock.slice(1).map(Number);
    const all = ((hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0) + 1) % 86_400;
    return [all / 3600, (all / 60) % 60, all % 60].map((n) => String(Math.floor(n)).padStart(2, "0")).join(
      ":",
    );
  }
  const counter = /^(.*?)(\d+)$/.exec(name);
  return counter ? `${counter[1] ?? ""}${Number(counter[2]) + 1}` : `${name} 1`.trim();
}
