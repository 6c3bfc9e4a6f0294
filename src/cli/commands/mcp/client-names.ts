/** Programs that `mcp install` knows, as they are named there. */
export const CLIENT_NAMES = [
  "claude-desktop",
  "claude-code",
  "cursor",
  "vscode",
  "windsurf",
  "zed",
  "gemini-cli",
  "codex",
  "cline",
  "continue",
] as const;
export type ClientName = (typeof CLIENT_NAMES)[number];
