import { BackstepError } from "../../../base/error.ts";
import { ACT_SCOPE, type Authority, type Principal, scopeFault } from "./authority.ts";

/** Rejects with `policy` where whoever made a call may not act any more. */
export type Standing = () => Promise<void>;

/** Beside what the SDK tells of who calls: nobody else reads it, and it holds no token to be read. */
const standings = new WeakMap<object, Standing>();

/**
 * Judges the token of a call once more, at the moment: it may have expired, its key may have been withdrawn. Where that
 * cannot be told, it does not stand.
 */
export function standingOf(authority: Authority, token: string | undefined, principal: Principal): Standing {
  return async () => {
    const now = await authority.judge(token);
    const fault = "status" in now
      ? now.message
      : now.subject !== principal.subject
      ? "The token is somebody else's by now"
      : scopeFault(now, ACT_SCOPE)?.message;
    if (fault === undefined) return;
    throw new BackstepError("policy", `Cannot go on: the call's token holds no longer. ${fault}`, {
      hint: "Get a new token, check what was done, and call again.",
      details: { token: true },
    });
  };
}

/** Notes how the caller stands with what the SDK tells of them. */
export function withStanding<T extends object>(info: T, standing: Standing | undefined): T {
  if (standing !== undefined) standings.set(info, standing);
  return info;
}

/** What was noted; undefined: nobody is asked for a token. */
export function standingIn(info: object | undefined): Standing | undefined {
  return info === undefined ? undefined : standings.get(info);
}
