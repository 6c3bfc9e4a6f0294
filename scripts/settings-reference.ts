/** The reference page of the MCP server's settings, made from their table. */
import { variablesOf } from "../src/policy/settings.ts";
import { type Setting, SETTINGS } from "../src/policy/table.ts";

/** docs/reference/mcp-settings.md. */
export function settingsReference(): string {
  const rows = Object.values(SETTINGS).map((setting) => rowOf<unknown>(setting));
  return `# Settings of the MCP server

\`deno task schema\` makes this page from \`src/policy/table.ts\`. \`backstep mcp doctor\` shows every setting and where its value comes from.

- Options of \`backstep mcp serve\` override environment variables, these override files, and these override defaults. An empty variable counts as not set.
- Files are \`config.toml\` and \`security.toml\` in \`$XDG_CONFIG_HOME/backstep/\` (\`~/.config/backstep/\`), or in the folder of \`--config\`. If a setting is in both, the
  key that is listed first here counts. A file that every user may write to is refused.
- Variables begin with \`BACKSTEP_\`. Where these are not set, the published names with \`AXTERMINATOR_\` and the folder \`axterminator\` are used too, and the server says so when it
  starts.
- The server does not start with an invalid value. The error gives file, line, column, key, the value, and the allowed values. A misspelt security variable also stops the start.
- A running server follows changes of its files. When a file becomes invalid or disappears, the previous settings stay, and the logger \`axterminator.security\` gets an alert.
- Secrets are read only from the environment, and are never shown.

| setting | option | variable | key | allowed | default | what it is |
|---|---|---|---|---|---|---|
${rows.join("\n")}

## An example

\`\`\`toml
# ~/.config/backstep/config.toml
[server]
log_level = "info"

[vlm]
backend = "anthropic"
rate_limit = 10

[http]
port = 8741
bind = "127.0.0.1"
\`\`\`

\`\`\`toml
# ~/.config/backstep/security.toml
mode = "safe"
confirm_destructive = true

[apps]
allowed = ["org.gnome.Calculator", "gedit"]
denied = ["org.keepassxc.KeePassXC"]

[rate_limits]
rps = 50
\`\`\`

A name in \`allowed\` or \`denied\` means an application whose name, desktop id, window class or program is exactly that name, in any case.
`;
}

function rowOf<T>(setting: Setting<T>): string {
  const { name, flag, keys = [], kind, description, shownDefault } = setting;
  const shown = kind.show(setting.default);
  const cells = [
    name,
    flag === undefined ? "" : code(`--${flag}`),
    variablesOf(setting).filter((one) => !one.startsWith("AXTERMINATOR_")).map(code).join(" "),
    keys.map(([file, path]) => code(`${file}: ${path}`)).join(" "),
    kind.allowed,
    shownDefault ?? (shown === "" ? "(none)" : code(shown)),
    description,
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\\\|")).join(" | ")} |`;
}

function code(text: string): string {
  return "`" + text + "`";
}
