import { defined } from "../../base/defined.ts";
import type { ToolArguments, ToolView } from "../../tools/tool.ts";
import type { McpCall } from "../server/call.ts";
import { patiently } from "../server/patience.ts";
import type { Tool, ToolAnswer } from "../server/tool.ts";
import { requireArguments } from "./arguments.ts";
import { asConnected, look } from "./look.ts";

/** A tool with what the server does for it. */
export function served(view: ToolView, run: Tool["run"]): Tool {
  const { definition, toolset, traits } = view;
  return { definition, toolset, traits, run };
}

/** A tool of which the server does what its view says, and nothing else. */
export function plain(view: ToolView): Tool {
  const { readOnlyHint } = view.definition.annotations;
  return served(view, (args, call) => readOnlyHint ? read(view, args, call) : act(view, args, call));
}

async function read(view: ToolView, args: ToolArguments, call: McpCall): Promise<ToolAnswer> {
  const { result } = await look(view, args, call);
  return { structured: result, ...defined({ log: view.log?.(result) }) };
}

/** Does it, and says what was done to what, by what means, and what an undo would need. */
export async function act(view: ToolView, args: ToolArguments, call: McpCall): Promise<ToolAnswer> {
  requireArguments(view, args);
  const query = args["query"] ?? args["from_query"] ?? args["bundleId"];
  const what = typeof query === "string" ? query : undefined;
  const { output, effect } = await patiently(what, call, () => call.session.act(view.name, args, call));
  const { method, verdict } = output;
  const named = asConnected(output, args, call);
  return {
    structured: "action" in output ? { ...named, effect } : named,
    log: {
      effect,
      ...defined({ method, verdict }),
    },
  };
}
