import { z } from "zod";
import { defined } from "../base/defined.ts";
import { nameOrProcess } from "../desktop/called.ts";
import type { Done } from "../desktop/actions/attempts.ts";
import { labelOf } from "../participants/element.ts";
import type { Match } from "./target.ts";

const Tried = z.strictObject({
  method: z.string(),
  code: z.string(),
  reason: z.string(),
});

const parts = {
  method: z.string().describe(
    'The method that ran, such as "Action.DoAction(click)"; "none": nothing was necessary.',
  ),
  verified: z.boolean().describe(
    "true: the effect was read back; false: the platform accepted the action, and nothing more is known.",
  ),
  tried: z.array(Tried).optional().describe("Methods that were tried before, and why they did not work."),
  warning: z.string().optional().describe("A possible consequence, and what to do about it."),
};

/** What doing something answers when there need be no target. */
export const Outcome = z.strictObject({
  target: z.string().optional().describe('The target: button "Save".'),
  app: z.string().optional().describe("The application's name."),
  ...parts,
});
export type Outcome = z.infer<typeof Outcome>;

/** The result of an action, with what it was done to. */
export function outcomeOf(found: Match | undefined, done: Done): Outcome {
  return {
    ...(found === undefined ? {} : { target: labelOf(found), app: nameOrProcess(found.application) }),
    method: done.method,
    verified: done.verified,
    ...(done.tried.length === 0 ? {} : { tried: done.tried.map((t) => ({ ...t })) }),
    ...defined({ warning: done.warning }),
  };
}

/** `button "Save" of gedit`, for plans and reports. */
export function subjectOf(found: Match | undefined): string | undefined {
  return found === undefined ? undefined : `${labelOf(found)} of ${nameOrProcess(found.application)}`;
}

/** An outcome as one line for people. */
export function outcomeText(verb: string, { target, app, method, verified, warning }: Outcome): string {
  const what = target === undefined ? verb : `${verb} ${target}${app === undefined ? "" : ` of ${app}`}`;
  const done = `${what} (${method}${verified ? "" : ", not read back"})`;
  return warning === undefined ? done : `${done}: ${warning}`;
}
