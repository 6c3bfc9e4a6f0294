import type { McpCall } from "../call.ts";
import { patiently } from "../patience.ts";
import type { Tool, ToolAnswer, ToolArguments, Toolset } from "../tool.ts";
import { DEFINITIONS, type PublishedTool } from "./definitions/mod.ts";
import { requireArguments } from "./form.ts";

/** Does it, and answers what was done to what, by what means, and what taking it back would need. */
async function act(tool: PublishedTool, args: ToolArguments, call: McpCall): Promise<ToolAnswer> {
  await requireArguments(tool, args);
  const query = args["query"] ?? args["from_query"] ?? args["bundleId"];
  const what = typeof query === "string" ? query : undefined;
  const { output, effect } = await patiently(what, call, () => call.session.act(tool, args, call));
  const { method, verdict } = output;
  return {
    structured: "action" in output ? { ...output, effect } : output,
    log: {
      effect,
      ...(method === undefined ? {} : { method }),
      ...(verdict === undefined ? {} : { verdict }),
    },
  };
}

function acting(tool: PublishedTool, toolset: Toolset): Tool {
  return { toolset, definition: DEFINITIONS[tool], run: (args, call) => act(tool, args, call) };
}

/** Tools that do one thing to one element, or one place. */
export const click = acting("ax_click", "action");
export const clickAt = acting("ax_click_at", "action");
export const type = acting("ax_type", "action");
export const setValue = acting("ax_set_value", "action");
export const scroll = acting("ax_scroll", "action");
export const drag = acting("ax_drag", "action");
export const keyPress = acting("ax_key_press", "action");

/** Tools that start and end applications. */
export const launchApplication = acting("launch_application", "launch");
export const quitApplication: Tool = {
  ...acting("quit_application", "launch"),
  async run(args, call) {
    const { connections } = call.session;
    const known = connections.find(String(args["bundleId"]));
    const answer = await act("quit_application", args, call);
    // It has ended: who asks for it later has to connect again.
    if (known) connections.forget(known.application.pid);
    return answer;
  },
};
