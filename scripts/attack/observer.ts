import { BackstepError } from "../../src/base/error.ts";
import type { Desktop } from "../../src/desktop/desktop.ts";
import { ACTIONS } from "../histories/watched.ts";

/** A call that the engine made to the desktop. */
export interface Call {
  readonly call: string;
  readonly from: number;
  /** When it was answered. */
  to: number;
  /** The name of the element that was read, or the keys that were pressed. */
  about: string;
}

/** A desktop that writes down each call; the action number `deny`, from 1, is done and then said to be refused. */
export function observed<D extends Desktop>(desktop: D, calls: Call[], deny: number | undefined): D {
  let actions = 0;
  return new Proxy<D>(desktop, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== "function") return value;
      const name = String(property);
      if (name !== "read" && name !== "snapshot" && !ACTIONS.has(name)) return value.bind(target);
      return async (...args: unknown[]) => {
        const call: Call = { call: name, from: performance.now(), to: Infinity, about: keysIn(args) };
        calls.push(call);
        const denied = name === "act" && ++actions === deny;
        try {
          const answer: unknown = await Reflect.apply(value, target, args);
          call.about ||= nameIn(answer);
          if (denied) throw new BackstepError("refused", "Cannot do it: the application refused it");
          return answer;
        } finally {
          call.to = performance.now();
        }
      };
    },
  });
}

function keysIn([first]: readonly unknown[]): string {
  return Array.isArray(first) ? first.join("+") : "";
}

function nameIn(answer: unknown): string {
  return typeof answer === "object" && answer !== null && "name" in answer && typeof answer.name === "string"
    ? answer.name
    : "";
}
