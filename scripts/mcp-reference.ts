import type { Json } from "../src/base/error.ts";
import { isList, isMap } from "../src/base/json.ts";
import { toolNamed } from "../src/tools/all.ts";
import type { Tool } from "../src/mcp/server/tool.ts";

const HEAD = "<!-- Made by `deno task schema` from the code; do not edit. -->\n";

const ABOUT = `
# Tools of the MCP server

What \`tools/list\` tells a client. Names, titles, schemas, annotations and task support of the \`ax_*\` tools are as they were
published; a property marked **ours** was added, and is always optional. What was added stands once more in the
[table at the end](#what-we-added). How a client is set up: [the how-to](../how-to/mcp.md).

- \`app\` is a name or alias that \`ax_connect\` made known, everywhere.
- \`query\` is a title, \`role:AXButton title:Save\`, a [selector](selectors.md), an XPath, a \`macos://ui/\` path or an
  \`element_ref\` ("el-…"). Reading answers the first match in the order of the tree with a \`count\`; acting on several is the
  error \`ElementAmbiguous\`, whose candidates each have a \`query\` that finds them.
- An \`element_ref\` belongs to one session and lives as long as its element; then it is refused (\`ElementStale\`). 10,000 are
  kept, the one used the longest ago is forgotten first.
- An act answers \`{ action, app, element, method, verdict, effect }\`: what really ran; \`verified\` (read back), \`accepted\` (the
  platform took it) or \`already\`; and what undoing it would need.
- Arguments that cannot be are JSON-RPC errors (-32602) with the place; what a tool could not do is a result with \`isError\`
  and one of the kinds [below](#errors), a suggestion, and the same as JSON.
- Modifiers: \`cmd\` is the platform's key of shortcuts (Control where there is no Command), \`opt\` is Alt.
- \`ax_get_tree\` may answer a tree of up to 500 ms ago, \`ax_screenshot\` a picture of up to 100 ms ago, unless anybody acted
  meanwhile; the log says \`cache_hit\`.
`;

const ERRORS = `
## Errors

| kind | when |
|---|---|
| \`AppNotConnected\` | no connection has this name; \`connected\` lists those that there are |
| \`AppNotFound\`, \`AppNotRunning\`, \`LaunchFailed\` | not installed, not running (any more), did not start |
| \`QuitBlocked\` | it asks something, for example about unsaved work; \`dialog\` and \`buttons\` say what |
| \`ElementNotFound\` | nothing matches; \`strategies_tried\`, and \`nearest\` |
| \`ElementAmbiguous\` | several match and one was needed; \`candidates\` |
| \`ElementStale\` | it is gone, or became another |
| \`ElementNotActionable\` | hidden, disabled, moving or covered; \`condition\` |
| \`AccessibilityDenied\` | the desktop cannot be reached |
| \`SecurityBlocked\` | the policy, or a password field |
| \`ConfirmationRequired\` | a person would have to agree, and cannot be asked or did not |
| \`RateLimitExceeded\` | too many calls (also as JSON-RPC error -32000); \`retry_after_ms\` |
| \`VlmUnavailable\` | nothing that can see is configured |
| \`ScriptTimeout\`, \`ScriptUnavailable\` | a script was ended; scripts exist on macOS only |
| \`WorkflowFailed\` | a step failed; \`step\`, \`rolled_back\` |
| \`InvalidValue\` | an argument that can be read and cannot be used |
| \`Timeout\`, \`Cancelled\` | its time was over, or the client cancelled it |
| \`Unsupported\` | the element, toolkit or platform cannot do this |
| \`ActionFailed\` | refused, without effect, disturbed, or not rolled back as it was |
| \`InternalError\` | a fault of the server |
`;

/** Every tool that clients can be offered, as a page. */
export function mcpToolReference(tools: readonly Tool[]): string {
  const parts = [HEAD + ABOUT];
  const added: string[] = [];
  for (const { definition, toolset } of tools) {
    const { name, title, description, annotations, execution, inputSchema, outputSchema } = definition;
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
    const flags = [
      readOnlyHint ? "only looks" : "acts",
      ...(destructiveHint ? ["destructive"] : []),
      ...(idempotentHint ? ["idempotent"] : []),
      ...(openWorldHint ? ["open world"] : []),
      ...(execution ? ["may run as a task"] : []),
    ];
    const ours = toolNamed(name)?.ours ?? {};
    parts.push(
      `\n## ${name}\n`,
      `**${title}.** ${description}\n`,
      `*${flags.join(", ")}; toolset \`${toolset}\`*\n`,
      table("Input", inputSchema, ours.input ?? []),
      outputSchema ? table("Output", outputSchema, ours.output ?? []) : "",
    );
    for (const [side, ways] of [["input", ours.input ?? []], ["output", ours.output ?? []]] as const) {
      const schema = side === "input" ? inputSchema : outputSchema ?? {};
      const rows = new Map(rowsOf(schema).map((row) => [row.way, row] as const));
      for (const way of ways) {
        const row = rows.get(way);
        added.push(`| \`${name}\` | ${side} | \`${way}\` | ${row?.type ?? ""} | ${row?.description ?? ""} |`);
      }
    }
  }
  parts.push(
    ERRORS,
    "\n## What we added\n",
    "| tool | | property | type | |\n|---|---|---|---|---|",
    added.join("\n"),
  );
  return `${parts.filter((part) => part !== "").join("\n").trimEnd()}\n`;
}

interface Row {
  /** "apps[].name". */
  readonly way: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

function table(title: string, schema: Json, ours: readonly string[]): string {
  const rows = rowsOf(schema);
  if (rows.length === 0) return `${title}: nothing.\n`;
  const lines = rows.map(({ way, type, required, description }) =>
    `| \`${way}\`${required ? "" : "?"} | ${type} | ${ours.includes(way) ? "**ours.** " : ""}${description} |`
  );
  return [`| ${title} | type | |`, "|---|---|---|", ...lines, ""].join("\n");
}

/** Every property of a schema by its way, those inside of lists and maps too. */
function rowsOf(schema: Json, place = ""): Row[] {
  if (!isMap(schema)) return [];
  const { properties = null, required = null, items = null } = schema;
  const below = items === null ? [] : rowsOf(items, `${place}[]`);
  const own = isMap(properties) ? Object.entries(properties) : [];
  return [
    ...below,
    ...own.flatMap(([name, one]): Row[] => {
      const way = place === "" ? name : `${place}.${name}`;
      const needed = isList(required) && required.includes(name);
      return [{ way, type: typeOf(one), required: needed, description: textOf(one) }, ...rowsOf(one, way)];
    }),
  ];
}

function typeOf(schema: Json): string {
  if (!isMap(schema)) return "any";
  const { type = "any", enum: values = null, items = null } = schema;
  if (isList(values)) return values.map((value) => `\`${String(value)}\``).join(" ");
  if (type === "array") return `list of ${typeOf(items)}`;
  return type === "object" ? "map" : String(type);
}

function textOf(schema: Json): string {
  if (!isMap(schema)) return "";
  const { description = "", default: usual } = schema;
  const text = String(description).replaceAll("|", "\\|").replaceAll("\n", " ");
  if (usual === undefined || /default/i.test(text)) return text;
  return `${text}${text === "" ? "D" : "; d"}efault \`${JSON.stringify(usual)}\``;
}
