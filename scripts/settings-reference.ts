/** The reference page of the MCP server's settings, made from their table. */
import { variablesOf } from "../src/policy/settings.ts";
import { type Setting, SETTINGS } from "../src/policy/table.ts";

/** docs/reference/mcp-settings.md. */
export function settingsReference(): string {
  const rows = Object.values(SETTINGS).map((setting) => rowOf<unknown>(setting));
  return `# Settings of the MCP server

Made from \`src/policy/table.ts\` by \`deno task schema\`. \`backstep mcp doctor\` shows what is set, and from where.

- Options of \`backstep mcp serve\` go before variables of the environment, these before files, these before defaults. An empty variable is none.
- Files are \`config.toml\` and \`security.toml\` in \`$XDG_CONFIG_HOME/backstep/\` (\`~/.config/backstep/\`), or where \`--config\` says. Where a setting may stand in both, the
  first key named here counts. A file that everybody may write to is refused.
- Variables begin with \`BACKSTEP_\`; the published names with \`AXTERMINATOR_\` and the folder \`axterminator\` are taken too where ours are not there, and the server says so when it
  starts.
- A value that cannot be stops the start, with file, line, column, key, what was there and what is allowed. A misspelt variable that was to guard something does so too.
- A running server follows its files. One that becomes faulty, or disappears, leaves what was, and is an alert on the logger \`axterminator.security\`.
- Secrets are read from the environment only, and never shown.

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

A name in \`allowed\` or \`denied\` means an application whose name, desktop id, window class or program is just that, in whatever case.
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
