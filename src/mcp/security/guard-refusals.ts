import { BackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { Hit } from "../../policy/judgement/hit.ts";

/** An act that does not happen, as it is written down and as it is told. */
export class Refused extends Error {
  readonly result: string;
  readonly flags: readonly string[];
  readonly failure: BackstepError;

  constructor(result: string, flags: readonly string[], failure: BackstepError) {
    super(result);
    this.result = result;
    this.flags = flags;
    this.failure = failure;
  }
}

/** "click 'Delete'", for errors. */
export function doingOf({ doing, name }: Hit): string {
  return name === "" ? doing : `${doing} '${name.slice(0, 200)}'`;
}

/** The server only looks. */
export function sandboxed(operation: string): Refused {
  return new Refused(
    "blocked",
    ["sandboxed"],
    new BackstepError("policy", `Cannot ${operation}: the server only reads applications`, {
      hint: "Ask the person who runs this server for another security mode.",
    }),
  );
}

export function scriptBlocked(): Refused {
  return new Refused(
    "blocked",
    ["script"],
    new BackstepError("policy", "Scripts are blocked in safe mode", {
      hint: "Use other tools: they are judged one by one.",
    }),
  );
}

/** Nobody can be asked. */
export function needsWord(hit: Hit): Refused {
  const { word, name, app } = hit;
  return new Refused(
    "confirmation_impossible",
    [],
    new BackstepError(
      "policy",
      `Cannot ${doingOf(hit)}: a person has to confirm it, and the client cannot ask`,
      {
        hint: "Use a client that supports elicitation, or let the person do it.",
        details: {
          ...defined({ word }),
          element: name.slice(0, 200),
          app: app.slice(0, 80),
          confirmation: true,
        },
      },
    ),
  );
}

export function refusedByPerson(doing: string, said: "declined" | "cancelled"): BackstepError {
  return new BackstepError(
    "policy",
    `Cannot ${doing}: the person ${said === "declined" ? "said no" : "did not say yes"}`,
    {
      hint: "Ask the person what to do instead. Do not try another way to the same result.",
      details: { confirmation: true, answer: said },
    },
  );
}

/** A person has said no to it a while ago, whatever way leads there now. */
export function saidNo(hit: Hit): Refused {
  return new Refused("declined_before", [], refusedByPerson(doingOf(hit), "declined"));
}

/** It is not what was agreed to. `sent`: it was seen when the act was about to be sent. */
export function changed(hit: Hit, sent = false): Refused {
  const failure = sent
    ? new BackstepError(
      "policy",
      `Cannot ${doingOf(hit)}: it is what would be hit now, and nobody has agreed to that`,
      {
        hint:
          "Look again, then call it by itself, one key or one element a call: a person can be asked for it then.",
        details: { confirmation: true, outcome: "not_sent" },
      },
    )
    : new BackstepError("stale", `Cannot ${doingOf(hit)}: it is something else by now`, {
      hint: "Find out where it is, and then use it as an element: ax_click finds it wherever it has moved.",
      details: { confirmation: true },
    });
  return new Refused("changed_meanwhile", [], failure);
}
