import { BackstepError } from "../../../src/base/error.ts";
import type { Participant } from "../../../src/contract/participant.ts";
import type { Operation, Resolved } from "../../../src/contract/operation.ts";
import type { Fault, Interference } from "../../../src/desktop/simulated/faults.ts";
import type { Story } from "../story.ts";

/**
 * What goes wrong on both desktops alike: at the n-th action of a run, or the n-th thing that is restored, counted from 1.
 * Calls to a desktop cannot be counted alike: a text is set by one call in GTK 3 and typed with five in Chromium.
 */
export interface Accident {
  readonly at: "action" | "rollback";
  readonly n: number;
  readonly what:
    /** Nothing comes back in time, before it was done or after. */
    | { readonly do: "timeout"; readonly landed: boolean; readonly outcome: "unknown" | "not_sent" }
    | { readonly do: "refuse" }
    /** All is accepted, and nothing is done. */
    | { readonly do: "no effect" }
    | { readonly do: "die"; readonly after: boolean }
    | { readonly do: "interfere"; readonly key: string; readonly set: Interference; readonly after: boolean }
    | { readonly do: "interrupt"; readonly hard: boolean };
}

/** Actions among which what strikes a call is laid. */
const ACTIONS = 8;
/** Things that are restored among which it is. */
const BACK = 4;

/**
 * The accidents of a story: its faults at actions, where they can be had of a real application too. Left out, of both
 * desktops, is what depends on how fast an application is or answers (hang, slow, delay, partial), what it would have to
 * tell otherwise than it is (lie, recycle) and lost events, which only a simulated desktop can lose.
 */
export function accidentsOf({ faults, interrupt }: Story): Accident[] {
  const accidents = faults.flatMap((fault): Accident[] => {
    const what = whatOf(fault);
    if (what === undefined) return [];
    const { at = 1 } = ("when" in fault ? fault.when : undefined) ?? {};
    // What comes late in a story comes on its rollback as often as not.
    return [
      at > 12 && at % 2 === 0
        ? { at: "rollback", n: 1 + at % BACK, what }
        : { at: "action", n: 1 + (at - 1) % ACTIONS, what },
    ];
  });
  if (interrupt) {
    accidents.push({ at: "action", n: 1 + interrupt.at % ACTIONS, what: { do: "interrupt", hard: false } });
    if (interrupt.hardAfter !== undefined) {
      accidents.push({
        at: "rollback",
        n: 1 + interrupt.hardAfter % BACK,
        what: { do: "interrupt", hard: true },
      });
    }
  }
  return accidents;
}

function whatOf(fault: Fault): Accident["what"] | undefined {
  switch (fault.fault) {
    case "timeout":
      return {
        do: "timeout",
        landed: fault.landed,
        outcome: fault.landed ? "unknown" : fault.outcome ?? "unknown",
      };
    case "refuse":
      return { do: "refuse" };
    case "no_effect":
      return { do: "no effect" };
    case "die":
      return { do: "die", after: fault.landed ?? false };
    case "interfere":
      return { do: "interfere", key: fault.element, set: fault.set, after: fault.after ?? false };
    default:
      return undefined;
  }
}

/** Who can make an accident happen. */
export interface Troubles {
  person(key: string, set: Interference): void;
  die(): Promise<void>;
  interrupt(hard: boolean): void;
  /** From now on actions are accepted and not done; or done again. */
  mute(muted: boolean): void;
}

/** What no application answers for. */
const OWN: ReadonlySet<string> = new Set(["clipboard", "files", "process", "window"]);

/** AtspiRole of password fields. */
const PASSWORD = 40;

/**
 * Is it about a password field? What stands there is read by nobody, so that nothing done to it is as good as done, and that
 * is all that can be said: but a page of Chromium, into which it is typed, tells how many characters it has.
 */
function isAboutPassword({ elements }: Resolved): boolean {
  return elements.some(({ element }) => element.fingerprint.role === PASSWORD);
}

/** Operations to which accidents happen, as they do to what they protect. */
export function accidentProne(
  operations: Iterable<Operation>,
  accidents: readonly Accident[],
  troubles: Troubles,
  copied = false,
): Operation[] {
  const counts = { action: 0, rollback: 0 };
  const around = async <R>(at: Accident["at"], action: () => Promise<R>, unread = false): Promise<R> => {
    const n = ++counts[at];
    const own = accidents.filter((one) => one.at === at && one.n === n).map(({ what }) => what);
    return await happen(own.filter((what) => !(unread && what.do === "no effect")), action, troubles);
  };
  // Where the focus is before an action, and whether it is restored, is each toolkit's own affair.
  const guarded = (participant: Participant): Participant =>
    participant.kind === "focus" ? participant : {
      ...participant,
      ...(copied && !OWN.has(participant.kind) ? { copied: true as const } : {}),
      restore: (...args) => around("rollback", () => participant.restore(...args)),
    };
  return [...operations].map((operation) => ({
    ...operation,
    parse(input) {
      const prepared = operation.parse(input);
      return {
        ...prepared,
        async resolve(context): Promise<Resolved> {
          const resolved = await prepared.resolve(context);
          return {
            ...resolved,
            participants: resolved.participants.map(guarded),
            act: (c) =>
              resolved.effect === "read"
                ? resolved.act(c)
                : around("action", () => resolved.act(c), isAboutPassword(resolved)),
          };
        },
      };
    },
  }));
}

async function happen<R>(
  accidents: readonly Accident["what"][],
  action: () => Promise<R>,
  troubles: Troubles,
): Promise<R> {
  const [first, ...rest] = accidents;
  if (first === undefined) return await action();
  const inner = () => happen(rest, action, troubles);
  switch (first.do) {
    case "timeout": {
      if (first.landed) await inner();
      const details = { outcome: first.outcome, timeout: 0 };
      throw new BackstepError("timeout", "Cannot do it: no answer", { details });
    }
    case "refuse":
      throw new BackstepError("refused", "Cannot do it: the application refused it");
    case "no effect":
      troubles.mute(true);
      try {
        return await inner();
      } finally {
        troubles.mute(false);
      }
    case "die":
      if (first.after) await inner();
      await troubles.die();
      throw new BackstepError("app_gone", "Cannot do it: the application died");
    case "interfere": {
      if (!first.after) troubles.person(first.key, first.set);
      const answer = await inner();
      if (first.after) troubles.person(first.key, first.set);
      return answer;
    }
    case "interrupt":
      troubles.interrupt(first.hard);
      return await inner();
  }
}
