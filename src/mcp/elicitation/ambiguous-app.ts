import type { Candidate, ResolveAmbiguity } from "../server/call.ts";
import { ask, shown } from "./ask.ts";

/** Asks which of several applications is meant (scenario 1). Undefined: nobody says; the call names the candidates then. */
export const chooseApp: ResolveAmbiguity = async (query, candidates, call) => {
  const words = candidates.map((one) => wordOf(one, candidates));
  const reply = await ask(call, {
    mode: "form",
    message: `Multiple apps match '${shown(query)}'. Which one?`,
    requestedSchema: {
      type: "object",
      properties: {
        app: {
          type: "string",
          title: "Select application",
          oneOf: candidates.map(({ appName, application: { pid } }, at) => ({
            const: words[at] ?? String(pid),
            title: `${shown(appName)} (PID ${pid})`,
          })),
        },
      },
      required: ["app"],
    },
  });
  if (reply.is !== "accepted") return undefined;
  return candidates[words.indexOf(String(reply.content["app"]))];
};

/** Its id, where no other candidate has the same. */
function wordOf({ bundleId, application: { pid } }: Candidate, all: readonly Candidate[]): string {
  const own = bundleId !== undefined && all.filter((one) => one.bundleId === bundleId).length === 1;
  return own ? bundleId : String(pid);
}
