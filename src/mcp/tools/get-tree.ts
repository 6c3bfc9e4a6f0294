import type { Json } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { ToolArguments } from "../../tools/tool.ts";
import { asList, asMap } from "../../base/json.ts";
import { axFind } from "../../tools/find/find.ts";
import { axGetTree } from "../../tools/find/get-tree.ts";
import type { McpCall } from "../server/call.ts";
import { firstOf, nextOf } from "../server/document-pages.ts";
import { ToolFailure } from "../server/failure.ts";
import { memoryOf } from "../session/short-memory.ts";
import { CACHES } from "../server/caches.ts";
import type { ToolAnswer } from "../server/tool.ts";
import { isWritten } from "../server/under-way.ts";
import { wrappedContent } from "../server/untrusted.ts";
import { connectionOf, withApps } from "../session/with-app.ts";
import { elementThere } from "./element-there.ts";
import { look } from "./look.ts";
import { requireArguments } from "./arguments.ts";
import { served } from "./serve.ts";

/** Milliseconds for a whole tree. */
const READING = 20_000;
/** Characters of a text that is read: an outline shows fewer. */
const TEXT = 200;

/** Shows the tree of an application, or below an element. */
export const getTree = served(axGetTree, async (args, call) => {
  requireArguments(axGetTree, args);
  const { session } = call;
  const { cursor } = args;
  if (typeof cursor === "string") return furtherPage(args, cursor, call);
  const { args: mapped } = withApps(session, axGetTree.name, args);
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
});

async function whole(args: ToolArguments, call: McpCall): Promise<ToolAnswer> {
  await elementThere(args["app"], args["root_query"], call);
  const { result } = await look(axGetTree, args, call);
  const { nodes = 0, cut = [] } = result;
  if (args["root_query"] === undefined) {
    const windows = asList(asMap(result["tree"])["children"]).length;
    for (let one = 1; one <= windows; one++) {
      call.progress(`Scanning window ${one}/${windows}`, one / windows, 3);
    }
  }
  call.progress(`Processing ${String(nodes)} elements`, 2, 3);
  const { tree = null, ...rest } = result;
  const { page, nextCursor } = firstOf(call.session, documentOf(args, call), tree);
  return {
    structured: { ...rest, tree: page, ...defined({ nextCursor }) },
    log: { nodes, cut },
  };
}

/** What is deeper in a tree that was begun, as it was then. */
function furtherPage(args: ToolArguments, cursor: string, call: McpCall): ToolAnswer {
  const { page, nextCursor } = nextOf(call.session, documentOf(args, call), cursor);
  return {
    structured: { parts: page, ...defined({ nextCursor }) },
    log: { cursor: true },
  };
}

/** Of which application's tree a cursor is; it may be seen still. */
function documentOf({ app }: ToolArguments, call: McpCall): string {
  return `tree of ${connectionOf(call.session, String(app)).application.pid}`;
}

async function outline(args: ToolArguments, call: McpCall): Promise<ToolAnswer> {
  const { session, signal } = call;
  const { application, appName } = connectionOf(session, String(args["app"]));
  const query = args["root_query"];
  const root = typeof query === "string" ? await rootOf(query, args, call) : undefined;
  // The gate lets the application be looked at, or does not; a root was looked for through it.
  if (root === undefined) await look(axGetTree, { ...args, compact: false, max_depth: 0 }, call);
  const snapshot = await session.host.desktop.desktop.snapshot(application, {
    timeout: READING,
    signal,
    fields: ["extents", "text", "value", "id", "selection"],
    ...(isWritten(call, "max_depth") ? { maxDepth: Number(args["max_depth"]) } : {}),
    maxText: TEXT,
    ...defined({ root }),
  });
  call.progress(`Processing ${snapshot.size} elements`, 2, 3);
  const { outlineOf } = await import("../server/outline.ts");
  const limit = args["max_nodes"];
  const { text, cut } = outlineOf(snapshot, {
    includeInvisible: args["include_invisible"] === true,
    ...(typeof limit === "number" ? { limit } : {}),
  });
  return {
    structured: { app: appName, nodes: snapshot.size, cut: [...cut] },
    content: [wrappedContent(text, application.name)],
    log: { nodes: snapshot.size, cut: [...cut] },
  };
}

async function rootOf(query: string, { app = "" }: ToolArguments, call: McpCall) {
  const { result } = await look(axFind, { app, query }, call);
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
