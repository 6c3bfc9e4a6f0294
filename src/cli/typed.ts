import process from "node:process";

/**
 * What a person types to run the command line again: its name, or npx before it where npx has started this process, since then the
 * name alone is on no PATH. `npm_command`: npm's word for what it does, `exec` for npx.
 */
export function typed(command: string, npm: string | undefined = process.env["npm_command"]): string {
  return `${npm === "exec" ? "npx --no-install " : ""}backstep ${command}`;
}
