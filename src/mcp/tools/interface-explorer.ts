import { z } from "zod";
import { operationNamed } from "../../catalogue.ts";
import type { OperationNamed, OutputOf } from "../../script/types.ts";
import { type BackstepError, toBackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import { ELEMENT_TYPES } from "../../desktop/element-types.ts";
import { SCOPES } from "../../operations/explore-scope.ts";
import type { ToolArguments } from "../../tools/tool.ts";
import { macosInterfaceExplorer } from "../../tools/explore/interface-explorer.ts";
import type { McpCall } from "../server/call.ts";
import { ToolFailure } from "../server/failure.ts";
import { type Content, INVALID_PARAMS, ProtocolError } from "../server/wire.ts";
import { refuseBlocked } from "../session/with-app.ts";
import { served } from "./serve.ts";

type Exploration = OutputOf<OperationNamed<"explore">>;

const operation = operationNamed("explore");

/** A tree has no more levels than are read; a caller can do no more with more elements. */
const MOST_DEPTH = 255, MOST = 10_000;

const Text = z.string().min(1, "it is empty: leave it out");
const Arguments = z.object({
  scope: z.enum(SCOPES),
  bundleId: Text.optional(),
  elementId: Text.optional(),
  x: z.number().optional(),
  y: z.number().optional(),
  maxDepth: z.number().min(0, "levels are counted from 0").transform((depth) =>
    Math.min(MOST_DEPTH, Math.floor(depth))
  ).default(10),
  filter: z.object({
    role: Text.optional(),
    titleContains: Text.optional(),
    valueContains: Text.optional(),
    descriptionContains: Text.optional(),
  }).optional(),
  elementTypes: z.array(z.enum(ELEMENT_TYPES)).default(["any"]),
  includeHidden: z.boolean().default(false),
  limit: z.int().min(1, "it must be at least 1").max(MOST, `it must be at most ${MOST}`).default(100),
});
type Arguments = z.infer<typeof Arguments>;

/** What each scope cannot do without. */
const NEEDED: Readonly<Record<Arguments["scope"], readonly ("bundleId" | "elementId" | "x" | "y")[]>> = {
  system: [],
  application: ["bundleId"],
  focused: [],
  position: ["x", "y"],
  element: ["elementId"],
};

/**
 * Elements and what can be done with them. The answer is a JSON array, the first JSON text of its content; a second text
 * says what was left out, where anything was.
 */
export const interfaceExplorer = served(macosInterfaceExplorer, async (args, call) => {
  const asked = checked(args);
  const { filter, elementTypes } = asked;
  const input = {
    scope: asked.scope,
    ...(asked.scope === "system" ? { skip: await blockedOnes(call) } : {}),
    ...defined({ app: asked.bundleId, element: asked.elementId, x: asked.x, y: asked.y }),
    depth: asked.maxDepth,
    ...(filter === undefined ? {} : {
      filter: defined({
        role: filter.role,
        title: filter.titleContains,
        value: filter.valueContains,
        description: filter.descriptionContains,
      }),
    }),
    // The default cannot be told from its absence: `any` asks for no kind.
    ...(elementTypes.length === 0 || elementTypes.includes("any") ? {} : { types: elementTypes }),
    hidden: asked.includeHidden,
    limit: asked.limit,
  };
  const found = await looked(input, asked, call);
  for (const { name, pid, id } of found.apps) {
    refuseBlocked(call.session, {
      appName: name,
      application: { bus: "", name, pid, toolkit: "", toolkitVersion: "" },
      ...defined({ bundleId: id }),
    });
  }
  const left = leftOut(found, asked);
  const text = (words: string): Content => ({ type: "text", text: words });
  return {
    content: [text(JSON.stringify(found.elements)), ...(left === "" ? [] : [text(left)])],
    log: { scope: asked.scope, found: found.elements.length > 0, elements: found.shown },
  };
});

function checked(args: ToolArguments): Arguments {
  const parsed = Arguments.safeParse(args);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.map(String).join(".") ?? "";
    throw invalid(place, issue?.message ?? "it cannot be read");
  }
  const { scope } = parsed.data;
  for (const name of NEEDED[scope]) {
    if (parsed.data[name] === undefined) throw invalid(name, `the scope ${scope} needs it`);
  }
  return parsed.data;
}

function invalid(place: string, why: string): ProtocolError {
  return new ProtocolError(
    INVALID_PARAMS,
    `Invalid arguments for ${macosInterfaceExplorer.name}: ${place}: ${why}`,
    {
      tool: macosInterfaceExplorer.name,
      issues: [{ path: place, message: why }],
    },
  );
}

/** Process ids of what may not be seen. */
async function blockedOnes({ session, signal }: McpCall): Promise<number[]> {
  const running = await session.host.desktop.desktop.applications({ timeout: 5_000, signal });
  return running.filter((application) => {
    try {
      refuseBlocked(session, { appName: application.name, application });
      return false;
    } catch (thrown) {
      if (thrown instanceof ToolFailure) return true;
      throw thrown;
    }
  }).map(({ pid }) => pid);
}

async function looked(input: unknown, asked: Arguments, call: McpCall): Promise<Exploration> {
  try {
    const { output } = await call.session.look({ operation: operation.name, input }, call);
    return operation.outputSchema.parse(output);
  } catch (thrown) {
    throw await failureOf(toBackstepError(thrown), asked, call) ?? thrown;
  }
}

/** The errors of section 10: no such element, no such application; the rest is what it is for every tool. */
async function failureOf(
  error: BackstepError,
  asked: Arguments,
  call: McpCall,
): Promise<ToolFailure | undefined> {
  const { code, message, hint, details = {} } = error;
  if (code === "not_found" || code === "stale") {
    const query = asked.elementId ?? (asked.scope === "position" ? `${asked.x},${asked.y}` : asked.scope);
    return new ToolFailure(code === "stale" ? "ElementStale" : "ElementNotFound", message, {
      suggestion: hint ?? "Explore its application again: ids come from there.",
      data: { code, query: query.slice(0, 500), ...details },
      cause: error,
    });
  }
  if (code !== "app_not_running" || asked.bundleId === undefined) return undefined;
  const wanted = asked.bundleId.toLowerCase();
  const entries = await call.session.host.desktop.launcher.catalogue();
  if (entries.some(({ id, name }) => id.toLowerCase() === wanted || name.toLowerCase() === wanted)) {
    return undefined;
  }
  return new ToolFailure("AppNotFound", message, {
    suggestion: hint ?? "list_applications lists what runs.",
    data: { code, bundleId: asked.bundleId.slice(0, 200), ...details },
    cause: error,
  });
}

/** What was left out, in a line; "": nothing. */
function leftOut(
  { shown, total, hidden, cut, left_out, note }: Exploration,
  { limit, maxDepth }: Arguments,
): string {
  const other = cut.filter((what) => !["limit", "depth", "hidden", "applications"].includes(what));
  const parts = [
    cut.includes("limit") ? `${total - shown} more beyond limit ${limit}` : "",
    cut.includes("depth") ? `what is deeper than maxDepth ${maxDepth}` : "",
    hidden > 0 ? `${hidden} hidden (includeHidden)` : "",
    ...left_out.map(({ app, pid, why }) =>
      `all of ${JSON.stringify(app)} (${pid}), which did not answer: ${why}`
    ),
    other.length > 0 ? `unread: ${other.join(", ")}` : "",
  ].filter((part) => part !== "");
  const said = parts.length === 0 ? "" : `Shown: ${shown} elements. Left out: ${parts.join("; ")}.`;
  return [said, note ?? ""].filter((part) => part !== "").join(" ");
}
