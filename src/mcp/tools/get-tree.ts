import type { Json } from "../../base/error.ts";
import type { McpCall } from "../call.ts";
import { ToolFailure } from "../failure.ts";
import { CACHES, memoryOf } from "../short-memory.ts";
import type { Tool, ToolAnswer, ToolArguments } from "../tool.ts";
import { isWritten } from "../under-way.ts";
import { wrappedContent } from "../untrusted.ts";
import { connectionOf, withApps } from "../with-app.ts";
import { DEFINITIONS } from "./definitions/mod.ts";
import { elementThere } from "./element-there.ts";
import { look, requireArguments } from "./form.ts";

/** Milliseconds for a whole tree. */
const READING = 20_000;
/** Characters of a text that is read: an outline shows fewer. */
const TEXT = 200;

/** Shows the tree of an application, or below an element. */
export const getTree: Tool = {
  toolset: "find",
  definition: DEFINITIONS.ax_get_tree,
  async run(args, call) {
    await requireArguments("ax_get_tree", args);
    const { session } = call;
    const { args: mapped } = withApps(session, "ax_get_tree", args);
    const { trees } = session.host.caches ?? CACHES;
    call.progress("Scanning windows", 0, 3);
    const { value, hit } = await memoryOf(session.host).answer(
      `tree ${session.id} ${isWritten(call, "max_depth")} ${JSON.stringify(mapped)}`,
      trees,
      isAnswer,
      () => args["compact"] === true ? outline(args, call) : whole(args, call),
    );
    call.progress("Building tree", 3, 3);
    return { ...value, log: { ...value.log, cache_hit: hit } };
  },
};

async function whole(args: ToolArguments, call: McpCall): Promise<ToolAnswer> {
  await elementThere(args["app"], args["root_query"], call);
  const { result } = await look("ax_get_tree", args, call);
  const { nodes = 0, cut = [] } = result;
  call.progress(`Processing ${String(nodes)} elements`, 2, 3);
  return { structured: result, log: { nodes, cut } };
}

async function outline(args: ToolArguments, call: McpCall): Promise<ToolAnswer> {
  const { session, signal } = call;
  const { application } = connectionOf(session, String(args["app"]));
  const query = args["root_query"];
  const root = typeof query === "string" ? await rootOf(query, args, call) : undefined;
  // The gate lets the application be looked at, or does not; a root was looked for through it.
  if (root === undefined) await look("ax_get_tree", { ...args, compact: false, max_depth: 0 }, call);
  const snapshot = await session.host.desktop.desktop.snapshot(application, {
    timeout: READING,
    signal,
    fields: ["extents", "text", "value", "id", "selection"],
    ...(isWritten(call, "max_depth") ? { maxDepth: Number(args["max_depth"]) } : {}),
    maxText: TEXT,
    ...(root === undefined ? {} : { root }),
  });
  call.progress(`Processing ${snapshot.size} elements`, 2, 3);
  const { outlineOf } = await import("../outline.ts");
  const limit = args["max_nodes"];
  const { text, cut } = outlineOf(snapshot, {
    includeInvisible: args["include_invisible"] === true,
    ...(typeof limit === "number" ? { limit } : {}),
  });
  return { content: [wrappedContent(text, application.name)], log: { nodes: snapshot.size, cut: [...cut] } };
}

async function rootOf(query: string, { app = "" }: ToolArguments, call: McpCall) {
  const { result } = await look("ax_find", { app, query }, call);
  const ref: Json | undefined = result["element_ref"];
  if (typeof ref === "string") return call.session.elements.get(ref).element;
  throw new ToolFailure("ElementNotFound", `Element not found: '${query.slice(0, 200)}'`, {
    suggestion: "Call ax_get_tree without root_query to see what is there.",
    data: { query: query.slice(0, 500), strategies_tried: [String(result["strategy"] ?? "")] },
  });
}

function isAnswer(value: unknown): value is ToolAnswer {
  return typeof value === "object" && value !== null && ("structured" in value || "content" in value);
}
