import { join } from "node:path";
import { CLIENT_NAMES, type ClientName } from "./client-names.ts";

/** Where programs keep what is a person's: HOME, the folder for settings, and the platform's habits. */
export interface Homes {
  readonly home: string;
  /** The folder that a project's files stand in. */
  readonly project: string;
  readonly platform: string;
  readonly env: { readonly [name: string]: string | undefined };
}

/** A program that starts MCP servers, and the file in which it is told which. */
export interface McpClientProgram {
  readonly title: string;
  readonly user?: (homes: Homes) => string;
  readonly project?: (homes: Homes) => string;
  /** Where nobody says for whom. */
  readonly usually: "user" | "project";
  readonly form: "json" | "toml";
  /** The map of servers in the file. */
  readonly key: string;
  /** What its entries hold beside command, arguments and environment. */
  readonly more?: { readonly [key: string]: string };
  /** What makes it read the file again. */
  readonly then: string;
}

/** The folder for settings of desktop programs: `~/.config` on Linux. */
function settings({ home, platform, env }: Homes): string {
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return env["APPDATA"] || join(home, "AppData", "Roaming");
  return env["XDG_CONFIG_HOME"] || join(home, ".config");
}

/** Zed follows the rules of Linux on macOS too. */
function zed(homes: Homes): string {
  return homes.platform === "darwin"
    ? join(homes.home, ".config", "zed", "settings.json")
    : join(settings(homes), homes.platform === "win32" ? "Zed" : "zed", "settings.json");
}

const CLINE = [
  "Code",
  "User",
  "globalStorage",
  "saoudrizwan.claude-dev",
  "settings",
  "cline_mcp_settings.json",
];

/** Every program that `mcp install` knows. */
export const CLIENTS: { readonly [Name in ClientName]: McpClientProgram } = {
  "claude-desktop": {
    title: "Claude Desktop",
    user: (homes) => join(settings(homes), "Claude", "claude_desktop_config.json"),
    usually: "user",
    form: "json",
    key: "mcpServers",
    then: "Quit Claude Desktop and start it again.",
  },
  "claude-code": {
    title: "Claude Code",
    user: ({ home }) => join(home, ".claude.json"),
    project: ({ project }) => join(project, ".mcp.json"),
    usually: "project",
    form: "json",
    key: "mcpServers",
    more: { type: "stdio" },
    then: "Start claude in this folder; it asks once whether the server may be used.",
  },
  cursor: {
    title: "Cursor",
    user: ({ home }) => join(home, ".cursor", "mcp.json"),
    project: ({ project }) => join(project, ".cursor", "mcp.json"),
    usually: "user",
    form: "json",
    key: "mcpServers",
    then: "Switch the server on in Cursor's settings, under MCP.",
  },
  vscode: {
    title: "VS Code",
    user: (homes) => join(settings(homes), "Code", "User", "mcp.json"),
    project: ({ project }) => join(project, ".vscode", "mcp.json"),
    usually: "project",
    form: "json",
    key: "servers",
    more: { type: "stdio" },
    then: "Start the server with the command MCP: List Servers.",
  },
  windsurf: {
    title: "Windsurf",
    user: ({ home }) => join(home, ".codeium", "windsurf", "mcp_config.json"),
    usually: "user",
    form: "json",
    key: "mcpServers",
    then: "Refresh the servers in Windsurf's settings, under Cascade.",
  },
  zed: {
    title: "Zed",
    user: zed,
    project: ({ project }) => join(project, ".zed", "settings.json"),
    usually: "user",
    form: "json",
    key: "context_servers",
    then: "Zed starts it at once.",
  },
  "gemini-cli": {
    title: "Gemini CLI",
    user: ({ home }) => join(home, ".gemini", "settings.json"),
    project: ({ project }) => join(project, ".gemini", "settings.json"),
    usually: "user",
    form: "json",
    key: "mcpServers",
    then: "Start gemini; /mcp lists the server.",
  },
  codex: {
    title: "Codex CLI",
    user: ({ home, env }) => join(env["CODEX_HOME"] || join(home, ".codex"), "config.toml"),
    project: ({ project }) => join(project, ".codex", "config.toml"),
    usually: "user",
    form: "toml",
    key: "mcp_servers",
    then: "Start codex; /mcp lists the server.",
  },
  cline: {
    title: "Cline",
    user: (homes) => join(settings(homes), ...CLINE),
    usually: "user",
    form: "json",
    key: "mcpServers",
    then: "Cline starts it at once.",
  },
  continue: {
    title: "Continue",
    user: ({ home }) => join(home, ".continue", "mcpServers", "backstep.json"),
    project: ({ project }) => join(project, ".continue", "mcpServers", "backstep.json"),
    usually: "user",
    form: "json",
    key: "mcpServers",
    then: "Continue reads it in agent mode.",
  },
};

/** The program of a name, if it is one of them. */
export function clientNamed(
  name: string,
): { readonly name: ClientName; readonly client: McpClientProgram } | undefined {
  const existing = CLIENT_NAMES.find((one) => one === name);
  return existing === undefined ? undefined : { name: existing, client: CLIENTS[existing] };
}
