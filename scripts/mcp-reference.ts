import type { Json } from "../src/base/error.ts";
import { isList, isMap } from "../src/base/json.ts";
import { toolNamed } from "../src/tools/all.ts";
import type { Tool } from "../src/mcp/server/tool.ts";

const HEAD = "<!-- Made by `deno task schema` from the code; do not edit. -->\n";

const ABOUT = `
# Tools of the MCP server

This page lists what \`tools/list\` returns. Names, titles, schemas, annotations and task support of the \`ax_*\` tools are as published. A property
marked **ours** is an addition, and always optional; the [table at the end](#what-we-added) lists all of them. To set up a client, see
[the how-to](../how-to/mcp.md).

- \`app\` is always a name or alias of an application that \`ax_connect\` has connected.
- \`query\` is a title, \`role:AXButton title:Save\`, a [selector](selectors.md), an XPath, a \`macos://ui/\` path or an
  \`element_ref\` ("el-…"). A tool that reads returns the first match in the order of the tree, and a
  \`count\`. For a tool that acts, several matches are the error \`ElementAmbiguous\`; each of its candidates has a \`query\` that finds it.
- An \`element_ref\` belongs to one session and is valid as long as its element exists; after that it is refused (\`ElementStale\`). 10,000 are
  kept; the least recently used one is dropped first.
- An action returns \`{ action, app, element, method, verdict, effect }\`. \`method\` is what ran. \`verdict\` is \`verified\` (read back), \`accepted\` (by the platform) or \`already\`.
  \`effect\` says what is needed to undo it.
- Invalid arguments are JSON-RPC errors (-32602) that name the place. When a tool fails, the result has \`isError\`, one of the kinds [below](#errors), a
  suggestion, and the same as JSON.
- Modifiers: \`cmd\` is the platform's key of shortcuts (Control where there is no Command), \`opt\` is Alt.
- \`ax_get_tree\` may return a tree that is up to 500 ms old, and \`ax_screenshot\` a picture that is up to 100 ms old, unless somebody acted meanwhile.
  The log then says \`cache_hit\`.
`;

const ERRORS = `
## Errors

| kind | when |
|---|---|
| \`AppNotConnected\` | no connection has this name; \`connected\` lists the existing ones |
| \`AppNotFound\`, \`AppNotRunning\`, \`LaunchFailed\` | not installed, not running (any more), did not start |
| \`QuitBlocked\` | it asks a question, for example about unsaved work; see \`dialog\` and \`buttons\` |
| \`ElementNotFound\` | nothing matches; see \`strategies_tried\` and \`nearest\` |
| \`ElementAmbiguous\` | several elements match, but one is needed; see \`candidates\` |
| \`ElementStale\` | the element is gone, or is now another one |
| \`ElementNotActionable\` | the element is hidden, disabled, moving or covered; see \`condition\` |
| \`AccessibilityDenied\` | the desktop cannot be reached |
| \`SecurityBlocked\` | refused by the policy, or because of a password field |
| \`ConfirmationRequired\` | a person must agree, but cannot be asked, or did not agree |
| \`RateLimitExceeded\` | too many calls (also as JSON-RPC error -32000); \`retry_after_ms\` |
| \`VlmUnavailable\` | no vision backend is configured |
| \`ScriptTimeout\`, \`ScriptUnavailable\` | a script took too long; scripts exist only on macOS |
| \`WorkflowFailed\` | a step failed; \`step\`, \`rolled_back\` |
| \`InvalidValue\` | an argument is valid but cannot be used |
| \`Timeout\`, \`Cancelled\` | the time limit ended, or the client cancelled the call |
| \`Unsupported\` | the element, toolkit or platform cannot do this |
| \`ActionFailed\` | refused, without effect, disturbed, or not completely rolled back |
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
      readOnlyHint ? "read" : "write",
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
