import { BackstepError, toBackstepError } from "../../base/error.ts";
import type { GuardSecurity } from "../../policy/policy.ts";
import { confirmRecording } from "../elicitation/record-person.ts";
import type { McpCall, RecordingGuard } from "../server/call.ts";
import { Caller } from "../server/caller.ts";
import type { AuditTrail } from "./guard-audit.ts";
import { Refused, refusedByPerson, sandboxed } from "./guard-refusals.ts";

const DOING = "record what a person does";

/** Asks a person before a recording begins, and writes down that it began, and that its steps were handed out. */
export function recordingGuard(security: GuardSecurity, trail: AuditTrail): RecordingGuard {
  return {
    async begin(call, uri) {
      const line = { tool: uri, args: {} };
      try {
        const flags = await admit(security, call);
        trail.begin(call, { ...line, flags });
        return (failed) => {
          const result = failed === undefined ? "success" : `failure: ${toBackstepError(failed).code}`;
          trail.write(call, { ...line, result, flags });
        };
      } catch (thrown) {
        if (!(thrown instanceof Refused)) throw thrown;
        trail.write(call, { ...line, result: thrown.result, flags: thrown.flags });
        throw thrown.failure;
      }
    },
    handOut(call, uri, saved) {
      trail.write(call, { tool: uri, args: {}, result: "success", flags: saved ? ["file_written"] : [] });
    },
  };
}

/** Throws where it may not be; answers what it is written down with. */
async function admit(security: GuardSecurity, call: McpCall): Promise<string[]> {
  if (security.mode === "sandboxed") throw sandboxed(DOING);
  const caller = new Caller(call);
  await caller.stands(DOING);
  const said = await confirmRecording(call);
  // A person thinks for minutes: the mode and the token may be others by now.
  if (sandboxedNow(security)) throw sandboxed(DOING);
  await caller.stands(DOING);
  if (said === "accepted") return [];
  if (said !== "unable") throw new Refused(`elicitation_${said}`, [], refusedByPerson(DOING, said));
  if (!security.recordUnasked) throw needsAsking();
  call.log("warning", "axterminator.security", { event: "recording_not_confirmed" });
  return ["not_confirmed"];
}

function sandboxedNow({ mode }: GuardSecurity): boolean {
  return mode === "sandboxed";
}

function needsAsking(): Refused {
  return new Refused(
    "confirmation_impossible",
    [],
    new BackstepError("policy", `Cannot ${DOING}: a person has to confirm it, and the client cannot ask`, {
      hint:
        "Use a client that supports elicitation, or ask the person who runs this server for the setting " +
        "record_unasked.",
      details: { confirmation: true },
    }),
  );
}
