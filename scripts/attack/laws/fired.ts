import type { Fired } from "../account.ts";
import type { Played } from "../play.ts";
import { type Falsehood, triedOf } from "./facts.ts";

/** Milliseconds after its call in which a handler may still fire: toolkits press a button as a finger would. */
const LATER = 1_500;

/** Handlers that do something; that a key came down or a row was moved is none. */
const ACTS: ReadonlySet<string> = new Set([
  "activate",
  "submit",
  "focus-out",
  "clicked",
  "accelerator",
  "row-activated",
]);

/** Verdicts of runs that say that nothing happened beside what they say. */
const QUIET: ReadonlySet<string> = new Set(["restored", "none"]);

/** A handler that fired was called by a step whose method or effect admits it, or the verdict names it. */
export function fired(play: Played): Falsehood[] {
  const { result, account } = play;
  if (!result || !QUIET.has(result.rollback.verdict)) return [];
  const admitted = admissions(play);
  return account.fired.flatMap((one): Falsehood[] => {
    if (!ACTS.has(one.event)) return [];
    if (admitted.some((admits) => admits.from <= one.at && one.at <= admits.to + LATER && admits.test(one))) {
      return [];
    }
    return [{
      law: "fired",
      why:
        `${one.event} of ${one.of} fired, which nothing that was done admits, and the run ended ${result.status} ${result.rollback.verdict}`,
    }];
  });
}

interface Admission {
  readonly from: number;
  readonly to: number;
  test(fired: Fired): boolean;
}

/** What each step, and each thing that was restored, may set off: by its verb, and by the methods that it names. */
function admissions(play: Played): Admission[] {
  const { reported } = play;
  const steps = triedOf(play).map(({ step, plan, from, to }): Admission => {
    const words = JSON.stringify(plan ?? {});
    const said = JSON.stringify(step);
    return {
      from: from - 20,
      to,
      test: (one) => byVerb(one, words, play) || byName(one, step.name) || byMethod(one, said),
    };
  });
  const backs = reported.flatMap(({ event, at }, index): Admission[] => {
    if (event.event !== "rollback-step") return [];
    const before = reported[index - 1]?.at ?? at;
    const said = JSON.stringify(event.step);
    // An `undo:` is a step of its own, and was one above.
    return [{ from: before - 20, to: at, test: (one) => byMethod(one, said) }];
  });
  // What is restored at last (the focus) is told when it is over; what was tried again has no step of its own.
  return [...steps, ...backs];
}

/** What the plan says is to be done. */
function byVerb({ event, of }: Fired, words: string, play: Played): boolean {
  if (words.includes('"press"')) return true;
  if (event === "clicked") {
    const name = `button[name=\\"${of.charAt(0).toUpperCase()}${of.slice(1)}\\"]`;
    return words.includes(name) || (of === "send" && words.includes('"submit"'));
  }
  if (event === "row-activated") return words.includes(`"click":"listitem[name=\\"${of}\\"]"`);
  // Whoever clicks elsewhere, types or focuses takes the focus from where it was.
  if (event === "focus-out") return /"(click|type|focus)"/.test(words) || popped(play);
  return false;
}

/** A step that the plan does not hold under this path: one of an `undo:`. */
function byName({ event, of }: Fired, name: string): boolean {
  const button = `button "${of.charAt(0).toUpperCase()}${of.slice(1)}"`;
  return event === "clicked" && name.startsWith("click ") && name.includes(button);
}

/** What the result says was done. */
function byMethod({ event, of }: Fired, said: string): boolean {
  const words = said.toLowerCase();
  switch (event) {
    case "accelerator":
      return words.includes(of.toLowerCase()) || / keys/.test(words);
    case "focus-out":
      return /focus| keys|click\b|ctrl\+/.test(words);
    case "row-activated":
      return /click\b/.test(words);
    default:
      return false;
  }
}

/** A dialog takes the focus as well. */
function popped({ account }: Played): boolean {
  return account.fired.some(({ event }) =>
    event === "dialog" || event === "recreated" || event === "reordered"
  );
}
