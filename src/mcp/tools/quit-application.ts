import { quitApplication as view } from "../../tools/launch/quit-application.ts";
import { act, served } from "./serve.ts";

/** Ends an application: whoever asks for it later has to connect again. */
export const quitApplication = served(view, async (args, call) => {
  const { connections } = call.session;
  const existing = connections.find(String(args["bundleId"]));
  const answer = await act(view, args, call);
  if (existing) connections.forget(existing.application.pid);
  return answer;
});
