import { axClipboard } from "../../tools/context/clipboard.ts";
import { requireArguments } from "./arguments.ts";
import { served } from "./serve.ts";

/** Reads or writes the clipboard: in turn with the acts, since it is theirs too. */
export const clipboard = served(axClipboard, async (args, call) => {
  requireArguments(axClipboard, args);
  const { output } = await call.session.act(axClipboard.name, args, call);
  const { success = false, text } = output;
  const read = args["action"] === "read" && text !== undefined;
  return { structured: { success, ...(read ? { text } : {}) }, log: { action: args["action"] ?? "" } };
});
