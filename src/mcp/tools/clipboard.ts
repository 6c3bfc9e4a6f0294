import type { Tool } from "../tool.ts";
import { DEFINITIONS } from "./definitions/mod.ts";
import { requireArguments } from "./form.ts";

/** Reads or writes the clipboard: in turn with the acts, since it is theirs too. */
export const clipboard: Tool = {
  toolset: "context",
  definition: DEFINITIONS.ax_clipboard,
  async run(args, call) {
    await requireArguments("ax_clipboard", args);
    const { output } = await call.session.act("ax_clipboard", args, call);
    const { success = false, text } = output;
    const read = args["action"] === "read" && text !== undefined;
    return { structured: { success, ...(read ? { text } : {}) }, log: { action: args["action"] ?? "" } };
  },
};
